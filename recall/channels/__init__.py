"""The ways of finding memories, in a registry, and how each of them fares of late (SPEC R-01, R-12)."""
