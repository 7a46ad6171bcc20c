-- Where a tenant's vectors are kept, and moving them (SPEC M-14). Every statement says the tenant itself.

-- add_home --
-- A home, unless the tenant has it.
INSERT INTO vector_home (id, tenant_id, space, shelf, dimensions, state, filled, created_at)
VALUES (%(id)s, %(tenant)s, %(space)s, %(shelf)s, %(dimensions)s, %(state)s, 0, %(now)s)
ON CONFLICT DO NOTHING;

-- set_state --
-- Let a home be active, building or kept. One that is to be filled is begun with anew.
UPDATE vector_home
SET state = %(state)s,
    filled_to = CASE WHEN %(state)s = 'building' THEN NULL ELSE filled_to END,
    filled = CASE WHEN %(state)s = 'building' THEN 0 ELSE filled END,
    lease_token = NULL, leased_until = NULL
WHERE tenant_id = %(tenant)s AND space = %(space)s AND shelf = %(shelf)s;

-- drop_home --
-- Forget a home; its vectors are deleted before.
DELETE FROM vector_home WHERE tenant_id = %(tenant)s AND space = %(space)s AND shelf = %(shelf)s;

-- lease_home --
-- Take the home that is being filled, or keep it, for %(seconds)s; no row when another holds it.
UPDATE vector_home
SET lease_token = %(token)s, leased_until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE tenant_id = %(tenant)s AND state = 'building'
  AND (lease_token = %(token)s OR leased_until IS NULL OR leased_until < clock_timestamp())
RETURNING space, shelf, dimensions, filled_to, filled;

-- end_lease --
-- Let another one fill.
UPDATE vector_home SET lease_token = NULL, leased_until = NULL
WHERE tenant_id = %(tenant)s AND lease_token = %(token)s;

-- note_filled --
-- How far filling has come.
UPDATE vector_home SET filled_to = %(filled_to)s, filled = filled + %(written)s
WHERE tenant_id = %(tenant)s AND lease_token = %(token)s
RETURNING id;

-- find_lacking --
-- The next %(most)s memories after %(after)s that have a vector in the active home and none in the other one, by id.
SELECT a.memory_id
FROM embedding a
WHERE a.tenant_id = %(tenant)s AND a.space = %(active_space)s AND a.shelf = %(active_shelf)s
  AND (%(after)s::uuid IS NULL OR a.memory_id > %(after)s::uuid)
  AND NOT EXISTS (SELECT FROM embedding b
                  WHERE b.tenant_id = %(tenant)s AND b.space = %(space)s AND b.shelf = %(shelf)s
                    AND b.memory_id = a.memory_id)
ORDER BY a.memory_id
LIMIT %(most)s;

-- count_lacking --
-- How many memories have a vector in the active home and none in the other one, and how many it has.
SELECT count(*) AS vectors,
       count(*) FILTER (WHERE NOT EXISTS (
           SELECT FROM embedding b
           WHERE b.tenant_id = %(tenant)s AND b.space = %(space)s AND b.shelf = %(shelf)s
             AND b.memory_id = a.memory_id)) AS lacking
FROM embedding a
WHERE a.tenant_id = %(tenant)s AND a.space = %(active_space)s AND a.shelf = %(active_shelf)s;

-- count_vectors --
-- How many memories have a vector in this home.
SELECT count(*) AS vectors FROM embedding
WHERE tenant_id = %(tenant)s AND space = %(space)s AND shelf = %(shelf)s;

