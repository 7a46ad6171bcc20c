-- Close the gate of the tenant in force by hand, as the actor in force, for a reason. It takes a new run to open it.
CREATE FUNCTION candor_close_gate(why text, happened_at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    g access_gate;
BEGIN
    IF tenant IS NULL OR nullif(current_setting('candor.actor', true), '') IS NULL THEN
        RAISE EXCEPTION 'nobody is in force who could close the gate' USING ERRCODE = 'insufficient_privilege';
    END IF;
    g := candor_gate_row(tenant);
    UPDATE access_gate a
    SET state = 'closed', cause = 'hand', reason = why, closed_at = greatest(happened_at, clock_timestamp()), run_id = NULL,
        validated_by = '', validated_at = NULL, opened_by = '', opened_at = NULL
    WHERE a.tenant_id = tenant
    RETURNING * INTO g;
    PERFORM candor_gate_note(g, 'gate.close', why, happened_at);
END $$;
