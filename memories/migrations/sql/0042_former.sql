-- The functions as they were before this migration.
CREATE OR REPLACE FUNCTION candor_keep_up() RETURNS trigger
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
    mark := candor_mark_v2(NEW.tenant_id, coalesce(NEW.agent_id, NEW.api_key_id), NEW.session, NEW.api_key_id);
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
-- The class of what is written directly, without a capture, by this agent or key: the one asked for, or what was read.
CREATE OR REPLACE FUNCTION candor_written_class(agent uuid, key uuid, named text, asked smallint) RETURNS smallint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    mark smallint := candor_mark_v2(tenant, coalesce(agent, key), named, key);
BEGIN
    IF mark <= asked OR candor_may_write_down(tenant, key) THEN
        RETURN asked;
    END IF;
    RETURN mark;
END $$;
-- What was shown by a read: how high its session has read, and when. One look-up as a rule: a mark is noted again when it
-- rises, or when what lies above internal was read after more than ten minutes.
CREATE OR REPLACE FUNCTION candor_mark_read(agent uuid, key uuid, named text, class smallint) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO session_mark AS s (tenant_id, id, holder, session, at, classification)
    SELECT t.id, gen_random_uuid(), t.holder, candor_mark_read.named, now(), candor_mark_read.class
    FROM (SELECT nullif(current_setting('candor.tenant', true), '')::uuid AS id,
                 coalesce(candor_mark_read.agent, candor_mark_read.key) AS holder) t
    WHERE t.id IS NOT NULL AND t.holder IS NOT NULL AND candor_mark_read.class BETWEEN 1 AND 3
      AND NOT EXISTS (SELECT FROM session_mark k
                      WHERE k.tenant_id = t.id AND k.holder = t.holder AND k.session = candor_mark_read.named
                        AND k.classification >= candor_mark_read.class
                        AND (k.at > now() - interval '10 minutes'
                             OR candor_mark_read.class < least(k.classification, 2)))
    ON CONFLICT (tenant_id, holder, session) DO UPDATE
    SET classification = greatest(s.classification, excluded.classification), at = greatest(s.at, excluded.at)
$$;
-- After memories were shown: how high their session has read. One look-up as a rule: a mark is noted
-- again when it rises, or when what lies above internal was shown after more than ten minutes.
CREATE OR REPLACE FUNCTION candor_mark_session() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO session_mark AS s (tenant_id, id, holder, session, at, classification)
    SELECT t.tenant_id, gen_random_uuid(), t.holder, t.session, t.at, t.class
    FROM (SELECT e.tenant_id, coalesce(e.agent_id, e.api_key_id) AS holder, e.session, max(e.at) AS at,
                 max(n.classification) AS class
          FROM told n JOIN recall_event e ON e.tenant_id = n.tenant_id AND e.id = n.recall_id
          GROUP BY e.tenant_id, coalesce(e.agent_id, e.api_key_id), e.session) t
    WHERE t.holder IS NOT NULL AND t.class > 0
      AND NOT EXISTS (SELECT FROM session_mark k
                      WHERE k.tenant_id = t.tenant_id AND k.holder = t.holder AND k.session = t.session
                        AND k.classification >= t.class
                        AND (k.at > t.at - interval '10 minutes' OR t.class < least(k.classification, 2)))
    ON CONFLICT (tenant_id, holder, session) DO UPDATE
    SET classification = greatest(s.classification, excluded.classification), at = greatest(s.at, excluded.at);
    RETURN NULL;
END $$;
-- After a memory rose in class, by whoever: the sessions that it was shown in have read as high.
CREATE OR REPLACE FUNCTION candor_mark_raised() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO session_mark AS s (tenant_id, id, holder, session, at, classification)
    SELECT t.tenant_id, gen_random_uuid(), t.holder, t.session, t.at, NEW.classification
    FROM (SELECT e.tenant_id, coalesce(e.agent_id, e.api_key_id) AS holder, e.session, max(e.at) AS at
          FROM recalled_memory r JOIN recall_event e ON e.tenant_id = r.tenant_id AND e.id = r.recall_id
          WHERE r.tenant_id = NEW.tenant_id AND r.memory_id = NEW.id
          GROUP BY e.tenant_id, coalesce(e.agent_id, e.api_key_id), e.session) t
    WHERE t.holder IS NOT NULL
    ORDER BY t.holder, t.session
    ON CONFLICT (tenant_id, holder, session) DO UPDATE
    SET classification = excluded.classification, at = greatest(s.at, excluded.at)
    WHERE s.classification < excluded.classification;
    RETURN NULL;
END $$;

