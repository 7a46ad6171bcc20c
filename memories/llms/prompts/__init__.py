"""What a language model is told, and the schema that its answer is held to (SPEC K-07)."""
