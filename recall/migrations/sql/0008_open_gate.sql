-- Open the gate of the tenant in force, as the actor in force: a person of the tenant who is an operator and who changed
-- nothing since it was last open, neither themselves nor by a key that they made. Answers open, else why not; when what is
-- in force is no longer what was validated, that is noted.
CREATE FUNCTION candor_open_gate(why text, given_engine text, happened_at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    opener text := substring(current_setting('candor.actor', true) FROM '^(?:person|operator):(user:[0-9]+)$');
    g access_gate;
    present text;
BEGIN
    IF tenant IS NULL OR NOT EXISTS (
        SELECT FROM membership m JOIN auth_user u ON u.id = m.user_id AND u.is_active
        WHERE m.tenant_id = tenant AND m.role = 'operator' AND 'user:' || m.user_id = opener
    ) THEN
        RETURN 'not_operator';
    END IF;
    g := candor_gate_row(tenant);
    IF g.state <> 'validated' THEN
        RETURN CASE g.state WHEN 'open' THEN 'open_already' ELSE 'not_validated' END;
    END IF;
    present := candor_in_force(given_engine);
    IF present IS DISTINCT FROM g.fingerprint THEN
        PERFORM candor_gate_modify(g, present, given_engine,
                                   CASE WHEN given_engine IS DISTINCT FROM g.engine THEN 'engine' ELSE 'unseen' END);
        RETURN 'modified';
    END IF;
    IF opener = ANY (g.changers) THEN
        RETURN 'same_person';
    END IF;
    UPDATE access_gate a
    SET state = 'open', cause = '', reason = why, opened_by = current_setting('candor.actor', true), opened_at = happened_at,
        changers = '{}'
    WHERE a.tenant_id = tenant
    RETURNING * INTO g;
    PERFORM candor_gate_note(g, 'gate.open', why, happened_at);
    RETURN 'open';
END $$;
