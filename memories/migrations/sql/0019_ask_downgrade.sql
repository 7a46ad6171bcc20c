-- Ask that a memory come down to a class, as the person in force. One step is done at once; two or more wait for another
-- person. Steps are counted from the class that two persons last agreed on, or that it had before single ones lowered it:
-- two single steps are two. Answers approved or open, else why not, with nothing changed.
CREATE FUNCTION candor_ask_downgrade(
    request uuid, lowered uuid, wanted smallint, text_hash text, reason text, asked_at timestamptz, expires_at timestamptz
) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    m memory;
    asker uuid;
    refused text;
    began smallint;
BEGIN
    PERFORM pg_advisory_xact_lock(2, t.lock_number) FROM tenant t WHERE t.id = tenant;
    SELECT * INTO m FROM memory r WHERE r.tenant_id = tenant AND r.id = lowered FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    asker := candor_lowering_key(tenant, m.classification, m.project_id);
    IF asker IS NULL THEN
        RETURN 'not_allowed';
    END IF;
    refused := candor_not_lowered(m, wanted, text_hash);
    IF refused IS NOT NULL THEN
        RETURN refused;
    END IF;
    UPDATE downgrade d SET state = 'expired'
    WHERE d.tenant_id = tenant AND d.memory_id = lowered AND d.state = 'open'
      AND d.expires_at <= greatest(candor_ask_downgrade.asked_at, now());
    IF EXISTS (SELECT FROM downgrade d
               WHERE d.tenant_id = tenant AND d.memory_id = lowered AND d.state = 'open') THEN
        RETURN 'asked_already';
    END IF;
    SELECT greatest(m.classification, max(d.former)) INTO began FROM downgrade d
    WHERE d.tenant_id = tenant AND d.memory_id = lowered AND d.state = 'approved' AND d.decided_key_id = d.asked_key_id
      AND NOT EXISTS (SELECT FROM downgrade s
                      WHERE s.tenant_id = tenant AND s.memory_id = lowered AND s.state = 'approved'
                        AND s.decided_key_id <> s.asked_key_id AND s.decided_at >= d.decided_at);
    INSERT INTO downgrade (tenant_id, id, memory_id, content_hash, former, wanted, reason, asked_by, asked_key_id,
                           asked_at, expires_at, state, decided_by, answer, classification)
    VALUES (tenant, request, lowered, text_hash, m.classification, candor_ask_downgrade.wanted,
            candor_ask_downgrade.reason, current_setting('candor.actor', true), asker, candor_ask_downgrade.asked_at,
            candor_ask_downgrade.expires_at, 'open', '', '', m.classification);
    IF began - candor_ask_downgrade.wanted > 1 THEN
        RETURN 'open';
    END IF;
    UPDATE downgrade d SET state = 'approved', decided_by = d.asked_by, decided_key_id = asker,
                           decided_at = candor_ask_downgrade.asked_at
    WHERE d.tenant_id = tenant AND d.id = request;
    PERFORM candor_lower(tenant, lowered, candor_ask_downgrade.wanted);
    RETURN 'approved';
END $$;
