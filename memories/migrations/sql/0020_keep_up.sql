-- How high has been read in a session, for what is written in it (SPEC S-01: no write down). A session is named by whose it
-- is, the agent or, of a key without one, the key, and by its name. What was recalled without a name belongs to every
-- session of whose it is, and what is written without a name to all of them.
CREATE FUNCTION candor_mark(tenant uuid, holder uuid, named text) RETURNS smallint
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(max(s.classification), 0)::smallint FROM session_mark s
    WHERE s.tenant_id = candor_mark.tenant AND s.holder = candor_mark.holder
      AND (candor_mark.named = '' OR s.session IN ('', candor_mark.named))
$$;
REVOKE ALL ON FUNCTION candor_mark(uuid, uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_mark(uuid, uuid, text) TO candor_definer;

CREATE FUNCTION candor_may_write_down(tenant uuid, key uuid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM api_key k WHERE k.tenant_id = candor_may_write_down.tenant
                   AND k.id = candor_may_write_down.key AND 'declassify' = ANY (k.scopes))
$$;
REVOKE ALL ON FUNCTION candor_may_write_down(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_may_write_down(uuid, uuid) TO candor_definer;

-- Before a capture is kept: at least of the class that its session has read, unless its key may write down; what was made
-- of it is on its trace. A passage takes its document's class.
CREATE FUNCTION candor_keep_up() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    asked smallint := NEW.classification;
    mark smallint;
    may boolean;
    names text[] := ARRAY['public', 'internal', 'restricted', 'confidential'];
BEGIN
    IF NEW.tenant_id IS DISTINCT FROM nullif(current_setting('candor.tenant', true), '')::uuid THEN
        RETURN NEW; -- the tenant's wall refuses it
    END IF;
    IF NEW.document_id IS NOT NULL THEN
        SELECT greatest(asked, d.classification) INTO NEW.classification FROM document d
        WHERE d.tenant_id = NEW.tenant_id AND d.id = NEW.document_id;
        NEW.classification := coalesce(NEW.classification, asked);
        RETURN NEW;
    END IF;
    mark := candor_mark(NEW.tenant_id, coalesce(NEW.agent_id, NEW.api_key_id), NEW.session);
    IF mark > asked THEN
        may := candor_may_write_down(NEW.tenant_id, NEW.api_key_id);
        IF NOT may THEN
            NEW.classification := mark;
        END IF;
        -- What was written down is read below: it is not told there how high the session has read.
        NEW.trace := NEW.trace || CASE WHEN may
            THEN jsonb_build_object('step', 'class', 'verdict', 'declassified', 'asked', names[asked + 1],
                                    'reason', 'the session was shown more; the key may write down')
            ELSE jsonb_build_object('step', 'class', 'verdict', 'raised', 'asked', names[asked + 1],
                                    'read', names[mark + 1],
                                    'reason', 'the session was shown what is of this class') END;
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER capture_keep_up BEFORE INSERT ON capture FOR EACH ROW EXECUTE FUNCTION candor_keep_up();
