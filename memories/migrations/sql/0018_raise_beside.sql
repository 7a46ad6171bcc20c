-- Let all that stands beside these memories follow their class: what stood beside a memory before (…_v1), what they were
-- made of or what said them again, the document they are a passage of, and the names that nobody else speaks of below.
-- Called by name by the functions of 0004, whose lock on the tenant's store is held from …_v1 on.
ALTER FUNCTION candor_raise_beside(uuid, uuid[]) RENAME TO candor_raise_beside_v1;

CREATE FUNCTION candor_raise_beside(tenant uuid, raised uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF cardinality(raised) = 0 THEN
        RETURN;
    END IF;
    PERFORM candor_raise_beside_v1(tenant, raised);
    -- A capture holds the words of the memories that it made, was joined with, or said again.
    UPDATE capture c SET classification = t.class
    FROM (SELECT s.id, max(m.classification) AS class
          FROM (SELECT o.capture_id AS id, o.id AS memory FROM memory o
                WHERE o.tenant_id = tenant AND o.id = ANY (raised)
                UNION
                SELECT k.id, e.id::uuid FROM capture k, jsonb_array_elements_text(k.memory_ids) AS e (id)
                WHERE k.tenant_id = tenant AND k.memory_ids ?| raised::text[] AND e.id = ANY (raised::text[])) s
          JOIN memory m ON m.tenant_id = tenant AND m.id = s.memory
          GROUP BY s.id) t
    WHERE c.tenant_id = tenant AND c.id = t.id AND c.classification < t.class;
    -- A document's title and summary speak of all its passages.
    UPDATE document d SET classification = t.class
    FROM (SELECT m.document_id AS id, max(m.classification) AS class FROM memory m
          WHERE m.tenant_id = tenant AND m.id = ANY (raised) AND m.document_id IS NOT NULL
          GROUP BY m.document_id) t
    WHERE d.tenant_id = tenant AND d.id = t.id AND d.classification < t.class;
    PERFORM candor_raise_names(tenant, raised);
END $$;
REVOKE ALL ON FUNCTION candor_raise_beside(uuid, uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_raise_beside(uuid, uuid[]) TO candor_definer;

-- Let the entities that only raised memories speak of rise to the lowest class that still speaks of them; where that class
-- knows the name already, what was known of both is known of that one. Aliases rise with their entity.
CREATE FUNCTION candor_raise_names(tenant uuid, raised uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    one record;
    twin uuid;
BEGIN
    IF NOT EXISTS (SELECT FROM mention n WHERE n.tenant_id = tenant AND n.memory_id = ANY (raised)) THEN
        RETURN;
    END IF;
    -- Who names are is held by this lock (namespace ENTITIES of memories/locks.py), after store's.
    PERFORM pg_advisory_xact_lock(3, t.lock_number) FROM tenant t WHERE t.id = tenant;
    FOR one IN
        SELECT e.id, e.key, min(n.classification) AS class
        FROM entity e JOIN mention n ON n.tenant_id = tenant AND n.entity_id = e.id
        WHERE e.tenant_id = tenant
          AND e.id IN (SELECT s.entity_id FROM mention s WHERE s.tenant_id = tenant AND s.memory_id = ANY (raised))
        GROUP BY e.tenant_id, e.id, e.key, e.classification
        HAVING min(n.classification) > e.classification
        ORDER BY e.id
    LOOP
        SELECT e.id INTO twin FROM entity e
        WHERE e.tenant_id = tenant AND e.key = one.key AND e.classification = one.class;
        IF FOUND THEN
            DELETE FROM mention n USING mention k
            WHERE n.tenant_id = tenant AND n.entity_id = one.id
              AND k.tenant_id = tenant AND k.entity_id = twin AND k.memory_id = n.memory_id;
            UPDATE mention n SET entity_id = twin WHERE n.tenant_id = tenant AND n.entity_id = one.id;
            DELETE FROM triple t USING triple k
            WHERE t.tenant_id = tenant AND t.subject_id = one.id AND k.tenant_id = tenant AND k.subject_id = twin
              AND k.memory_id = t.memory_id AND k.predicate = t.predicate AND k.object_text = t.object_text;
            UPDATE triple t SET subject_id = twin WHERE t.tenant_id = tenant AND t.subject_id = one.id;
            UPDATE triple t SET object_id = twin WHERE t.tenant_id = tenant AND t.object_id = one.id;
            UPDATE entity_alias a SET entity_id = twin WHERE a.tenant_id = tenant AND a.entity_id = one.id;
            DELETE FROM entity e WHERE e.tenant_id = tenant AND e.id = one.id;
        ELSE
            twin := one.id;
            UPDATE entity e SET classification = one.class WHERE e.tenant_id = tenant AND e.id = one.id;
        END IF;
        DELETE FROM entity_alias a USING entity_alias k
        WHERE a.tenant_id = tenant AND a.entity_id = twin AND a.classification < one.class
          AND k.tenant_id = tenant AND k.key = a.key AND k.id <> a.id AND k.classification > a.classification
          AND k.classification <= one.class AND (k.classification = one.class OR k.entity_id = twin);
        UPDATE entity_alias a SET classification = one.class
        WHERE a.tenant_id = tenant AND a.entity_id = twin AND a.classification < one.class;
        UPDATE entity e
        SET salience = (SELECT count(*) / (count(*) + 4.0) FROM mention n
                        WHERE n.tenant_id = tenant AND n.entity_id = twin AND n.classification = one.class)
        WHERE e.tenant_id = tenant AND e.id = twin;
    END LOOP;
END $$;
REVOKE ALL ON FUNCTION candor_raise_names(uuid, uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_raise_names(uuid, uuid[]) TO candor_definer;
