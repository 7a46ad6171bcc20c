-- After something that decides what a recall answers, or whom, was changed: if what is in force is another now, the gate is
-- closed by who changed it. The first key for outside makes the gate. Arguments: the cause; «always»: it has no trace in
-- what is in force, so that its being changed is counted. A tenant without a gate is not looked at.
CREATE FUNCTION candor_gate_follow() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    bound text := current_setting('candor.tenant', true);
    tenant uuid := coalesce(to_jsonb(NEW) ->> 'tenant_id', to_jsonb(NEW) ->> 'id')::uuid;
    g access_gate;
    present text;
BEGIN
    PERFORM set_config('candor.tenant', tenant::text, true);
    IF TG_TABLE_NAME = 'api_key' THEN
        g := candor_gate_row(tenant);
    ELSE
        SELECT * INTO g FROM access_gate a WHERE a.tenant_id = tenant FOR NO KEY UPDATE;
    END IF;
    IF g.id IS NOT NULL THEN
        IF TG_NARGS > 1 THEN
            g.generation := g.generation + 1;
            UPDATE access_gate a SET generation = g.generation WHERE a.tenant_id = tenant;
        END IF;
        present := candor_in_force(g.engine);
        IF present IS DISTINCT FROM g.fingerprint THEN
            PERFORM candor_gate_modify(g, present, g.engine, TG_ARGV[0]);
        END IF;
    END IF;
    PERFORM set_config('candor.tenant', coalesce(bound, ''), true);
    RETURN NULL;
END $$;

CREATE TRIGGER api_key_gate_insert AFTER INSERT ON api_key
FOR EACH ROW WHEN (NEW.external) EXECUTE FUNCTION candor_gate_follow('keys');

CREATE TRIGGER api_key_gate_update AFTER UPDATE OF scopes, ceiling, project_id, agent_id, user_id, external ON api_key
FOR EACH ROW WHEN (NEW.external OR OLD.external) EXECUTE FUNCTION candor_gate_follow('keys');

CREATE TRIGGER agent_gate AFTER UPDATE OF ceiling, domains, project_id ON agent
FOR EACH ROW EXECUTE FUNCTION candor_gate_follow('agents');

CREATE TRIGGER tenant_gate AFTER UPDATE OF recall_policy ON tenant
FOR EACH ROW WHEN (NEW.recall_policy <> OLD.recall_policy) EXECUTE FUNCTION candor_gate_follow('policy');

CREATE TRIGGER vector_home_gate AFTER INSERT OR UPDATE OF state, space, shelf ON vector_home
FOR EACH ROW EXECUTE FUNCTION candor_gate_follow('vectors');

CREATE TRIGGER memory_gate AFTER UPDATE OF classification ON memory
FOR EACH ROW WHEN (NEW.classification < OLD.classification) EXECUTE FUNCTION candor_gate_follow('classification', 'always');

DO $$
BEGIN
    IF to_regclass('public.recall_policy') IS NOT NULL THEN
        CREATE TRIGGER recall_policy_gate AFTER INSERT OR UPDATE ON recall_policy
        FOR EACH ROW EXECUTE FUNCTION candor_gate_follow('policy');
    END IF;
END $$;
