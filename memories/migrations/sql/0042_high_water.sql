-- How high the sessions have read that something written belongs to. One that is named: that one, for this person and
-- where no person was named; what is written for nobody is held to all persons of its session. What names no session
-- may come of any: it is held to all of its agent (or key).
CREATE FUNCTION candor_session_read(tenant uuid, whose uuid, named text, of_person text) RETURNS smallint
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(max(s.classification), 0)::smallint FROM session_mark s
    WHERE s.tenant_id = $1 AND s.holder = $2 AND s.session <> '' AND ($3 = '' OR s.session = $3)
      AND ($4 = '' OR s.person IN ('', $4)) AND candor_mark_ends_at(s.at) > now()
$$;

-- The highest class of what something written cites by its id: a recall of its own agent (or key), with all that this
-- showed; a memory, a document or a capture that its key could be shown. An id of anything else tells nothing.
CREATE FUNCTION candor_cited_class(tenant uuid, agent uuid, key uuid, project uuid, of_person text, cites jsonb)
RETURNS smallint
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    ids uuid[];
    reach smallint;
    mine uuid[];
    everywhere boolean;
    found smallint;
BEGIN
    IF cites IS NULL OR cites = '[]' THEN
        RETURN 0;
    END IF;
    SELECT array_agg(DISTINCT m[1]::uuid) INTO ids
    FROM regexp_matches(cites::text, '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', 'g') m;
    IF ids IS NULL THEN
        RETURN 0;
    END IF;
    SELECT least(k.ceiling, coalesce(a.ceiling, 3)), k.projects || k.project_id || a.project_id || candor_cited_class.project,
           k.agent_id IS NULL AND k.project_id IS NULL
    INTO reach, mine, everywhere
    FROM api_key k LEFT JOIN agent a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
    WHERE k.tenant_id = candor_cited_class.tenant AND k.id = candor_cited_class.key;
    SELECT max(c.class) INTO found FROM (
        SELECT r.classification AS class
        FROM recall_event e JOIN recalled_memory r ON r.tenant_id = e.tenant_id AND r.recall_id = e.id
        WHERE e.tenant_id = candor_cited_class.tenant AND e.id = ANY (ids)
          AND coalesce(e.agent_id, e.api_key_id) = coalesce(candor_cited_class.agent, candor_cited_class.key)
        UNION ALL
        SELECT t.class FROM (
            SELECT m.classification AS class, m.project_id, m.agent_id, m.shared, m.person
            FROM memory m WHERE m.tenant_id = candor_cited_class.tenant AND m.id = ANY (ids)
            UNION ALL
            SELECT d.classification, d.project_id, d.agent_id, d.shared, d.person
            FROM document d WHERE d.tenant_id = candor_cited_class.tenant AND d.id = ANY (ids)
            UNION ALL
            SELECT c.classification, c.project_id, c.agent_id, false, c.person
            FROM capture c WHERE c.tenant_id = candor_cited_class.tenant AND c.id = ANY (ids)
        ) t
        WHERE t.class <= reach AND (everywhere OR t.project_id IS NULL OR t.project_id = ANY (mine))
          AND (candor_cited_class.agent IS NULL OR t.agent_id IS NULL OR t.agent_id = candor_cited_class.agent OR t.shared)
          AND t.person IN ('', of_person)
    ) c;
    RETURN coalesce(found, 0);
END $$;
REVOKE ALL ON FUNCTION candor_session_read(uuid, uuid, text, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION candor_cited_class(uuid, uuid, uuid, uuid, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_session_read(uuid, uuid, text, text) TO candor_definer;
GRANT EXECUTE ON FUNCTION candor_cited_class(uuid, uuid, uuid, uuid, text, jsonb) TO candor_definer;
