"""Memories written under the tenant's lock, read, linked, and moved between vector spaces (SPEC W-15)."""
