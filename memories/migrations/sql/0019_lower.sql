-- Let a memory come down to a class with what search and the graph hold of it; everything else of it keeps its class:
-- former texts, summaries, captures, what rests on it. Whom it names is to be read anew from its text, so that names are
-- known below from there. A value beside which another is current in that class is a contender.
-- Runs inside candor_ask_downgrade and candor_decide_downgrade only, under the lock on the tenant's store.
CREATE FUNCTION candor_lower(tenant uuid, lowered uuid, wanted smallint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    m memory;
    now_standing smallint;
    size integer;
    was_live boolean;
BEGIN
    SELECT * INTO m FROM memory r WHERE r.tenant_id = tenant AND r.id = lowered;
    SELECT coalesce(max(p.length), 0), coalesce(bool_or(p.live), m.standing = 0 AND m.archived_at IS NULL)
    INTO size, was_live
    FROM posting p WHERE p.tenant_id = tenant AND p.memory_id = lowered;
    BEGIN
        UPDATE memory r SET classification = wanted WHERE r.tenant_id = tenant AND r.id = lowered
        RETURNING r.standing INTO now_standing;
    EXCEPTION WHEN unique_violation THEN
        UPDATE memory r SET classification = wanted, standing = 1 WHERE r.tenant_id = tenant AND r.id = lowered
        RETURNING r.standing INTO now_standing;
    END;
    INSERT INTO collection_stat AS c (tenant_id, classification, documents, total_length, version)
    SELECT tenant, s.class, s.documents, s.length, 1
    FROM (VALUES (m.classification, -1, -size), (wanted, 1, size)) AS s (class, documents, length)
    WHERE was_live AND (s.documents < 0 OR now_standing = 0)
    ON CONFLICT (tenant_id, classification) DO UPDATE
    SET documents = c.documents + excluded.documents, total_length = c.total_length + excluded.total_length,
        version = c.version + 1;
    UPDATE posting p SET classification = wanted, live = p.live AND now_standing = 0
    WHERE p.tenant_id = tenant AND p.memory_id = lowered;
    UPDATE embedding e SET classification = wanted WHERE e.tenant_id = tenant AND e.memory_id = lowered;
    UPDATE usage u SET classification = wanted WHERE u.tenant_id = tenant AND u.memory_id = lowered;
    DELETE FROM triple t WHERE t.tenant_id = tenant AND t.memory_id = lowered;
    WITH gone AS (
        DELETE FROM mention n WHERE n.tenant_id = tenant AND n.memory_id = lowered
        RETURNING n.entity_id, n.classification
    )
    UPDATE entity e
    SET salience = (SELECT count(*) / (count(*) + 4.0) FROM mention n
                    WHERE n.tenant_id = tenant AND n.entity_id = e.id AND n.memory_id <> lowered
                      AND n.classification = e.classification)
    FROM gone g WHERE e.tenant_id = tenant AND e.id = g.entity_id;
    -- What joins two memories says no more than they do, and is of the higher class of both.
    UPDATE link l SET classification = greatest(wanted, o.classification)
    FROM memory o
    WHERE l.tenant_id = tenant AND lowered IN (l.source_id, l.target_id)
      AND o.tenant_id = tenant AND o.id = CASE WHEN l.source_id = lowered THEN l.target_id ELSE l.source_id END;
    UPDATE contradiction c SET classification = greatest(wanted, o.classification)
    FROM memory o
    WHERE c.tenant_id = tenant AND lowered IN (c.older_id, c.newer_id)
      AND o.tenant_id = tenant AND o.id = CASE WHEN c.older_id = lowered THEN c.newer_id ELSE c.older_id END;
    UPDATE lineage l SET classification = greatest(wanted, o.classification)
    FROM memory o
    WHERE l.tenant_id = tenant AND lowered IN (l.child_id, l.parent_id)
      AND o.tenant_id = tenant AND o.id = CASE WHEN l.child_id = lowered THEN l.parent_id ELSE l.child_id END;
END $$;
REVOKE ALL ON FUNCTION candor_lower(uuid, uuid, smallint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_lower(uuid, uuid, smallint) TO candor_definer;

-- A key of the person in force that may lower what is of this class in this project; NULL if none may. A person is known
-- by the account that their keys speak for, «person:user:<id>», else by the key itself, «person:<id of the key>».
CREATE FUNCTION candor_lowering_key(tenant uuid, class smallint, project uuid) RETURNS uuid
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT k.id FROM api_key k
    WHERE k.tenant_id = tenant
      AND 'person:' || coalesce('user:' || k.user_id, k.id::text) = current_setting('candor.actor', true)
      AND k.agent_id IS NULL AND 'declassify' = ANY (k.scopes) AND k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > now()) AND k.ceiling >= class
      AND (k.project_id IS NULL OR project IS NULL OR k.project_id = project)
    ORDER BY k.id
    LIMIT 1
$$;
REVOKE ALL ON FUNCTION candor_lowering_key(uuid, smallint, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_lowering_key(uuid, smallint, uuid) TO candor_definer;

-- Whether two keys speak for one account, or whoever has one of them made the other, at whatever remove: who makes a key has
-- seen it. Then they are no two persons' keys.
CREATE FUNCTION candor_one_made_the_other(tenant uuid, one uuid, other uuid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    WITH RECURSIVE known AS (
        SELECT k.id, 'person:' || coalesce('user:' || k.user_id, k.id::text) AS actor, k.created_by,
               k.id IN (one, other) OR (k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())) AS live
        FROM api_key k WHERE k.tenant_id = tenant
    ), two AS (
        SELECT DISTINCT k.actor FROM known k WHERE k.id IN (one, other)
    ), made (begin, actor, made_by) AS (
        SELECT k.actor, k.actor, k.created_by FROM known k JOIN two t ON t.actor = k.actor WHERE k.live
        UNION
        SELECT m.begin, k.actor, k.created_by FROM made m JOIN known k ON k.actor = m.made_by
    )
    SELECT count(*) < 2 OR EXISTS (SELECT FROM made m JOIN two t ON t.actor = m.actor AND t.actor <> m.begin) FROM two
$$;
REVOKE ALL ON FUNCTION candor_one_made_the_other(uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_one_made_the_other(uuid, uuid, uuid) TO candor_definer;

-- Why a memory cannot come down to a class as it stands; NULL: it can.
CREATE FUNCTION candor_not_lowered(m memory, wanted smallint, text_hash text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE
        WHEN encode(sha256(convert_to(m.content, 'UTF8')), 'hex') IS DISTINCT FROM text_hash THEN 'changed'
        WHEN wanted IS NULL OR wanted < 0 OR wanted >= m.classification THEN 'not_lower'
        WHEN wanted < (SELECT max(p.classification) FROM lineage l
                       JOIN memory p ON p.tenant_id = m.tenant_id AND p.id = l.parent_id
                       WHERE l.tenant_id = m.tenant_id AND l.child_id = m.id) THEN 'below_sources'
    END
$$;
REVOKE ALL ON FUNCTION candor_not_lowered(memory, smallint, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_not_lowered(memory, smallint, text) TO candor_definer;
