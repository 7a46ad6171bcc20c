-- What a conversation asked before, and was shown (SPEC R-18).

-- find_conversation --
-- The %(most)s questions before one, the latest first, that one with its first %(places)s results as far as this viewer
-- may see them still. Where %(follows)s names none, the latest of the session since %(since)s is meant. They are the asker's
-- own: of the same agent, or of the same key where there is none, for the same person and in the same project.
WITH RECURSIVE own AS NOT MATERIALIZED (
    SELECT e.id, e.at, e.query, e.session, (e.asked ->> 'follows')::uuid AS follows
    FROM recall_event e
    WHERE e.tenant_id = %(tenant)s AND e.agent_id IS NOT DISTINCT FROM %(me)s::uuid AND e.person = %(my_person)s
      AND (e.agent_id IS NOT NULL OR e.api_key_id IS NOT DISTINCT FROM %(key)s::uuid)
      AND e.project_id IS NOT DISTINCT FROM %(project)s::uuid
), before AS (
    (SELECT o.*, 1 AS back FROM own o
     WHERE CASE WHEN %(follows)s::uuid IS NULL THEN o.session = %(session)s AND o.session <> '' AND o.at >= %(since)s
                ELSE o.id = %(follows)s::uuid END
     ORDER BY o.at DESC, o.id DESC LIMIT 1)
    UNION ALL
    SELECT former.*, b.back + 1
    FROM before b CROSS JOIN LATERAL (
        SELECT o.* FROM own o
        WHERE CASE WHEN b.follows IS NULL
                   THEN o.session = b.session AND b.session <> '' AND (o.at, o.id) < (b.at, b.id) AND o.at >= %(since)s
                   ELSE o.id = b.follows END
        ORDER BY o.at DESC, o.id DESC LIMIT 1) former
    WHERE b.back < %(most)s
)
SELECT b.id, b.query, b.back, r.place, m.id AS memory_id, m.content, m.effective_at,
       array_remove(m.entities || m.entity_key || nullif(m.speaker, ''), NULL) AS names,
       EXISTS (SELECT 1 FROM memory o WHERE o.tenant_id = %(tenant)s AND o.superseded_by_id = m.id) AS took_over
FROM before b
LEFT JOIN (recalled_memory r JOIN memory m ON m.tenant_id = r.tenant_id AND m.id = r.memory_id
               AND m.archived_at IS NULL
               AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL,
                          %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid, %(my_domains)s::text[],
                          %(sees_every_owner)s::boolean, %(my_person)s::text, %(sees_every_person)s::boolean, %(at)s::timestamptz))
    ON b.back = 1 AND r.tenant_id = %(tenant)s AND r.recall_id = b.id AND r.place <= %(places)s AND NOT (r.factors ? 'beside')
ORDER BY b.back, r.place;

-- find_names --
-- Those of %(keys)s that name something of which this viewer may see a memory, and whether it is a person.
SELECT k.key, bool_or(n.type = 'person' OR lower(m.speaker) = k.key) AS is_person
FROM unnest(%(keys)s::text[]) AS k (key)
JOIN LATERAL (
    SELECT a.entity_id FROM entity_alias a WHERE a.tenant_id = %(tenant)s AND a.key = k.key
    UNION SELECT e.id FROM entity e WHERE e.tenant_id = %(tenant)s AND e.key = k.key
) named ON true
JOIN LATERAL (
    SELECT n.memory_id, n.type FROM mention n WHERE n.tenant_id = %(tenant)s AND n.entity_id = named.entity_id
    ORDER BY n.memory_id DESC LIMIT %(most)s
) n ON true
JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = n.memory_id AND m.archived_at IS NULL
 AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL,
            %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid, %(my_domains)s::text[],
            %(sees_every_owner)s::boolean, %(my_person)s::text, %(sees_every_person)s::boolean, %(at)s::timestamptz)
GROUP BY k.key;
