-- Due captures of every tenant, put up for hinting again: the oldest of each tenant, then the second of each, and
-- so on. One of the few functions that cross tenants: it answers with ids only, never with content.
-- The first version took its candidates from the oldest of all, so that a tenant with thousands of them kept others
-- out until its own were done. This one goes from tenant to tenant by the index capture_open, one probe each, and
-- looks at no more than 20 * most rows in all.
CREATE FUNCTION candor_claim_due_v2(most integer, grace_seconds integer)
RETURNS TABLE (tenant_id uuid, capture_id uuid)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH RECURSIVE step AS (
        (SELECT c.tenant_id FROM public.capture c
         WHERE c.state IN ('pending', 'processing') ORDER BY c.tenant_id LIMIT 1)
        UNION ALL
        SELECT (SELECT c.tenant_id FROM public.capture c
                WHERE c.state IN ('pending', 'processing') AND c.tenant_id > s.tenant_id
                ORDER BY c.tenant_id LIMIT 1)
        FROM step s WHERE s.tenant_id IS NOT NULL
    ), owner AS (
        SELECT s.tenant_id, greatest(1, least(most, most * 20 / count(*) OVER ())) AS share
        FROM step s WHERE s.tenant_id IS NOT NULL
    ), placed AS (
        SELECT o.tenant_id, w.id, w.created_at,
               row_number() OVER (PARTITION BY o.tenant_id ORDER BY w.created_at, w.id) AS place
        FROM owner o CROSS JOIN LATERAL (
            SELECT c.id, c.created_at FROM public.capture c
            WHERE c.tenant_id = o.tenant_id AND c.state IN ('pending', 'processing')
              AND (c.leased_until IS NULL OR c.leased_until < now())
            ORDER BY c.created_at
            LIMIT o.share
        ) w
    ), fair AS MATERIALIZED (
        SELECT p.tenant_id, p.id FROM placed p ORDER BY p.place, p.created_at LIMIT most
    ), held AS (
        SELECT c.tenant_id, c.id FROM public.capture c JOIN fair f ON c.tenant_id = f.tenant_id AND c.id = f.id
        WHERE c.state IN ('pending', 'processing') AND (c.leased_until IS NULL OR c.leased_until < now())
        FOR UPDATE OF c SKIP LOCKED
    )
    UPDATE public.capture c
    SET state = 'pending', lease_token = NULL, leased_until = now() + make_interval(secs => grace_seconds)
    FROM held h
    WHERE c.tenant_id = h.tenant_id AND c.id = h.id
    RETURNING c.tenant_id, c.id
$$;
