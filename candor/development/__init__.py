"""Tools for who changes the client; they are in no distribution of it."""
