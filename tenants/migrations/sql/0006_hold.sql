-- What the service's login may not do to who works in a tenant. An agent's domains, ceiling and project are an operator's
-- to change, by the admin or the console; a person's place is the console's. Nobody changes who they are.
CREATE FUNCTION candor_hold_agent() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.tenant_id, NEW.id, NEW.created_at) IS DISTINCT FROM (OLD.tenant_id, OLD.id, OLD.created_at) THEN
        RAISE EXCEPTION 'who an agent is does not change' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF (NEW.ceiling > OLD.ceiling OR NEW.domains IS DISTINCT FROM OLD.domains
        OR NEW.project_id IS DISTINCT FROM OLD.project_id)
       AND split_part(coalesce(current_setting('candor.actor', true), ''), ':', 1) NOT IN ('person', 'operator') THEN
        RAISE EXCEPTION 'what an agent may see is an operator''s to change' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION candor_hold_agent FROM PUBLIC;

CREATE TRIGGER agent_hold BEFORE UPDATE ON agent FOR EACH ROW EXECUTE FUNCTION candor_hold_agent();

CREATE FUNCTION candor_hold_membership() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.tenant_id, NEW.id, NEW.user_id) IS DISTINCT FROM (OLD.tenant_id, OLD.id, OLD.user_id) THEN
        RAISE EXCEPTION 'whose place it is does not change' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF (NEW.role, NEW.ceiling) IS DISTINCT FROM (OLD.role, OLD.ceiling)
       AND split_part(coalesce(current_setting('candor.actor', true), ''), ':', 1) <> 'operator' THEN
        RAISE EXCEPTION 'a person''s place is the console''s to change' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION candor_hold_membership FROM PUBLIC;

CREATE TRIGGER membership_hold BEFORE UPDATE ON membership FOR EACH ROW EXECUTE FUNCTION candor_hold_membership();
