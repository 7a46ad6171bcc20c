-- Keep a new version of a policy as a draft, as the person in force, and answer its id. A draft of the same name and body is
-- answered for itself: to ask twice makes one. NULL: who asks may not.
CREATE FUNCTION candor_draft_policy(
    draft uuid, called text, numbers jsonb, numbers_hash text, made_from text, said text, drafted_at timestamptz
) RETURNS uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    same uuid;
BEGIN
    IF NOT candor_person_acts() THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock(5, t.lock_number) FROM tenant t WHERE t.id = tenant;
    SELECT p.id INTO same FROM recall_policy p
    WHERE p.tenant_id = tenant AND p.name = called AND p.body_hash = numbers_hash AND p.state = 'draft'
    ORDER BY p.version DESC LIMIT 1;
    IF FOUND THEN
        RETURN same;
    END IF;
    INSERT INTO recall_policy (tenant_id, id, name, version, body, body_hash, state, based_on, note, created_by, created_at,
                               activated_by)
    SELECT tenant, draft, called, 1 + coalesce(max(p.version), 0), numbers, numbers_hash, 'draft', made_from, said,
           current_setting('candor.actor', true), drafted_at, ''
    FROM recall_policy p WHERE p.tenant_id = tenant AND p.name = called;
    RETURN draft;
END $$;
