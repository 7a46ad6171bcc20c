-- Contradictions that the night may settle by itself (SPEC H-02, E-04).

-- find_settleable --
-- Open questions whose two memories are live and differ in trust by %(gap)s or more, oldest first, %(most)s at most;
-- a guess that is trusted more than a statement waits for a person, and so does an agent's word that is trusted more
-- than a person's.
SELECT q.id
FROM contradiction q
JOIN memory o ON o.tenant_id = %(tenant)s AND o.id = q.older_id AND o.standing <> 2 AND o.archived_at IS NULL
JOIN memory n ON n.tenant_id = %(tenant)s AND n.id = q.newer_id AND n.standing <> 2 AND n.archived_at IS NULL
WHERE q.tenant_id = %(tenant)s AND q.resolved_at IS NULL
  AND abs(round((n.trust - o.trust)::numeric, 6)) >= %(gap)s::numeric
  AND NOT (CASE WHEN n.trust > o.trust THEN n.provenance ELSE o.provenance END
               IN ('user_relayed', 'agent_chat', 'extracted', 'agent_inferred')
           AND CASE WHEN n.trust > o.trust THEN o.provenance ELSE n.provenance END
               IN ('user_stated', 'user_correction'))
  AND NOT (n.provenance = 'agent_inferred' AND o.provenance <> 'agent_inferred' AND n.trust > o.trust)
ORDER BY q.opened_at, q.id
LIMIT %(most)s;

-- count_waiting --
-- Questions that wait for a person.
SELECT count(*) AS waiting FROM contradiction q WHERE q.tenant_id = %(tenant)s AND q.resolved_at IS NULL;
