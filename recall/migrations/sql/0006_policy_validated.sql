-- Say that a policy was proven by a shadow run: one of this tenant that is done, passed, and had this very version as its
-- candidate. Answers validated, else why not, with nothing changed. Without shadow runs nothing is ever proven.
CREATE FUNCTION candor_policy_validated(proven uuid, run uuid) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    p recall_policy;
BEGIN
    PERFORM pg_advisory_xact_lock(5, t.lock_number) FROM tenant t WHERE t.id = tenant;
    SELECT * INTO p FROM recall_policy r WHERE r.tenant_id = tenant AND r.id = proven;
    IF NOT FOUND THEN
        RETURN 'unknown';
    END IF;
    IF p.state <> 'shadowing' THEN
        RETURN 'not_shadowing';
    END IF;
    IF to_regclass('public.shadow_run') IS NULL THEN
        RETURN 'not_proven';
    END IF;
    IF NOT EXISTS (
        SELECT FROM shadow_run s
        WHERE s.tenant_id = tenant AND s.id = run AND s.state = 'done' AND s.verdict = 'passed'
          AND s.candidate @> jsonb_build_object('kind', 'policy', 'policy', p.name || '@' || p.version)
    ) THEN
        RETURN 'not_proven';
    END IF;
    UPDATE recall_policy r SET state = 'validated', validated_by_run = run WHERE r.tenant_id = tenant AND r.id = proven;
    RETURN 'validated';
END $$;
