"""API keys: made, checked, narrowed and revoked, and what they enrol: agents and projects (SPEC S-02)."""
