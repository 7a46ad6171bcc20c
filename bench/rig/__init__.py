"""What every measurement stands on: a service of its own, tenants, captures in, tables and figures out."""
