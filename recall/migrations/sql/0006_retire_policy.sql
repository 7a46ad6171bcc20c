-- Take the policy in force out of force, as the person in force: the built-in one ranks again. Answers done, retired (it
-- was), else why not, with nothing changed.
CREATE FUNCTION candor_retire_policy(chosen uuid, retired_at timestamptz) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    p recall_policy;
BEGIN
    IF NOT candor_person_acts() THEN
        RETURN 'not_allowed';
    END IF;
    PERFORM pg_advisory_xact_lock(5, t.lock_number) FROM tenant t WHERE t.id = tenant;
    SELECT * INTO p FROM recall_policy r WHERE r.tenant_id = tenant AND r.id = chosen;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    IF p.state = 'retired' THEN
        RETURN 'retired';
    END IF;
    IF p.state <> 'active' THEN
        RETURN 'not_active';
    END IF;
    UPDATE recall_policy r SET state = 'retired', retired_at = candor_retire_policy.retired_at
    WHERE r.tenant_id = tenant AND r.id = chosen;
    RETURN 'done';
END $$;
