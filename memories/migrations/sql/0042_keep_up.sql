-- Before a capture is kept: at least of the class that its session has read and that it cites, unless its key may write
-- down; what was made of it is on its trace. A passage takes its document's class.
CREATE OR REPLACE FUNCTION candor_keep_up() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    asked smallint := NEW.classification;
    mark smallint;
    cited smallint;
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
    mark := candor_session_read(NEW.tenant_id, coalesce(NEW.agent_id, NEW.api_key_id), NEW.session, NEW.person);
    cited := candor_cited_class(NEW.tenant_id, NEW.agent_id, NEW.api_key_id, NEW.project_id, NEW.person, NEW."references");
    IF greatest(mark, cited) > asked THEN
        may := candor_may_write_down(NEW.tenant_id, NEW.api_key_id);
        IF NOT may THEN
            NEW.classification := greatest(mark, cited);
        END IF;
        -- What was written down is read below: it is not told there how high the session has read.
        NEW.trace := NEW.trace || CASE WHEN may
            THEN jsonb_build_object('step', 'class', 'verdict', 'declassified', 'asked', names[asked + 1],
                                    'reason', 'the session was shown more; the key may write down')
            ELSE jsonb_build_object('step', 'class', 'verdict', 'raised', 'asked', names[asked + 1],
                                    'read', names[greatest(mark, cited) + 1],
                                    'reason', CASE WHEN cited > mark THEN 'it cites what is of this class'
                                                   WHEN NEW.session = '' THEN 'it names no session, and one was shown what is of this class'
                                                   ELSE 'the session was shown what is of this class' END) END;
    END IF;
    RETURN NEW;
END $$;
