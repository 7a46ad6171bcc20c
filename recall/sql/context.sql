-- What a prompt is told beside what the question found (SPEC C-01). {seen} is the condition of queries.sql.

-- find_beside --
-- All that the context needs to know of the memories %(found)s, and of others that it may be told without having been
-- asked for: at most %(most)s each of the newest lessons, the best examples (outcome of %(outcome)s or more) and the
-- most useful patterns that the viewer may see now, the archive left out; of patterns only those that helped somebody,
-- for what nobody has used yet is told where it is asked for. `place` counts those from 1 in their
-- section, is 0 for what was found in this session to have moved (SPEC E-07), and NULL for what was only found. A found row that was erased meanwhile is missing. An outcome that is no
-- number from 0 to 1 is none; read as numeric, for JSON has numbers that no float8 holds.
WITH lesson AS (
    SELECT m.id, row_number() OVER (ORDER BY m.effective_at DESC, m.id DESC) AS place
    FROM memory m JOIN usage u ON u.tenant_id = %(tenant)s AND u.memory_id = m.id AND u.tier <> 'archive'
    WHERE m.tenant_id = %(tenant)s AND m.kind = ANY (%(lessons)s::text[]) AND {seen}
    ORDER BY m.effective_at DESC, m.id DESC
    LIMIT %(most)s
), example AS (
    SELECT m.id, row_number() OVER (ORDER BY (m.metadata ->> 'outcome')::numeric DESC, m.effective_at DESC, m.id DESC)
                 AS place
    FROM memory m JOIN usage u ON u.tenant_id = %(tenant)s AND u.memory_id = m.id AND u.tier <> 'archive'
    WHERE m.tenant_id = %(tenant)s AND m.kind = ANY (%(examples)s::text[]) AND {seen}
      AND CASE WHEN jsonb_typeof(m.metadata -> 'outcome') = 'number'
               THEN (m.metadata ->> 'outcome')::numeric BETWEEN %(outcome)s AND 1 END
    ORDER BY place
    LIMIT %(most)s
), pattern AS (
    SELECT m.id, row_number() OVER (ORDER BY u.q_value DESC, m.effective_at DESC, m.id DESC) AS place
    FROM memory m JOIN usage u ON u.tenant_id = %(tenant)s AND u.memory_id = m.id AND u.tier <> 'archive'
    WHERE m.tenant_id = %(tenant)s AND m.kind = ANY (%(patterns)s::text[]) AND u.verified > 0 AND {seen}
    ORDER BY place
    LIMIT %(most)s
), waiting AS (
    SELECT m.id, 0::bigint AS place
    FROM verification v JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = v.memory_id
    WHERE v.tenant_id = %(tenant)s AND v.resolved_at IS NULL AND v.reason <> 'aged'
      AND v.session = %(session)s AND v.session <> '' AND {seen}
    ORDER BY v.opened_at DESC, v.id DESC
    LIMIT %(most)s
), told AS (
    SELECT id, min(place) AS place
    FROM (SELECT unnest(%(found)s::uuid[]) AS id, NULL::bigint AS place
          UNION ALL SELECT * FROM lesson UNION ALL SELECT * FROM example UNION ALL SELECT * FROM pattern
          UNION ALL SELECT * FROM waiting) every
    GROUP BY id
)
SELECT m.id, m.content, m.card, m.kind, m.trust, m.provenance, m.classification, m.occurred_at, m.effective_at,
       m.last_verified_at, m.speaker, m.entity_key, m.concept_key, m.value, m.cardinality, m.assigned_by,
       m.annotations, m.mode, coalesce(m.metadata -> 'conclusion' ? 'key', false) AS concluded,
       CASE WHEN jsonb_typeof(m.metadata -> 'outcome') = 'number'
            THEN CASE WHEN (m.metadata ->> 'outcome')::numeric BETWEEN 0 AND 1
                      THEN (m.metadata ->> 'outcome')::float8 END END AS outcome,
       u.q_value, u.verified, t.place
FROM told t
JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = t.id
JOIN usage u ON u.tenant_id = %(tenant)s AND u.memory_id = t.id
ORDER BY t.place, m.id

-- add_shown --
-- Record beside a recall what its context showed without its having been found, from place %(after)s + 1 on.
INSERT INTO recalled_memory (id, tenant_id, recall_id, memory_id, place, score, factors, classification)
SELECT s.id, %(tenant)s, %(recall)s, s.memory_id, %(after)s + s.place, 0, '{"beside": true}'::jsonb, s.classification
FROM unnest(%(ids)s::uuid[], %(memories)s::uuid[], %(classes)s::smallint[]) WITH ORDINALITY
     AS s (id, memory_id, classification, place)

-- read_doubts --
-- What is doubted of these memories (NULL: nothing), and whether they are bound to something that is watched. A
-- memory with several doubts comes several times, oldest doubt first. fell: what became of a decision's evidence.
SELECT told.id, w.memory_id IS NOT NULL AS watched, v.reason, v.what,
       CASE WHEN e.standing = 2 THEN CASE WHEN heir.provenance = 'user_correction' THEN 'corrected'
                                          ELSE 'superseded' END
            ELSE '' END AS fell
FROM unnest(%(memories)s::uuid[]) AS told (id)
LEFT JOIN watermark w ON w.tenant_id = %(tenant)s AND w.memory_id = told.id
LEFT JOIN verification v ON v.tenant_id = %(tenant)s AND v.memory_id = told.id AND v.resolved_at IS NULL
LEFT JOIN memory e ON e.tenant_id = %(tenant)s AND e.id = v.evidence_id
LEFT JOIN memory heir ON heir.tenant_id = %(tenant)s AND heir.id = e.superseded_by_id
ORDER BY v.opened_at, v.id
