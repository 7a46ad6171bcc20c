"""What admin pages are made of: a tenant's rows, steps that ask for a reason, tables and bars (SPEC H-05)."""
