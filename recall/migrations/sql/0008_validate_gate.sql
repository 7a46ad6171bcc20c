-- Have the gate of the tenant in force validated by a shadow run: one that is done, passed, began after the last change and
-- the last closing, tried what is in force as the candidate, and tried exactly what is in force now, with this engine.
-- Answers validated, else why not, with nothing changed.
CREATE FUNCTION candor_validate_gate(run uuid, given_engine text, happened_at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    g access_gate;
    r record;
    present text;
    refused text;
BEGIN
    IF tenant IS NULL OR nullif(current_setting('candor.actor', true), '') IS NULL THEN
        RAISE EXCEPTION 'nobody is in force who could validate the gate' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF to_regclass('public.shadow_run') IS NULL THEN
        RETURN 'unknown_run';
    END IF;
    g := candor_gate_row(tenant);
    EXECUTE 'SELECT s.id, s.state, s.verdict, s.started_at, s.in_force, s.candidate FROM public.shadow_run s '
            'WHERE s.tenant_id = $1 AND s.id = $2' INTO r USING tenant, run;
    present := candor_in_force(given_engine);
    refused := CASE
        WHEN r.id IS NULL THEN 'unknown_run'
        WHEN g.state = 'open' THEN 'open_already'
        WHEN r.state IS DISTINCT FROM 'done' THEN 'not_done'
        WHEN r.verdict IS DISTINCT FROM 'passed' THEN 'not_passed'
        WHEN r.candidate ->> 'kind' IS DISTINCT FROM 'in_force' THEN 'other_candidate'
        WHEN (r.started_at > coalesce(greatest(g.changed_at, g.closed_at), '-infinity')) IS NOT TRUE THEN 'too_old'
        WHEN coalesce(given_engine, '') = '' OR r.in_force IS DISTINCT FROM present THEN 'other_version'
    END;
    IF refused IS NOT NULL THEN
        RETURN refused;
    END IF;
    UPDATE access_gate a
    SET state = 'validated', cause = 'waiting', fingerprint = present, engine = given_engine, run_id = run, reason = '',
        validated_by = current_setting('candor.actor', true), validated_at = happened_at
    WHERE a.tenant_id = tenant
    RETURNING * INTO g;
    PERFORM candor_gate_note(g, 'gate.validate', '', happened_at);
    RETURN 'validated';
END $$;
