"""The context of a prompt: composed, made safe and packed into a token budget (SPEC C-01 to C-03)."""
