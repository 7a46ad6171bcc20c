"""A memory before it is stored: what is said, by whose voice, and what finds it (SPEC W-11, K-02)."""
