-- Delete what nights of the tenant in force did, the oldest first, as far as its rule of retention lets it go, and return how
-- many nights went. The service itself may only write them down.
CREATE FUNCTION candor_retain_nights(most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    days integer := (SELECT (t.retention -> 'nights' ->> 'days')::integer FROM tenant t WHERE t.id = tenant);
    old uuid[];
BEGIN
    IF days IS NULL THEN
        RETURN 0;
    END IF;
    old := ARRAY(
        SELECT r.id FROM sleep_run r
        WHERE r.tenant_id = tenant AND r.created_at < now() - make_interval(days => days)
          AND r.state NOT IN ('waiting', 'running')
        ORDER BY r.created_at LIMIT most);
    DELETE FROM sleep_step s WHERE s.tenant_id = tenant AND s.run_id = ANY (old);
    DELETE FROM sleep_run r WHERE r.tenant_id = tenant AND r.id = ANY (old);
    RETURN cardinality(old);
END $$;
