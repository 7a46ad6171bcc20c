"""What every step of a night is made with: its contract, a walk by batches, and what is due (SPEC E-04)."""
