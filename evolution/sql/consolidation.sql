-- Findings that may become patterns, and the patterns there are (SPEC E-03).

-- find_findings --
-- The tenant's live findings, and those that a live pattern of their own audience stands for, oldest first. Of one finding
-- in four wordings one is read as such: so what no reader could name, and what is dated by its telling alone, may be one,
-- which is for the caller to tell. States, tasks, decisions and dated happenings are something else.
-- Left out is what is asked, supposed or reported, what says again what was recalled (SPEC W-17), what is archived, not
-- valid yet, what was concluded from others (SPEC E-10), or valid only for a time (a pattern would outlive it), what rests on a class of its own below its pattern's,
-- and what a person has taken out of a pattern: it is not put into one again.
-- Who reads it, and trust: of what a pattern stands for, the pattern's. A person may have shared that further, or less far,
-- than its findings were: what joins it is told to its readers, and to no others.
-- owner: whose finding it is as long as that tells who reads it; of a shared one whose owner reads the domain anyway,
-- nobody's.
SELECT m.id, m.kind, m.content, m.classification, r.project_id, r.shared, r.domain, m.person, m.agent_id, m.layer, m.session,
       m.document_id, m.voice, m.speaker, m.provenance, m.keywords, p.id AS pattern_id, coalesce(p.trust, m.trust) AS trust,
       CASE WHEN r.shared AND (r.domain IN ('', '*') OR r.domain = ANY (a.domains)) THEN NULL ELSE r.agent_id END
           AS owner, r.agent_id IS NOT NULL AS is_owned
FROM memory m
LEFT JOIN LATERAL (
    SELECT p.id, p.trust
    FROM lineage l
    JOIN consolidation c ON c.tenant_id = %(tenant)s AND c.pattern_id = l.child_id AND c.undone_at IS NULL
    JOIN memory p ON p.tenant_id = %(tenant)s AND p.id = c.pattern_id AND p.standing = 0 AND p.archived_at IS NULL
        AND p.classification = m.classification
    WHERE l.tenant_id = %(tenant)s AND l.parent_id = m.id
    ORDER BY c.made_at, p.id
    LIMIT 1
) p ON true
JOIN memory r ON r.tenant_id = %(tenant)s AND r.id = coalesce(p.id, m.id)
LEFT JOIN agent a ON a.tenant_id = %(tenant)s AND a.id = r.agent_id
WHERE m.tenant_id = %(tenant)s AND (m.kind IN ('finding', 'statement', 'pattern', 'negative', 'estimate') OR m.kind = 'episode' AND NOT m.occurred_resolved)
  AND m.mode = 'assertion'
  AND m.archived_at IS NULL AND m.metadata -> 'echo' IS DISTINCT FROM 'true' AND (m.metadata -> 'conclusion' ? 'key') IS NOT TRUE
  AND (m.standing = 0 OR (m.standing = 2 AND m.superseded_by_id = p.id))
  AND (m.valid_from IS NULL OR m.valid_from <= %(now)s) AND m.valid_until IS NULL
  AND NOT EXISTS (SELECT FROM lineage l
                  JOIN consolidation u ON u.tenant_id = %(tenant)s AND u.pattern_id = l.child_id
                  WHERE l.tenant_id = %(tenant)s AND l.parent_id = m.id AND u.undone_at IS NOT NULL)
  AND NOT EXISTS (SELECT FROM consolidation made WHERE made.tenant_id = %(tenant)s AND made.pattern_id = m.id)
ORDER BY m.created_at, m.id;

-- find_vectors --
-- The vectors of these memories where they are read, in pgvector's binary form.
SELECT e.memory_id, halfvec_send(e.vector) AS vector
FROM embedding e
WHERE e.tenant_id = %(tenant)s AND e.space = %(space)s AND e.shelf = %(shelf)s AND e.memory_id = ANY (%(memories)s::uuid[]);

-- find_outdated --
-- Live patterns that cite what does not hold any more: it was superseded by something else, archived, or runs out.
SELECT p.id
FROM consolidation c
JOIN memory p ON p.tenant_id = %(tenant)s AND p.id = c.pattern_id AND p.standing = 0 AND p.archived_at IS NULL
WHERE c.tenant_id = %(tenant)s AND c.undone_at IS NULL AND EXISTS (
    SELECT FROM lineage l JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = l.parent_id
    WHERE l.tenant_id = %(tenant)s AND l.child_id = p.id
      AND (m.archived_at IS NOT NULL OR m.valid_until IS NOT NULL OR m.standing = 1
           OR (m.standing = 2 AND m.superseded_by_id IS DISTINCT FROM p.id))
      AND c.cites @> jsonb_build_array(jsonb_build_array(m.id::text)))
ORDER BY c.made_at, p.id;

-- find_roots --
-- Of findings that rest on other memories, what they rest on in the end: who repeats brings no origin of their own.
WITH RECURSIVE above (id, parent_id) AS (
    SELECT l.child_id, l.parent_id
    FROM lineage l JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = l.child_id
        AND m.kind IN ('finding', 'statement', 'pattern', 'negative', 'estimate', 'episode')
    WHERE l.tenant_id = %(tenant)s
    UNION
    SELECT a.id, l.parent_id FROM above a JOIN lineage l ON l.tenant_id = %(tenant)s AND l.child_id = a.parent_id
)
SELECT a.id, r.agent_id, r.session, r.document_id, r.voice, r.provenance
FROM above a JOIN memory r ON r.tenant_id = %(tenant)s AND r.id = a.parent_id
WHERE NOT EXISTS (SELECT FROM lineage l WHERE l.tenant_id = %(tenant)s AND l.child_id = a.parent_id)
ORDER BY a.id, r.id;

-- find_names --
-- Other names of entities, each with the canonical one and the class from which both are known, lowest class first.
SELECT a.key AS alias, e.key AS name, greatest(a.classification, e.classification) AS classification
FROM entity_alias a JOIN entity e ON e.tenant_id = %(tenant)s AND e.id = a.entity_id
WHERE a.tenant_id = %(tenant)s
ORDER BY 3, a.key, e.key;
