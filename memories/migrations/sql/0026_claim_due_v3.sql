-- Due captures of every tenant, put up for hinting again, in turns by cost: next is always the tenant of whom the least
-- has been handed out, counted as a thousand bytes for each capture and those of its text. One of the few functions that
-- cross tenants: it answers with ids and sizes, never with content.
-- The second version went from tenant to tenant by number, so that a tenant with texts of 20 000 characters had a
-- hundred times the work done of one with texts of 200. Its walk over the index capture_open is the same.
CREATE FUNCTION candor_claim_due_v3(most integer, grace_seconds integer)
RETURNS TABLE (tenant_id uuid, capture_id uuid, bytes integer)
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
               coalesce(sum(1000 + w.bytes) OVER (
                   PARTITION BY o.tenant_id ORDER BY w.created_at, w.id
                   ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
               ), 0) AS start
        FROM owner o CROSS JOIN LATERAL (
            SELECT c.id, c.created_at, octet_length(c.text) AS bytes FROM public.capture c
            WHERE c.tenant_id = o.tenant_id AND c.state IN ('pending', 'processing')
              AND (c.leased_until IS NULL OR c.leased_until < now())
            ORDER BY c.created_at
            LIMIT o.share
        ) w
    ), fair AS MATERIALIZED (
        SELECT p.tenant_id, p.id FROM placed p ORDER BY p.start, p.created_at LIMIT most
    ), held AS (
        SELECT c.tenant_id, c.id FROM public.capture c JOIN fair f ON c.tenant_id = f.tenant_id AND c.id = f.id
        WHERE c.state IN ('pending', 'processing') AND (c.leased_until IS NULL OR c.leased_until < now())
        FOR UPDATE OF c SKIP LOCKED
    )
    UPDATE public.capture c
    SET state = 'pending', lease_token = NULL, leased_until = now() + make_interval(secs => grace_seconds)
    FROM held h
    WHERE c.tenant_id = h.tenant_id AND c.id = h.id
    -- What belongs to a document is long whatever it has: it is no turn that somebody waits for.
    RETURNING c.tenant_id, c.id, CASE WHEN c.document_id IS NULL THEN octet_length(c.text) ELSE 2147483647 END
$$;
