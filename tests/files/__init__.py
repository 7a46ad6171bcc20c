"""Files as people hand them in, made for tests."""
