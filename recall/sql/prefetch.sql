-- What is likely asked next (SPEC R-15).

-- find_steps --
-- What recall %(recall)s asked, and each question of other sessions of the same agent, project and person with the one
-- that came right after it, the latest %(most)s among the tenant's %(events)s latest recalls.
WITH latest AS (
    SELECT e.id, e.at, e.session, e.query, e.agent_id, e.project_id, e.person
    FROM recall_event e
    WHERE e.tenant_id = %(tenant)s
    ORDER BY e.at DESC
    LIMIT %(events)s
), asked AS (
    SELECT query, session, agent_id, project_id, person FROM recall_event WHERE tenant_id = %(tenant)s AND id = %(recall)s
), stepped AS (
    SELECT l.at, l.query, l.session, lead(l.query) OVER (PARTITION BY l.session ORDER BY l.at, l.id) AS next
    FROM latest l, asked a
    WHERE l.session <> '' AND l.agent_id IS NOT DISTINCT FROM a.agent_id
      AND l.project_id IS NOT DISTINCT FROM a.project_id AND l.person = a.person
)
SELECT a.query AS asked, s.query, s.next
FROM stepped s, asked a
WHERE s.session <> a.session AND s.next <> s.query
ORDER BY s.at DESC
LIMIT %(most)s;
