"""People of a tenant: who they are, what is granted to them, and how they log in (SPEC S-04)."""
