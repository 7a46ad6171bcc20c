"""What should be looked at before it is relied on: watermarks that moved, and the queue (SPEC E-08, H-03)."""
