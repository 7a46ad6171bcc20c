"""Days, feasts and the Chinese calendar."""
