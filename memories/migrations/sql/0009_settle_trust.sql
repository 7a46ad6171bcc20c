-- Make the trust of these memories, and of all that rests on them, what it is by what stands beside them (SPEC
-- M-08, E-07, E-08). A closed form, so that to run it twice, or late, changes nothing more:
--   origin    confidence × weight of the provenance, a guess at most 0.40; of knowledge made of other memories the
--             lesser of the two, for its sources have paid for their origins already
--   said      1 − (1 − origin) · Π (1 − b) over the corroborations b, at most 0.95, never below the origin
--   held      said × what is left of it by its watermark
--   trust     the least of this and of what it rests on
-- The one way by which a memory's trust may rise again, and never above what its own origin and independent others
-- give it. Rows of the tenant in force only. A guess stays one, whoever repeats it.
CREATE FUNCTION candor_settle_trust(memories uuid[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    frontier uuid[] := memories;
    changed uuid[];
BEGIN
    WHILE cardinality(frontier) > 0 LOOP
        PERFORM FROM memory m WHERE m.tenant_id = tenant AND m.id = ANY (frontier) ORDER BY m.id FOR NO KEY UPDATE;
        WITH own AS (
            SELECT m.id, m.provenance, m.trust AS former, m.corroborated AS former_voices,
                   CASE WHEN s.trust IS NOT NULL AND m.card = 'knowledge' AND m.provenance <> 'agent_inferred'
                        THEN least(m.confidence, candor_weight(m.provenance))
                        ELSE least(round((m.confidence * candor_weight(m.provenance))::numeric, 6)::float8,
                                   CASE WHEN m.provenance = 'agent_inferred' THEN 0.4 ELSE 1.0 END) END AS origin,
                   coalesce(w.factor, 1.0) AS factor, s.trust AS sources,
                   (SELECT exp(sum(ln(greatest(1.0 - c.trust, 1e-9)))) FROM corroboration c
                    WHERE c.tenant_id = tenant AND c.memory_id = m.id) AS doubt,
                   (SELECT count(*) FROM corroboration c
                    WHERE c.tenant_id = tenant AND c.memory_id = m.id) AS voices
            FROM memory m
            LEFT JOIN watermark w ON w.tenant_id = tenant AND w.memory_id = m.id
            CROSS JOIN LATERAL (
                SELECT min(p.trust) AS trust
                FROM lineage l JOIN memory p ON p.tenant_id = tenant AND p.id = l.parent_id
                WHERE l.tenant_id = tenant AND l.child_id = m.id) s
            WHERE m.tenant_id = tenant AND m.id = ANY (frontier)
        ), settled AS (
            SELECT id, former, former_voices, voices,
                   round(least(factor * CASE WHEN doubt IS NULL OR provenance = 'agent_inferred' THEN origin
                                             ELSE greatest(origin, least(0.95, 1.0 - (1.0 - origin) * doubt)) END,
                               coalesce(sources, 1.0))::numeric, 6)::float8 AS trust
            FROM own
        ), moved AS (
            UPDATE memory m SET trust = s.trust, corroborated = s.voices
            FROM settled s
            WHERE m.tenant_id = tenant AND m.id = s.id AND (s.trust <> s.former OR s.voices <> s.former_voices)
            RETURNING m.id
        )
        SELECT coalesce(array_agg(DISTINCT l.child_id), '{}') INTO changed
        FROM moved JOIN lineage l ON l.tenant_id = tenant AND l.parent_id = moved.id;
        frontier := changed;
    END LOOP;
END $$;
