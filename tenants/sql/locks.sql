-- Statements by name; `tenants.sql.queries` reads them.

-- hold_lock --
-- One of the tenant's locks, to the transaction's end; no row when there is no such tenant.
SELECT pg_advisory_xact_lock(%(namespace)s::integer, lock_number) FROM tenant WHERE id = %(tenant)s;
