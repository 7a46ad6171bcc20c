-- Rank the tenant's recalls by a policy from now on, as the person in force; the one in force retires. It has to be proven, or
-- to have been in force before. back: it returns, and what it once replaced stays known. Answers activated, active (it was),
-- else why not, with nothing changed.
CREATE FUNCTION candor_activate_policy(chosen uuid, back boolean, activated_at timestamptz) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    p recall_policy;
    former uuid;
BEGIN
    IF NOT candor_person_acts() THEN
        RETURN 'not_allowed';
    END IF;
    PERFORM pg_advisory_xact_lock(5, t.lock_number) FROM tenant t WHERE t.id = tenant;
    SELECT * INTO p FROM recall_policy r WHERE r.tenant_id = tenant AND r.id = chosen;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    IF p.state = 'active' THEN
        RETURN 'active';
    END IF;
    IF p.state NOT IN ('validated', 'retired') THEN
        RETURN 'not_validated';
    END IF;
    UPDATE recall_policy r SET state = 'retired', retired_at = candor_activate_policy.activated_at
    WHERE r.tenant_id = tenant AND r.state = 'active'
    RETURNING r.id INTO former;
    UPDATE recall_policy r
    SET state = 'active', activated_at = candor_activate_policy.activated_at, retired_at = NULL,
        activated_by = current_setting('candor.actor', true), replaced = CASE WHEN back THEN r.replaced ELSE former END
    WHERE r.tenant_id = tenant AND r.id = chosen;
    RETURN 'activated';
END $$;
