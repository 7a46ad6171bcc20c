"""What a memory can be: its kind, what it is checked against, what its pipeline noted. Pure."""
