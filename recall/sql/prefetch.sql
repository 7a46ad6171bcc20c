-- What is likely asked next (SPEC R-15).

-- find_next --
-- The %(most)s questions that most often came right after the one of recall %(recall)s, in other sessions of the same
-- agent, project and person, among the tenant's %(events)s latest recalls.
WITH latest AS (
    SELECT e.id, e.at, e.session, e.query, e.agent_id, e.project_id, e.person
    FROM recall_event e
    WHERE e.tenant_id = %(tenant)s
    ORDER BY e.at DESC
    LIMIT %(events)s
), asked AS (
    SELECT query, session, agent_id, project_id, person FROM recall_event WHERE tenant_id = %(tenant)s AND id = %(recall)s
), stepped AS (
    SELECT l.query, l.session, lead(l.query) OVER (PARTITION BY l.session ORDER BY l.at, l.id) AS next
    FROM latest l, asked a
    WHERE l.session <> '' AND l.agent_id IS NOT DISTINCT FROM a.agent_id
      AND l.project_id IS NOT DISTINCT FROM a.project_id AND l.person = a.person
)
SELECT s.next AS query
FROM stepped s, asked a
WHERE s.query = a.query AND s.session <> a.session AND s.next <> a.query
GROUP BY s.next
ORDER BY count(*) DESC, s.next
LIMIT %(most)s;
