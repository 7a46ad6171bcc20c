"""The night: asked for, gated, and run step by step, as the registry says (SPEC E-04)."""
