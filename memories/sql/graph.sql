-- What lies around a memory. Every statement says the tenant itself, beside row security.

-- find_around --
-- The %(most)s memories that are linked with one of %(nodes)s most heavily and are none of them themselves, heaviest
-- first; with each the weight. Only what the viewer may see is stepped on, and it is told apart before anything is
-- counted off: a row that is hidden takes no other's place.
SELECT e.id, max(e.weight) AS weight
FROM (SELECT l.target_id AS id, l.weight FROM link l
      WHERE l.tenant_id = %(tenant)s AND l.source_id = ANY (%(nodes)s::uuid[])
      UNION ALL
      SELECT l.source_id, l.weight FROM link l
      WHERE l.tenant_id = %(tenant)s AND l.target_id = ANY (%(nodes)s::uuid[])) e
JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = e.id
WHERE e.id <> ALL (%(nodes)s::uuid[])
  AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL,
        %(my_projects)s::uuid[], %(sees_unfiled)s, %(me)s::uuid, %(my_domains)s::text[], %(sees_every_owner)s,
        %(my_person)s, %(sees_every_person)s, %(at)s)
GROUP BY e.id
ORDER BY max(e.weight) DESC, e.id DESC
LIMIT %(most)s;
