-- What is said of a key holds: it may be narrowed and ended, never widened, handed to somebody else or brought back
-- (SPEC S-02). Whose it is and what tells it from others is not granted for updates at all; this holds the rest.
CREATE FUNCTION candor_hold_key() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    speaks boolean := OLD.agent_id IS NULL AND NOT OLD.external;
    most smallint := CASE WHEN speaks THEN 5 ELSE 3 END;
BEGIN
    IF (NEW.tenant_id, NEW.id, NEW.name, NEW.prefix, NEW.secret_hash, NEW.external, NEW.created_at, NEW.created_by)
           IS DISTINCT FROM
       (OLD.tenant_id, OLD.id, OLD.name, OLD.prefix, OLD.secret_hash, OLD.external, OLD.created_at, OLD.created_by)
       OR (NEW.agent_id, NEW.project_id, NEW.user_id) IS DISTINCT FROM (OLD.agent_id, OLD.project_id, OLD.user_id) THEN
        RAISE EXCEPTION 'whose a key is does not change' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF NOT NEW.scopes <@ OLD.scopes OR NOT NEW.projects <@ OLD.projects OR NEW.ceiling > OLD.ceiling
       OR coalesce(NEW.relays_users, speaks) > coalesce(OLD.relays_users, speaks)
       OR coalesce(NEW.measures, speaks) > coalesce(OLD.measures, speaks)
       OR coalesce(NEW.max_importance, most) > coalesce(OLD.max_importance, most) THEN
        RAISE EXCEPTION 'a key is only ever narrowed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF OLD.expires_at IS NOT NULL AND (NEW.expires_at IS NULL OR NEW.expires_at > OLD.expires_at) THEN
        RAISE EXCEPTION 'a key ends no later' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN
        RAISE EXCEPTION 'a revoked key stays revoked' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION candor_hold_key FROM PUBLIC;

CREATE TRIGGER api_key_hold BEFORE UPDATE ON api_key FOR EACH ROW EXECUTE FUNCTION candor_hold_key();
