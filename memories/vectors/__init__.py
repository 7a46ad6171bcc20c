"""Where vectors lie: a tenant's spaces, its partitions, its term statistics (SPEC M-14)."""
