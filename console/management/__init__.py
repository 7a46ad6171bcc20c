"""Commands of the console."""
