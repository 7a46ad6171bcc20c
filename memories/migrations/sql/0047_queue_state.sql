-- Of every tenant, how many captures wait, are worked on, are held for a person or ended dead, what they wait for, and
-- since when the oldest of them is there. One of the few functions that cross tenants: numbers and ages, no content.
-- Leans on capture_open and capture_held.
CREATE FUNCTION candor_queue_state()
RETURNS TABLE (tenant_id uuid, state text, waits_for text, captures bigint, oldest timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT c.tenant_id, c.state, c.waits_for, count(*), min(c.created_at) FROM public.capture c
    WHERE c.state IN ('pending', 'processing')
    GROUP BY c.tenant_id, c.state, c.waits_for
    UNION ALL
    SELECT c.tenant_id, c.state, '', count(*), min(c.created_at) FROM public.capture c
    WHERE c.state IN ('quarantined', 'dead')
    GROUP BY c.tenant_id, c.state
$$;
