-- Due captures of every tenant, oldest of each tenant first, put up for hinting again. One of the few
-- functions that cross tenants: it answers with ids only, never with content.
CREATE FUNCTION candor_claim_due(most integer, grace_seconds integer)
RETURNS TABLE (tenant_id uuid, capture_id uuid)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH waiting AS (
        SELECT c.tenant_id, c.id, c.created_at
        FROM public.capture c
        WHERE c.state IN ('pending', 'processing')
          AND (c.leased_until IS NULL OR c.leased_until < now())
        ORDER BY c.leased_until NULLS FIRST, c.created_at
        LIMIT most * 20
        FOR UPDATE SKIP LOCKED
    ), placed AS (
        SELECT w.tenant_id, w.id, w.created_at,
               row_number() OVER (PARTITION BY w.tenant_id ORDER BY w.created_at, w.id) AS place
        FROM waiting w
    ), fair AS (
        SELECT p.tenant_id, p.id FROM placed p ORDER BY p.place, p.created_at LIMIT most
    )
    UPDATE public.capture c
    SET state = 'pending', lease_token = NULL, leased_until = now() + make_interval(secs => grace_seconds)
    FROM fair f
    WHERE c.tenant_id = f.tenant_id AND c.id = f.id
    RETURNING c.tenant_id, c.id
$$;
