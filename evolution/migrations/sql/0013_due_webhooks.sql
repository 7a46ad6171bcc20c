-- Webhooks of every tenant that have something to be sent: those that rest after a failure or are being seen to are left
-- out. One of the few functions that cross tenants: it answers with ids. Of the trail it asks whether there is more than
-- was read, tenant by tenant, since the definer sees the trail of the tenant in force alone.
CREATE FUNCTION candor_due_webhooks(most integer)
RETURNS TABLE (tenant_id uuid, webhook_id uuid)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    bound text := coalesce(current_setting('candor.tenant', true), '');
    hook record;
    found integer := 0;
BEGIN
    FOR hook IN
        SELECT w.tenant_id, w.id, w.place, w.pinged_at FROM webhook w
        WHERE w.state = 'active' AND w.next_at <= clock_timestamp()
          AND (w.leased_until IS NULL OR w.leased_until < clock_timestamp())
        ORDER BY w.next_at
    LOOP
        PERFORM set_config('candor.tenant', hook.tenant_id::text, true);
        IF hook.pinged_at IS NOT NULL OR EXISTS (
            SELECT FROM audit_link l WHERE l.tenant_id = hook.tenant_id AND l.seq > hook.place
        ) THEN
            tenant_id := hook.tenant_id;
            webhook_id := hook.id;
            RETURN NEXT;
            found := found + 1;
        END IF;
        EXIT WHEN found >= most;
    END LOOP;
    PERFORM set_config('candor.tenant', bound, true);
END $$;
