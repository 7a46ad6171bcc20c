-- Let all that stands beside these memories follow their class, and the collection's sizes with it. Runs inside
-- the definer's functions only. `usage` still has the former class. Takes store's lock, under which sizes move.
CREATE FUNCTION candor_raise_beside(tenant uuid, raised uuid[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF cardinality(raised) = 0 THEN
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(2, t.lock_number) FROM tenant t WHERE t.id = tenant;
    WITH searched AS (
        SELECT p.memory_id, max(p.length) AS length, bool_or(p.live) AS live FROM posting p
        WHERE p.tenant_id = tenant AND p.memory_id = ANY (raised) GROUP BY p.memory_id
    ), moved AS (
        SELECT u.classification AS former, m.classification AS class, m.standing,
               coalesce(s.length, 0) AS length, coalesce(s.live, m.standing = 0) AS live
        FROM memory m
        JOIN usage u ON u.tenant_id = tenant AND u.memory_id = m.id
        LEFT JOIN searched s ON s.memory_id = m.id
        WHERE m.tenant_id = tenant AND m.id = ANY (raised) AND u.classification < m.classification
    ), steps AS (
        SELECT former AS class, -1 AS documents, -length AS length FROM moved WHERE live
        UNION ALL
        SELECT class, 1, length FROM moved WHERE live AND standing = 0
    )
    INSERT INTO collection_stat AS c (tenant_id, classification, documents, total_length, version)
    SELECT tenant, class, sum(documents), sum(length), 1 FROM steps GROUP BY class
    ON CONFLICT (tenant_id, classification) DO UPDATE
    SET documents = c.documents + excluded.documents, total_length = c.total_length + excluded.total_length,
        version = c.version + 1;

    UPDATE posting p SET classification = greatest(p.classification, m.classification),
                         live = p.live AND m.standing = 0
    FROM memory m WHERE m.tenant_id = tenant AND m.id = ANY (raised)
      AND p.tenant_id = tenant AND p.memory_id = m.id;
    UPDATE embedding e SET classification = m.classification
    FROM memory m WHERE m.tenant_id = tenant AND m.id = ANY (raised)
      AND e.tenant_id = tenant AND e.memory_id = m.id AND e.classification < m.classification;
    UPDATE usage u SET classification = m.classification
    FROM memory m WHERE m.tenant_id = tenant AND m.id = ANY (raised)
      AND u.tenant_id = tenant AND u.memory_id = m.id AND u.classification < m.classification;
    UPDATE memory_version v SET classification = m.classification
    FROM memory m WHERE m.tenant_id = tenant AND m.id = ANY (raised)
      AND v.tenant_id = tenant AND v.memory_id = m.id AND v.classification < m.classification;
    UPDATE mention n SET classification = m.classification
    FROM memory m WHERE m.tenant_id = tenant AND m.id = ANY (raised)
      AND n.tenant_id = tenant AND n.memory_id = m.id AND n.classification < m.classification;
    UPDATE triple t SET classification = m.classification
    FROM memory m WHERE m.tenant_id = tenant AND m.id = ANY (raised)
      AND t.tenant_id = tenant AND t.memory_id = m.id AND t.classification < m.classification;
    UPDATE summary s SET classification = m.classification
    FROM memory m WHERE m.tenant_id = tenant AND m.id = ANY (raised)
      AND s.tenant_id = tenant AND s.memory_id = m.id AND s.classification < m.classification;
    UPDATE link l SET classification = greatest(l.classification, m.class)
    FROM (SELECT l2.id, max(e.classification) AS class FROM link l2
          JOIN memory e ON e.tenant_id = tenant AND e.id IN (l2.source_id, l2.target_id)
          WHERE l2.tenant_id = tenant AND (l2.source_id = ANY (raised) OR l2.target_id = ANY (raised))
          GROUP BY l2.id) m
    WHERE l.tenant_id = tenant AND l.id = m.id AND l.classification < m.class;
    UPDATE contradiction c SET classification = m.class
    FROM (SELECT c2.id, max(e.classification) AS class FROM contradiction c2
          JOIN memory e ON e.tenant_id = tenant AND e.id IN (c2.older_id, c2.newer_id)
          WHERE c2.tenant_id = tenant AND (c2.older_id = ANY (raised) OR c2.newer_id = ANY (raised))
          GROUP BY c2.id) m
    WHERE c.tenant_id = tenant AND c.id = m.id AND c.classification < m.class;
    UPDATE lineage l SET classification = m.class
    FROM (SELECT l2.child_id, l2.parent_id, max(e.classification) AS class FROM lineage l2
          JOIN memory e ON e.tenant_id = tenant AND e.id IN (l2.child_id, l2.parent_id)
          WHERE l2.tenant_id = tenant AND (l2.child_id = ANY (raised) OR l2.parent_id = ANY (raised))
          GROUP BY l2.child_id, l2.parent_id) m
    WHERE l.tenant_id = tenant AND l.child_id = m.child_id AND l.parent_id = m.parent_id
      AND l.classification < m.class;
END $$;
REVOKE ALL ON FUNCTION candor_raise_beside(uuid, uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_raise_beside(uuid, uuid[]) TO candor_definer;
