-- What is wrong with a memory as a whole, in four levels (SPEC E-11). Each finding has a moment and an id that it is
-- listed by, a memory, and what it is about; a viewer is told of what both ends of it they may see. {seen} is what a
-- viewer may see of memory m, {other} of memory o.

-- visible --
candor_visible_v3({m}.project_id, {m}.agent_id, {m}.shared, {m}.domain, {m}.person, NULL, NULL,
    %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid, %(my_domains)s::text[], %(sees_every_owner)s::boolean,
    %(my_person)s::text, %(sees_every_person)s::boolean, %(at)s::timestamptz)

-- dangling --
-- Links of what holds to what holds no more and that nothing took the place of: archived, or superseded by nothing.
SELECT l.created_at AS at, l.id, l.source_id AS memory_id, l.target_id AS other_id, l.type AS what, l.origin = 'manual' AS manual,
       greatest(l.classification, m.classification, o.classification) AS classification
FROM link l
JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = l.source_id AND m.standing = 0 AND m.archived_at IS NULL
JOIN memory o ON o.tenant_id = %(tenant)s AND o.id = l.target_id
 AND (o.archived_at IS NOT NULL OR (o.standing = 2 AND o.superseded_by_id IS NULL))
WHERE l.tenant_id = %(tenant)s
  AND l.type IN ('because', 'evidence', 'references', 'affects_state', 'part_of', 'parent_of', 'related_to', 'similar_to')
  AND {seen} AND {other}

-- orphans --
-- Memories that nothing leads to: %(orphan_days)s days old, with no link and no entity, never recalled, and pinned by nobody.
SELECT m.created_at AS at, m.id, m.id AS memory_id, NULL::uuid AS other_id, m.kind AS what, false AS manual, m.classification
FROM memory m JOIN usage u ON u.memory_id = m.id
WHERE m.tenant_id = %(tenant)s AND m.standing = 0 AND m.archived_at IS NULL
  AND m.created_at <= %(now)s::timestamptz - make_interval(days => %(orphan_days)s)
  AND u.recalled = 0 AND NOT u.pinned
  AND NOT EXISTS (SELECT FROM link l WHERE l.tenant_id = %(tenant)s AND l.source_id = m.id)
  AND NOT EXISTS (SELECT FROM link l WHERE l.tenant_id = %(tenant)s AND l.target_id = m.id)
  AND NOT EXISTS (SELECT FROM mention n WHERE n.tenant_id = %(tenant)s AND n.memory_id = m.id)
  AND {seen}

-- stale --
-- Knowledge that is still told, recalled within %(recalled_days)s days, and that nothing has confirmed for %(stale_days)s; what
-- waits to be verified already is left out.
SELECT m.last_verified_at AS at, m.id, m.id AS memory_id, NULL::uuid AS other_id, m.kind AS what, false AS manual, m.classification
FROM memory m JOIN usage u ON u.memory_id = m.id
WHERE m.tenant_id = %(tenant)s AND m.card = 'knowledge' AND m.standing = 0 AND m.archived_at IS NULL
  AND m.last_verified_at <= %(now)s::timestamptz - make_interval(days => %(stale_days)s)
  AND u.last_recalled_at >= %(now)s::timestamptz - make_interval(days => %(recalled_days)s)
  AND NOT EXISTS (SELECT FROM verification v WHERE v.tenant_id = %(tenant)s AND v.memory_id = m.id AND v.resolved_at IS NULL)
  AND {seen}

-- contradictions --
-- Questions that have been open for %(open_days)s days, between two that both hold.
SELECT c.opened_at AS at, c.id, c.newer_id AS memory_id, c.older_id AS other_id, c.reason AS what, false AS manual,
       greatest(c.classification, m.classification, o.classification) AS classification
FROM contradiction c
JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = c.newer_id AND m.standing <> 2 AND m.archived_at IS NULL
JOIN memory o ON o.tenant_id = %(tenant)s AND o.id = c.older_id AND o.standing <> 2 AND o.archived_at IS NULL
WHERE c.tenant_id = %(tenant)s AND c.resolved_at IS NULL
  AND c.opened_at <= %(now)s::timestamptz - make_interval(days => %(open_days)s)
  AND {seen} AND {other}

-- page --
-- A page of one level's findings, the latest first.
SELECT f.* FROM ({findings}) f
WHERE %(after)s::timestamptz IS NULL OR (f.at, f.id) < (%(after)s::timestamptz, %(after_id)s::uuid)
ORDER BY f.at DESC, f.id DESC
LIMIT %(most)s

-- size --
SELECT count(*) AS size FROM ({findings}) f
