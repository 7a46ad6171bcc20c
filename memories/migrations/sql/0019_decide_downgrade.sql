-- Decide on an open downgrade, as the person in force: approve it for the memory, the class and the text that they name, or
-- reject it. Who asked may reject what they asked, not approve it, nor may a key that made theirs or that theirs made.
-- Answers approved or rejected, else why not; one that has expired is marked so.
CREATE FUNCTION candor_decide_downgrade(
    request uuid, approve boolean, lowered uuid, wanted smallint, text_hash text, answer text, decided_at timestamptz
) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    d downgrade;
    m memory;
    decider uuid;
    refused text;
BEGIN
    PERFORM pg_advisory_xact_lock(2, t.lock_number) FROM tenant t WHERE t.id = tenant;
    SELECT * INTO d FROM downgrade r WHERE r.tenant_id = tenant AND r.id = request FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    SELECT * INTO m FROM memory r WHERE r.tenant_id = tenant AND r.id = d.memory_id FOR NO KEY UPDATE;
    decider := candor_lowering_key(tenant, greatest(d.former, m.classification), m.project_id);
    refused := CASE
        WHEN decider IS NULL THEN 'not_allowed'
        WHEN d.state <> 'open' THEN 'decided'
        WHEN d.expires_at <= greatest(candor_decide_downgrade.decided_at, now()) THEN 'expired'
        WHEN NOT approve THEN NULL
        WHEN decider = d.asked_key_id OR candor_one_made_the_other(tenant, decider, d.asked_key_id) THEN 'same_person'
        WHEN (lowered, candor_decide_downgrade.wanted) IS DISTINCT FROM (d.memory_id, d.wanted) THEN 'other_target'
        WHEN text_hash IS DISTINCT FROM d.content_hash OR m.classification <> d.former THEN 'changed'
        ELSE candor_not_lowered(m, d.wanted, text_hash)
    END;
    IF refused IS NOT NULL THEN
        IF refused = 'expired' THEN
            UPDATE downgrade r SET state = 'expired' WHERE r.tenant_id = tenant AND r.id = request;
        END IF;
        RETURN refused;
    END IF;
    UPDATE downgrade r SET state = CASE WHEN approve THEN 'approved' ELSE 'rejected' END,
        decided_by = current_setting('candor.actor', true), decided_key_id = decider, answer = candor_decide_downgrade.answer,
        decided_at = candor_decide_downgrade.decided_at
    WHERE r.tenant_id = tenant AND r.id = request;
    IF NOT approve THEN
        RETURN 'rejected';
    END IF;
    PERFORM candor_lower(tenant, d.memory_id, d.wanted);
    RETURN 'approved';
END $$;
