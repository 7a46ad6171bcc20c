-- Erase memories with every row that refers to one of them, whatever its table: found in the catalogue, so that a table
-- of tomorrow is not left out (one without a grant stops the act). Of the tenant in force, and only what has its receipt
-- in `erasure`: the service cannot delete a memory in any other way. Answers with the rows that went, by table.
-- What others were superseded by is not known any more; they stay superseded. Names and entities that nothing else
-- mentions go, too; manual names stay with their entity.
CREATE FUNCTION candor_erase_memories(memories uuid[]) RETURNS TABLE (relation text, gone bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    spoken uuid[];
    lonely uuid[];
    part record;
BEGIN
    IF EXISTS (SELECT FROM unnest(memories) AS m (id)
               WHERE NOT EXISTS (SELECT FROM erasure e WHERE e.tenant_id = tenant AND e.memory_id = m.id)) THEN
        RAISE EXCEPTION 'nothing is erased without a receipt' USING ERRCODE = 'insufficient_privilege';
    END IF;

    UPDATE collection_stat c
    SET documents = c.documents - g.documents, total_length = c.total_length - g.length, version = c.version + 1
    FROM (SELECT l.classification, count(*) AS documents, sum(l.length) AS length
          FROM (SELECT m.classification,
                       coalesce((SELECT max(p.length) FROM posting p
                                 WHERE p.tenant_id = tenant AND p.memory_id = m.id), 1) AS length
                FROM memory m
                WHERE m.tenant_id = tenant AND m.id = ANY (memories) AND m.standing = 0 AND m.archived_at IS NULL) l
          GROUP BY l.classification) g
    WHERE c.tenant_id = tenant AND c.classification = g.classification;

    SELECT coalesce(array_agg(DISTINCT s.id), '{}') INTO spoken
    FROM (SELECT n.entity_id AS id FROM mention n WHERE n.tenant_id = tenant AND n.memory_id = ANY (memories)
          UNION SELECT t.subject_id FROM triple t WHERE t.tenant_id = tenant AND t.memory_id = ANY (memories)
          UNION SELECT t.object_id FROM triple t
          WHERE t.tenant_id = tenant AND t.memory_id = ANY (memories) AND t.object_id IS NOT NULL) s;

    FOR part IN
        SELECT r.relname AS name, string_agg(format('%I = ANY ($2)', a.attname), ' OR ' ORDER BY a.attname) AS refers
        FROM pg_constraint k
        JOIN pg_class r ON r.oid = k.conrelid
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey) AND a.attname <> 'tenant_id'
        WHERE k.contype = 'f' AND k.confrelid = 'public.memory'::regclass AND k.conparentid = 0
          AND k.conrelid <> k.confrelid
        GROUP BY r.relname
        ORDER BY r.relname
    LOOP
        EXECUTE format('DELETE FROM public.%I WHERE tenant_id = $1 AND (%s)', part.name, part.refers)
        USING tenant, memories;
        GET DIAGNOSTICS gone = ROW_COUNT;
        relation := part.name;
        RETURN NEXT;
    END LOOP;

    UPDATE memory m SET superseded_by_id = NULL
    WHERE m.tenant_id = tenant AND m.superseded_by_id = ANY (memories) AND m.id <> ALL (memories);
    DELETE FROM memory m WHERE m.tenant_id = tenant AND m.id = ANY (memories);
    GET DIAGNOSTICS gone = ROW_COUNT;
    relation := 'memory';
    RETURN NEXT;

    SELECT coalesce(array_agg(s.id), '{}') INTO lonely
    FROM unnest(spoken) AS s (id)
    WHERE NOT EXISTS (SELECT FROM mention n WHERE n.tenant_id = tenant AND n.entity_id = s.id)
      AND NOT EXISTS (SELECT FROM triple t WHERE t.tenant_id = tenant AND s.id IN (t.subject_id, t.object_id));
    DELETE FROM entity_alias a
    WHERE a.tenant_id = tenant AND a.entity_id = ANY (spoken)
      AND (a.entity_id = ANY (lonely)
           OR (a.origin <> 'manual'
               AND NOT EXISTS (SELECT FROM mention n
                               WHERE n.tenant_id = tenant AND n.entity_id = a.entity_id AND a.key = ANY (n.keys))));
    GET DIAGNOSTICS gone = ROW_COUNT;
    relation := 'entity_alias';
    RETURN NEXT;
    DELETE FROM entity e WHERE e.tenant_id = tenant AND e.id = ANY (lonely);
    GET DIAGNOSTICS gone = ROW_COUNT;
    relation := 'entity';
    RETURN NEXT;
    UPDATE entity e
    SET salience = (SELECT count(*) / (count(*) + 4.0) FROM mention n
                    WHERE n.tenant_id = tenant AND n.entity_id = e.id AND n.classification = e.classification)
    WHERE e.tenant_id = tenant AND e.id = ANY (spoken);
END $$;
