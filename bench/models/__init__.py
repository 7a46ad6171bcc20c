"""Language models that stand in for a provider, and read what they are asked."""
