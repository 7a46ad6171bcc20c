-- What was shown to whom: read by the write track's echo rule (SPEC W-17).

-- find_shown_sessions --
-- Those of these memories that were shown to the agent (NULL: to who asks without one), with the sessions.
SELECT DISTINCT s.memory_id, e.session
FROM recalled_memory s
JOIN recall_event e ON e.tenant_id = %(tenant)s AND e.id = s.recall_id
WHERE s.tenant_id = %(tenant)s AND s.memory_id = ANY (%(memories)s::uuid[])
  AND e.agent_id IS NOT DISTINCT FROM %(agent)s::uuid;

-- find_shown_texts --
-- The texts of class %(rank)s or below that were shown to the agent in a session, latest first, among the tenant's %(events)s latest recalls:
-- a session's recalls are found by their time, the one index that events have. Of each whether it is an agent's guess.
SELECT m.content AS text, m.provenance = 'agent_inferred' AS guessed
FROM (SELECT id, at, session, agent_id FROM recall_event
      WHERE tenant_id = %(tenant)s ORDER BY at DESC LIMIT %(events)s::bigint) e
JOIN recalled_memory s ON s.tenant_id = %(tenant)s AND s.recall_id = e.id
JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = s.memory_id
WHERE e.session = %(session)s::text AND e.agent_id IS NOT DISTINCT FROM %(agent)s::uuid
  AND m.classification <= %(rank)s::smallint
ORDER BY e.at DESC, s.place
LIMIT %(most)s::bigint;