-- copy_vectors --
-- Copy these memories' vectors from the active home to another one of the same space. The rows are held, so that
-- nobody raises a class in between; what store wrote there meanwhile is newer and stays.
WITH held AS MATERIALIZED (
    SELECT m.id, m.classification FROM memory m
    WHERE m.tenant_id = %(tenant)s AND m.id = ANY (%(memories)s::uuid[])
    ORDER BY m.id FOR SHARE
), added AS (
    INSERT INTO embedding (tenant_id, space, memory_id, shelf, classification, vector)
    SELECT %(tenant)s, a.space, a.memory_id, %(shelf)s, h.classification, a.vector
    FROM held h
    JOIN embedding a ON a.tenant_id = %(tenant)s AND a.space = %(space)s AND a.shelf = %(active_shelf)s
                    AND a.memory_id = h.id
    ON CONFLICT DO NOTHING
    RETURNING memory_id
) SELECT count(*) AS written FROM added;

-- read_texts --
-- What stands in these memories, as far as it is embedded.
SELECT m.id, m.version, m.content, m.kind, m.speaker, m.effective_at,
       coalesce(m.metadata ->> 'timezone', 'UTC') AS zone,
       CASE WHEN m.document_id IS NOT NULL AND m.kind = 'passage' THEN coalesce(m.metadata ->> 'title', '') ELSE '' END AS title
FROM memory m
WHERE m.tenant_id = %(tenant)s AND m.id = ANY (%(memories)s::uuid[])
ORDER BY m.id;

-- add_vectors --
-- Vectors made of these memories' texts. The rows are held, so that nobody raises a class or changes the text in
-- between: one whose text is another by now is left out and is found again; what store wrote meanwhile stays.
WITH held AS MATERIALIZED (
    SELECT m.id, m.classification, m.version FROM memory m
    WHERE m.tenant_id = %(tenant)s AND m.id = ANY (%(memories)s::uuid[])
    ORDER BY m.id FOR SHARE
), added AS (
    INSERT INTO embedding (tenant_id, space, memory_id, shelf, classification, vector)
    SELECT %(tenant)s, %(space)s, h.id, %(shelf)s, h.classification, v.vector::halfvec
    FROM held h
    JOIN unnest(%(memories)s::uuid[], %(versions)s::integer[], %(vectors)s::text[]) AS v (id, version, vector)
      ON v.id = h.id AND v.version = h.version
    ON CONFLICT DO NOTHING
    RETURNING memory_id
) SELECT count(*) AS written FROM added;

-- delete_vectors --
-- Delete at most %(most)s vectors of a home that is none any more; answers how many there were.
WITH gone AS (
    DELETE FROM embedding
    WHERE tenant_id = %(tenant)s AND space = %(space)s AND shelf = %(shelf)s
      AND memory_id IN (SELECT memory_id FROM embedding
                        WHERE tenant_id = %(tenant)s AND space = %(space)s AND shelf = %(shelf)s
                        ORDER BY memory_id LIMIT %(most)s)
    RETURNING memory_id
) SELECT count(*) AS gone FROM gone;

-- count_memories --
-- How many live memories the tenant has.
SELECT coalesce(sum(documents), 0) AS documents FROM collection_stat WHERE tenant_id = %(tenant)s;

-- count_terms --
-- Count anew, for each class, the live memories that have each term that %(least)s or more of them have.
UPDATE collection_stat s
SET frequent = coalesce(f.terms, '{}'), frequent_of = s.documents
FROM collection_stat o
LEFT JOIN (
    SELECT c.classification, jsonb_object_agg(c.term, c.documents) AS terms
    FROM (SELECT p.classification, p.term, count(*) AS documents
          FROM posting p
          WHERE p.tenant_id = %(tenant)s AND p.live
          GROUP BY p.classification, p.term
          HAVING count(*) >= %(least)s) c
    GROUP BY c.classification
) f ON f.classification = o.classification
WHERE o.tenant_id = %(tenant)s AND s.tenant_id = %(tenant)s AND s.classification = o.classification
RETURNING s.classification;

-- find_miscounted --
-- The classes whose number of memories moved by more than a tenth since their terms were counted.
SELECT s.classification FROM collection_stat s
WHERE s.tenant_id = %(tenant)s AND abs(s.documents - s.frequent_of) > 0.1 * s.frequent_of;
