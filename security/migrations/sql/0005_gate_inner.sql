-- The actor in force without their kind, «user:5» or the id of a key, and who made that key, at whatever remove: whoever
-- made a key has seen it.
CREATE FUNCTION candor_gate_hands(tenant uuid) RETURNS text[]
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    WITH RECURSIVE hand (who) AS (
        SELECT regexp_replace(coalesce(nullif(current_setting('candor.actor', true), ''), 'system:database'), '^[a-z]+:', '')
        UNION
        SELECT regexp_replace(k.created_by, '^[a-z]+:', '')
        FROM hand h JOIN api_key k ON k.tenant_id = tenant AND k.id::text = h.who
    )
    SELECT array_agg(h.who) FROM hand h WHERE h.who <> ''
$$;
REVOKE ALL ON FUNCTION candor_gate_hands(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_gate_hands(uuid) TO candor_definer;

-- Write a step of the gate down in the tenant's trail, done by the actor in force, or by the database.
CREATE FUNCTION candor_gate_note(g access_gate, step text, why text, happened_at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    actor text := coalesce(nullif(current_setting('candor.actor', true), ''), 'system:database');
BEGIN
    INSERT INTO audit_event (tenant_id, id, at, actor_kind, actor_id, action, object_type, object_id, reason, detail,
                             classification)
    VALUES (g.tenant_id, gen_random_uuid(), happened_at, split_part(actor, ':', 1), substr(actor, strpos(actor, ':') + 1),
            step, 'access_gate', g.id::text, why,
            jsonb_build_object('state', g.state, 'cause', g.cause, 'fingerprint', g.fingerprint, 'run', g.run_id), 1);
END $$;
REVOKE ALL ON FUNCTION candor_gate_note(access_gate, text, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_gate_note(access_gate, text, text, timestamptz) TO candor_definer;

-- The tenant's gate, locked; made closed if there is none yet.
CREATE FUNCTION candor_gate_row(tenant uuid) RETURNS access_gate
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    g access_gate;
BEGIN
    INSERT INTO access_gate (tenant_id, id, state, cause, fingerprint, engine, generation, changed_by, changers, reason,
                             validated_by, opened_by)
    VALUES (tenant, gen_random_uuid(), 'closed', 'new', '', '', 0, '', '{}', '', '', '')
    ON CONFLICT (tenant_id) DO NOTHING;
    SELECT * INTO STRICT g FROM access_gate a WHERE a.tenant_id = tenant FOR NO KEY UPDATE;
    RETURN g;
END $$;
REVOKE ALL ON FUNCTION candor_gate_row(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_gate_row(uuid) TO candor_definer;

-- Close a locked gate because what is in force is not what it was: by the actor in force, or by whoever deployed an engine,
-- who is not known here. It keeps the count of what has no trace but that it was counted.
CREATE FUNCTION candor_gate_modify(g access_gate, present text, present_engine text, why text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
BEGIN
    UPDATE access_gate a
    SET state = 'modified', cause = why, fingerprint = present, engine = present_engine, changed_at = clock_timestamp(),
        changed_by = coalesce(nullif(current_setting('candor.actor', true), ''), 'system:database'),
        changers = (SELECT array_agg(DISTINCT h.who ORDER BY h.who)
                    FROM unnest(a.changers || candor_gate_hands(a.tenant_id)) AS h (who)),
        run_id = NULL, validated_by = '', validated_at = NULL, opened_by = '', opened_at = NULL, reason = '',
        generation = g.generation
    WHERE a.tenant_id = g.tenant_id
    RETURNING * INTO g;
    PERFORM candor_gate_note(g, 'gate.modify', '', g.changed_at);
END $$;
REVOKE ALL ON FUNCTION candor_gate_modify(access_gate, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_gate_modify(access_gate, text, text, text) TO candor_definer;

-- Why a key from outside is not let in with this engine now; NULL: it is. An open gate is looked through: it is open for
-- what was validated, and shuts itself when that is not in force. Nobody is in force yet.
CREATE FUNCTION candor_gate_shut(tenant uuid, given_engine text) RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    bound text := current_setting('candor.tenant', true);
    g access_gate;
    present text;
    why text;
BEGIN
    PERFORM set_config('candor.tenant', tenant::text, true);
    SELECT * INTO g FROM access_gate a WHERE a.tenant_id = tenant;
    IF g.state = 'open' THEN
        present := candor_in_force(given_engine);
        IF present IS DISTINCT FROM g.fingerprint THEN
            SELECT * INTO g FROM access_gate a WHERE a.tenant_id = tenant FOR NO KEY UPDATE;
            present := candor_in_force(given_engine);
            IF g.state = 'open' AND present IS DISTINCT FROM g.fingerprint THEN
                why := CASE WHEN given_engine IS DISTINCT FROM g.engine THEN 'engine' ELSE 'unseen' END;
                PERFORM candor_gate_modify(g, present, given_engine, why);
            END IF;
        END IF;
    END IF;
    why := coalesce(why, CASE WHEN g.state IS DISTINCT FROM 'open' THEN coalesce(g.cause, 'new') END);
    PERFORM set_config('candor.tenant', coalesce(bound, ''), true);
    RETURN why;
END $$;
REVOKE ALL ON FUNCTION candor_gate_shut(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_gate_shut(uuid, text) TO candor_definer;
