-- What may be reasoned with, and what was concluded of it (SPEC E-10).

-- find_premises --
-- What somebody states and that holds: current, asserted, neither archived nor an agent's guess, no echo (SPEC W-17), no
-- passage, no lesson, no task, and nothing that was derived itself.
SELECT m.id, m.content, m.version, m.classification, m.project_id, m.agent_id, m.shared, m.domain, m.person, m.valid_from,
       m.valid_until, m.created_at,
       CASE WHEN jsonb_typeof(m.metadata -> 'novelty') = 'number' THEN (m.metadata ->> 'novelty')::float8 ELSE 0 END AS novelty
FROM memory m
WHERE m.tenant_id = %(tenant)s AND m.standing = 0 AND m.archived_at IS NULL AND m.mode = 'assertion'
  AND m.provenance <> 'agent_inferred' AND m.kind NOT IN ('passage', 'meta', 'task', 'pattern', 'example', 'preference')
  AND length(m.content) <= %(longest)s AND m.metadata -> 'echo' IS DISTINCT FROM 'true'
  AND (m.valid_until IS NULL OR m.valid_until > %(now)s)
  AND NOT EXISTS (SELECT FROM lineage l WHERE l.tenant_id = %(tenant)s AND l.child_id = m.id)
ORDER BY m.id;

-- find_conclusions --
-- What was concluded: by its key, and whether it stands, or was taken away by somebody rather than fell.
SELECT m.id, m.metadata -> 'conclusion' ->> 'key' AS key, m.metadata -> 'conclusion' ->> 'by' AS made_by,
       m.standing = 0 AND m.archived_at IS NULL AS stands, m.metadata -> 'conclusion' ? 'fell' AS fell
FROM memory m
WHERE m.tenant_id = %(tenant)s AND m.metadata -> 'conclusion' ? 'key'
ORDER BY m.id;

-- find_fallen --
-- Live conclusions one of whose premises does not hold any more, or does not at this moment.
SELECT c.id
FROM memory c
WHERE c.tenant_id = %(tenant)s AND c.metadata -> 'conclusion' ? 'key' AND c.standing = 0 AND c.archived_at IS NULL
  AND EXISTS (SELECT FROM lineage l JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = l.parent_id
              WHERE l.tenant_id = %(tenant)s AND l.child_id = c.id
                AND (m.standing <> 0 OR m.archived_at IS NOT NULL OR m.mode <> 'assertion' OR m.valid_until <= %(now)s))
ORDER BY c.id;

-- find_subjects --
-- The entities of which most that is new was said since the last such night, most surprising first (SPEC W-10): with each
-- the memories that a model may be told of, newest first, all of one audience.
WITH spoken AS (
    SELECT n.entity_id, m.id, m.created_at, coalesce((m.metadata ->> 'novelty')::float8, 0) AS novelty, m.agent_id,
           m.project_id, m.shared, m.domain, m.person, m.classification
    FROM mention n JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = n.memory_id
    WHERE n.tenant_id = %(tenant)s AND m.id = ANY (%(premises)s::uuid[])
), told AS (
    SELECT s.entity_id, s.agent_id, s.project_id, s.shared, s.domain, s.person, s.classification,
           array_agg(s.id ORDER BY s.created_at DESC, s.id) AS memories, max(s.novelty) AS novelty,
           count(*) FILTER (WHERE s.created_at > %(since)s) AS fresh
    FROM spoken s
    GROUP BY 1, 2, 3, 4, 5, 6, 7
    HAVING count(*) >= %(fewest)s AND count(*) FILTER (WHERE s.created_at > %(since)s) > 0
)
SELECT t.entity_id, t.memories[1:%(most)s] AS memories
FROM told t
ORDER BY t.novelty > %(surprising)s DESC, t.fresh DESC, t.entity_id, t.classification, t.agent_id, t.project_id
LIMIT %(entities)s;

-- find_last_night --
-- When memory was last reasoned with to the end.
SELECT max(s.started_at) AS at FROM sleep_step s
WHERE s.tenant_id = %(tenant)s AND s.name = 'reasoning' AND s.state = 'done';
