-- What failed before, near to what is asked (SPEC R-09). {seen} is the condition of queries.sql.

-- find_failed --
-- The failed approaches (kind `negative`) that the viewer may see and that lie nearest to %(vector)s, at most %(most)s,
-- with their cosine in [-1, 1]. Exact over all of them: a tenant has few.
SELECT m.id, m.content, m.classification, e.cosine
FROM memory m
CROSS JOIN LATERAL (
    SELECT -(e.vector <#> %(vector)s::halfvec) AS cosine
    FROM embedding e
    WHERE e.tenant_id = %(tenant)s AND e.space = %(space)s AND e.shelf = %(shelf)s AND e.memory_id = m.id
    OFFSET 0
) e
WHERE m.tenant_id = %(tenant)s AND m.kind = 'negative' AND {seen}
ORDER BY e.cosine DESC, m.id DESC
LIMIT %(most)s
