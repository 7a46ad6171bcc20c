"""The wording of a pattern: by rules or by a language model, whose answer is checked (SPEC E-03)."""
