-- The best origin that a capture's words may have is what its key was granted, whatever is written beside it (SPEC M-08,
-- K-13). A key of a person or of the tenant's own is held to no grant that it did not give up; an agent's, or one
-- for outside, relays a user or measures only if that was granted. An agent's word for its users is the agent's voice.
CREATE FUNCTION candor_cap_origin() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    speaks boolean;
    relays boolean;
    measures boolean;
    most text;
BEGIN
    IF NEW.api_key_id IS NULL OR NEW.origin = '' THEN
        RETURN NEW; -- the console's, or written by the code of before: taken as if it had been granted nothing
    END IF;
    SELECT k.agent_id IS NULL AND NOT k.external,
           coalesce(k.relays_users, k.agent_id IS NULL AND NOT k.external),
           coalesce(k.measures, k.agent_id IS NULL AND NOT k.external)
    INTO speaks, relays, measures
    FROM api_key k WHERE k.tenant_id = NEW.tenant_id AND k.id = NEW.api_key_id;
    most := CASE NEW.role WHEN 'user' THEN CASE WHEN relays THEN 'user_correction' ELSE 'user_relayed' END
                          WHEN 'tool' THEN CASE WHEN measures THEN 'measured' ELSE 'extracted' END
                          ELSE 'agent_chat' END;
    IF candor_weight(NEW.origin) > candor_weight(most) THEN
        NEW.origin := most;
    END IF;
    NEW.corrects := NEW.corrects AND coalesce(speaks, false);
    IF NEW.agent_id IS NOT NULL AND NOT coalesce(relays, false) THEN
        NEW.voice := 'agent:' || NEW.agent_id;
    END IF;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION candor_cap_origin FROM PUBLIC;

CREATE TRIGGER capture_cap_origin BEFORE INSERT ON capture FOR EACH ROW EXECUTE FUNCTION candor_cap_origin();

-- What a capture may claim is settled as it is taken: who writes its state later leaves that as it is.
CREATE FUNCTION candor_keep_origin() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'where a capture comes from does not change' USING ERRCODE = 'insufficient_privilege';
END $$;
REVOKE ALL ON FUNCTION candor_keep_origin FROM PUBLIC;

CREATE TRIGGER capture_keep_origin BEFORE UPDATE ON capture FOR EACH ROW
WHEN ((NEW.origin, NEW.voice, NEW.corrects, NEW.role, NEW.agent_id, NEW.api_key_id)
      IS DISTINCT FROM (OLD.origin, OLD.voice, OLD.corrects, OLD.role, OLD.agent_id, OLD.api_key_id))
EXECUTE FUNCTION candor_keep_origin();

-- A memory claims no better origin than its capture may, and no other voice; what is written without a capture by an agent
-- is that agent's own.
CREATE FUNCTION candor_hold_origin() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    c record;
BEGIN
    IF NEW.capture_id IS NULL THEN
        IF NEW.provenance <> 'agent_inferred' AND current_setting('candor.actor', true) LIKE 'agent:%' THEN
            RAISE EXCEPTION 'an agent''s own word is inferred' USING ERRCODE = 'insufficient_privilege';
        END IF;
        RETURN NEW;
    END IF;
    SELECT r.origin, r.voice INTO c FROM capture r WHERE r.tenant_id = NEW.tenant_id AND r.id = NEW.capture_id;
    IF NOT FOUND OR c.origin = '' THEN
        RETURN NEW;
    END IF;
    IF candor_weight(NEW.provenance) > candor_weight(c.origin)
       OR (NEW.provenance IN ('user_correction', 'user_stated', 'user_relayed')
           AND c.origin NOT IN ('user_correction', 'user_stated', 'user_relayed'))
       OR (NEW.provenance = 'measured' AND c.origin <> 'measured') THEN
        RAISE EXCEPTION 'a memory claims more than its capture was granted' USING ERRCODE = 'insufficient_privilege';
    END IF;
    NEW.voice := c.voice;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION candor_hold_origin FROM PUBLIC;

CREATE TRIGGER memory_hold_origin BEFORE INSERT ON memory FOR EACH ROW EXECUTE FUNCTION candor_hold_origin();
