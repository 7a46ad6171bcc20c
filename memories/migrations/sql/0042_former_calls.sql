-- For the code of before, which names no person and cites nothing: the same, held to all persons of the session.
CREATE OR REPLACE FUNCTION candor_written_class(agent uuid, key uuid, named text, asked smallint) RETURNS smallint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    mark smallint := candor_session_read(tenant, coalesce(agent, key), named, '');
BEGIN
    IF mark <= asked OR candor_may_write_down(tenant, key) THEN
        RETURN asked;
    END IF;
    RETURN mark;
END $$;

CREATE OR REPLACE FUNCTION candor_mark_read(agent uuid, key uuid, named text, class smallint) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT candor_note_mark(nullif(current_setting('candor.tenant', true), '')::uuid, coalesce($1, $2), $3, '', $4,
                            'read', now())
$$;

-- After memories were shown: how high their session has read, for whom.
CREATE OR REPLACE FUNCTION candor_mark_session() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM candor_note_mark(t.tenant_id, t.holder, t.session, t.person, t.class, 'recall', t.at)
    FROM (SELECT e.tenant_id, coalesce(e.agent_id, e.api_key_id) AS holder, e.session, e.person, max(e.at) AS at,
                 n.classification AS class
          FROM told n JOIN recall_event e ON e.tenant_id = n.tenant_id AND e.id = n.recall_id
          WHERE e.session <> '' AND n.classification > 0
          GROUP BY e.tenant_id, coalesce(e.agent_id, e.api_key_id), e.session, e.person, n.classification) t;
    RETURN NULL;
END $$;

-- After a memory rose in class, by whoever: the sessions that it was shown in, and that are not over, have read as high.
CREATE OR REPLACE FUNCTION candor_mark_raised() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM candor_note_mark(t.tenant_id, t.holder, t.session, t.person, NEW.classification, 'recall', t.at)
    FROM (SELECT e.tenant_id, coalesce(e.agent_id, e.api_key_id) AS holder, e.session, e.person, max(e.at) AS at
          FROM recalled_memory r JOIN recall_event e ON e.tenant_id = r.tenant_id AND e.id = r.recall_id
          WHERE r.tenant_id = NEW.tenant_id AND r.memory_id = NEW.id AND e.session <> ''
          GROUP BY e.tenant_id, coalesce(e.agent_id, e.api_key_id), e.session, e.person
          ORDER BY 2, 3, 4) t
    WHERE candor_mark_ends_at(t.at) > now();
    RETURN NULL;
END $$;
