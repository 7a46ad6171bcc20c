-- Two embedding spaces on the tenant's own questions (SPEC M-14).

-- find_judged --
-- The latest %(most)s questions of which somebody found a memory helpful or used it, with these memories.
SELECT e.query, array_agg(DISTINCT f.memory_id) AS memories
FROM feedback f
JOIN recall_event e ON e.tenant_id = %(tenant)s AND e.id = f.recall_id
JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = f.memory_id AND m.standing = 0
WHERE f.tenant_id = %(tenant)s AND f.stands AND f.outcome IN ('helpful', 'used') AND e.query <> ''
GROUP BY e.query
ORDER BY max(e.at) DESC
LIMIT %(most)s;

-- find_shown --
-- The latest %(most)s questions with the memories that were shown first, %(depth)s at most.
SELECT e.query, array_agg(DISTINCT s.memory_id) AS memories
FROM recall_event e
JOIN recalled_memory s ON s.tenant_id = %(tenant)s AND s.recall_id = e.id AND s.place <= %(depth)s
JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = s.memory_id AND m.standing = 0
WHERE e.tenant_id = %(tenant)s AND e.query <> ''
GROUP BY e.query
ORDER BY max(e.at) DESC
LIMIT %(most)s;

-- find_nearest --
-- The %(depth)s live memories nearest to a vector in one home, exactly.
SELECT e.memory_id
FROM embedding e
JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = e.memory_id AND m.standing = 0 AND m.archived_at IS NULL
WHERE e.tenant_id = %(tenant)s AND e.space = %(space)s AND e.shelf = %(shelf)s
ORDER BY -(e.vector <#> %(vector)s::halfvec) DESC
LIMIT %(depth)s;
