-- What the leak checker reads of memories that an answer shows (SPEC S-06). It shares nothing with the statements of recall:
-- no condition of theirs, not `candor_visible_v3`, no tenant in its words. It is run as the pipeline, at full clearance.

-- read_judged --
-- The rows of these ids as they stand. No tenant is asked for: row security keeps to the tenant in force, and should that
-- wall be open, the row's own tenant tells it.
SELECT m.id, m.tenant_id AS tenant, m.classification, m.standing, m.archived_at, m.card, m.kind, m.project_id, m.agent_id, m.shared,
       m.domain, m.person, m.valid_from, m.valid_until, m.effective_at, m.created_at, m.tags || m.manual_tags AS tags,
       (SELECT n.effective_at FROM memory n WHERE n.id = m.superseded_by_id) AS ended_at,
       EXISTS (SELECT FROM contradiction c WHERE c.older_id = m.id AND c.resolved_at IS NULL) AS disputed,
       EXISTS (SELECT FROM capture c WHERE c.id = m.capture_id AND c.state = 'quarantined') AS quarantined
FROM memory m
WHERE m.id = ANY (%(ids)s::uuid[]);

-- read_sources --
-- Of each of these ids the row and all that it rests on, over any depth, as rules of classification are held to them.
WITH RECURSIVE above (shown, id) AS (
    SELECT s.id, s.id FROM unnest(%(ids)s::uuid[]) AS s (id)
    UNION
    SELECT a.shown, l.parent_id FROM above a JOIN lineage l ON l.child_id = a.id
)
SELECT a.shown, m.classification, m.content, m.kind, m.project_id, m.agent_id, m.domain, m.tags || m.manual_tags AS tags
FROM above a JOIN memory m ON m.id = a.id;

-- read_erased --
-- Which of these ids belonged to memories that a person had forgotten.
SELECT DISTINCT e.memory_id AS id FROM erasure e WHERE e.memory_id = ANY (%(ids)s::uuid[]);

-- find_hidden --
-- A memory of the tenant for each way of being hidden from an asker, as far as there is one.
(SELECT 'above_ceiling' AS sort, m.id FROM memory m
 WHERE m.tenant_id = %(tenant)s AND m.classification > %(clearance)s ORDER BY m.id LIMIT 1)
UNION ALL
(SELECT 'superseded', m.id FROM memory m WHERE m.tenant_id = %(tenant)s AND m.standing = 2 AND m.card <> 'state' ORDER BY m.id LIMIT 1)
UNION ALL
(SELECT 'archived', m.id FROM memory m WHERE m.tenant_id = %(tenant)s AND m.archived_at IS NOT NULL ORDER BY m.id LIMIT 1)
UNION ALL
(SELECT 'expired', m.id FROM memory m WHERE m.tenant_id = %(tenant)s AND m.valid_until <= %(since)s ORDER BY m.id LIMIT 1)
UNION ALL
(SELECT 'others_private', m.id FROM memory m
 WHERE m.tenant_id = %(tenant)s AND m.agent_id <> %(agent)s::uuid AND NOT m.shared AND NOT %(all_owners)s ORDER BY m.id LIMIT 1)
UNION ALL
(SELECT 'other_project', m.id FROM memory m
 WHERE m.tenant_id = %(tenant)s AND m.project_id IS NOT NULL AND m.project_id <> ALL (%(projects)s::uuid[]) ORDER BY m.id LIMIT 1)
UNION ALL
(SELECT 'other_person', m.id FROM memory m
 WHERE m.tenant_id = %(tenant)s AND m.person <> '' AND m.person <> %(person)s ORDER BY m.id LIMIT 1);
