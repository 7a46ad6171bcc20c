-- begin_recall --
-- The tenant's recall policy; sets the transaction's deadline in milliseconds on the way.
SELECT t.recall_policy, set_config('statement_timeout', %(deadline)s, true)
FROM tenant t WHERE t.id = %(tenant)s

-- seen --
-- What a viewer may see now: live, in scope, in validity (SPEC T-07, R-07), as a condition on memory m.
m.standing = 0
  AND m.archived_at IS NULL
  AND (%(kinds)s::text[] IS NULL OR m.kind = ANY (%(kinds)s::text[]))
  AND candor_visible(m.project_id, m.agent_id, m.shared, m.domain, m.valid_from, m.valid_until,
                     %(my_projects)s::uuid[], %(me)s::uuid, %(my_domains)s::text[],
                     %(sees_every_owner)s::boolean, %(at)s::timestamptz)

-- visible --
-- Ids of the memories that this viewer may see now: live, in scope, in validity (SPEC T-07, R-07). The
-- tenant's wall and the clearance are row security's. Reads the key's index alone.
SELECT m.id
FROM memory m
WHERE m.tenant_id = %(tenant)s AND {seen}

-- having_tags --
-- Appended to `visible` when the question asks for tags: the memory carries each of %(tags)s.
  AND NOT EXISTS (
      SELECT FROM unnest(%(tags)s::text[]) AS wanted (term)
      WHERE NOT EXISTS (SELECT FROM posting p WHERE p.tenant_id = %(tenant)s AND p.term = wanted.term
                        AND p.memory_id = m.id AND p.live))

-- semantic --
-- The visible memories nearest to %(vector)s, at most %(semantic_depth)s. Score: cosine in [-1, 1], both
-- vectors being of length 1. Exact; reads the key's index of the vectors alone. «IS TRUE» keeps
-- the subquery from becoming a join: it is hashed and looked up, whatever the planner believes of its size. Of a
-- tenant that is not in the statistics yet it believes one row, and joined by nested loops for seconds.
semantic AS (
    SELECT e.memory_id, -(e.vector <#> %(vector)s::halfvec) AS score
    FROM embedding e
    WHERE e.tenant_id = %(tenant)s AND e.space = %(space)s AND e.shelf = %(shelf)s
      AND (e.memory_id IN (SELECT v.id FROM visible v)) IS TRUE
    ORDER BY e.vector <#> %(vector)s::halfvec
    LIMIT %(semantic_depth)s
)

-- lexical --
-- The visible memories that best match %(terms)s by BM25 (Robertson and Zaragoza 2009; k1 = 1.2, b = 0.75),
-- at most %(lexical_depth)s. Score: BM25 as a share of the idf of all terms asked, so that it says the same in every
-- pool: about 1 when a row of ordinary length has each term once. Document frequencies are counted over what this
-- viewer sees, so that hidden rows move no visible score; and rounded, since floats add up otherwise in another plan. Terms in more than a fifth of 1 000 or more memories are dropped while others remain.
hits AS MATERIALIZED (
    SELECT p.term, p.memory_id, p.frequency::float8 AS frequency, p.length::float8 AS length
    FROM posting p
    WHERE p.tenant_id = %(tenant)s AND p.term = ANY (%(terms)s::text[]) AND p.live
      AND (p.memory_id IN (SELECT v.id FROM visible v)) IS TRUE
), frequent AS (
    SELECT h.term, count(*)::float8 AS df, s.documents,
           count(*) > 0.2 * greatest(s.documents, 1000) AS common
    FROM hits h CROSS JOIN size s
    GROUP BY h.term, s.documents
), weighted AS (
    SELECT f.term, ln(1 + (f.documents - f.df + 0.5) / (f.df + 0.5)) AS idf
    FROM frequent f
    WHERE NOT f.common OR NOT EXISTS (SELECT FROM frequent o WHERE NOT o.common)
), asked AS MATERIALIZED (
    SELECT sum(w.idf) AS idf FROM weighted w
), mean AS MATERIALIZED (
    SELECT coalesce(sum(c.total_length)::float8 / nullif(sum(c.documents), 0)::float8, 1) AS length
    FROM collection_stat c WHERE c.tenant_id = %(tenant)s
), scored AS MATERIALIZED (
    SELECT h.memory_id,
           floor(1e9 * sum(w.idf * h.frequency * 2.2::float8
               / (h.frequency + 0.3::float8 + 0.9::float8 * h.length / mean.length)) / asked.idf + 0.5) / 1e9 AS score
    FROM hits h JOIN weighted w ON w.term = h.term CROSS JOIN mean CROSS JOIN asked
    GROUP BY h.memory_id, asked.idf
), lexical AS (
    SELECT s.memory_id, s.score FROM scored s
    ORDER BY s.score DESC, s.memory_id DESC
    LIMIT %(lexical_depth)s
)

-- tag --
-- The visible memories with a tag that the question names, at most %(tag_depth)s. Score: the rarity of the named tags
-- it has, ln(1 + memories / memories with the tag), as a share of that of all named ones, in (0, 1]; so a tag on every
-- second memory says little.
named AS MATERIALIZED (
    SELECT p.term, p.memory_id
    FROM posting p
    WHERE p.tenant_id = %(tenant)s AND p.term = ANY (%(tag_terms)s::text[]) AND p.live
      AND (p.memory_id IN (SELECT v.id FROM visible v)) IS TRUE
), rarity AS (
    SELECT n.term, ln(1 + s.documents / count(*)::float8) AS weight
    FROM named n CROSS JOIN size s
    GROUP BY n.term, s.documents
), tag AS (
    SELECT n.memory_id, floor(1e9 * sum(r.weight) / (SELECT sum(weight) FROM rarity) + 0.5) / 1e9 AS score
    FROM named n JOIN rarity r ON r.term = n.term
    GROUP BY n.memory_id
    ORDER BY score DESC, n.memory_id DESC
    LIMIT %(tag_depth)s
)

-- beside --
-- What stands right before and after a found row in its session (SPEC R-17).
beside AS (
    SELECT DISTINCT m.id AS memory_id
    FROM found f
    JOIN memory hit ON hit.tenant_id = %(tenant)s AND hit.id = f.memory_id
    JOIN memory m ON m.tenant_id = %(tenant)s AND m.session = hit.session
                 AND m.turn IN (hit.turn - 1, hit.turn + 1)
    WHERE hit.session <> '' AND {seen}
)

-- features --
-- What ranking needs to know of each pooled row. Times are seconds since 1970.
SELECT p.memory_id, p.semantic, p.lexical, p.tag, p.word_score,
       -(e.vector <#> %(vector)s::halfvec) AS cosine,
       m.kind = 'episode' AND m.speaker <> '' AS told,
       m.content ~ '[0-9]' AS has_figure, m.kind, m.session, m.turn, m.importance, m.trust, m.provenance, m.layer,
       m.entity_key, m.concept_key,
       extract(epoch FROM m.effective_at)::float8 AS effective_at,
       extract(epoch FROM m.last_verified_at)::float8 AS last_verified_at,
       u.q_value, u.recalled, u.verified,
       extract(epoch FROM coalesce(u.last_recalled_at, m.created_at))::float8 AS last_recalled_at,
       extract(epoch FROM u.last_accessed_at)::float8 AS last_accessed_at
FROM pool p
JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = p.memory_id
JOIN usage u ON u.tenant_id = %(tenant)s AND u.memory_id = p.memory_id
LEFT JOIN embedding e ON e.tenant_id = %(tenant)s AND e.space = %(space)s AND e.shelf = %(shelf)s
                     AND e.memory_id = p.memory_id
WHERE %(deep)s::boolean OR u.tier <> 'archive'

-- read_shown --
-- The rows that are shown, as the answer and the alerts need them. Rivals: what waits in arbitration against a row
-- (a contender is shown in the alert only); both have one audience and one class, or they would be no rivals.
SELECT m.id, m.content, m.card, m.kind, m.trust, m.provenance, m.classification, m.occurred_at,
       m.effective_at, m.last_verified_at, m.tags || m.manual_tags, m.speaker, m.session, m.turn,
       m.entity_key, m.concept_key, m.value, m.cardinality, m.assigned_by,
       (SELECT jsonb_agg(jsonb_build_object('id', r.id, 'content', r.content) ORDER BY r.effective_at, r.id)
        FROM (SELECT c.older_id AS id FROM contradiction c
              WHERE c.tenant_id = %(tenant)s AND c.newer_id = m.id AND c.resolved_at IS NULL
              UNION
              SELECT c.newer_id FROM contradiction c
              WHERE c.tenant_id = %(tenant)s AND c.older_id = m.id AND c.resolved_at IS NULL) asked
        JOIN memory r ON r.tenant_id = %(tenant)s AND r.id = asked.id
        WHERE r.standing <> 2 AND r.archived_at IS NULL) AS rivals
FROM memory m
WHERE m.tenant_id = %(tenant)s AND m.id = ANY (%(ids)s::uuid[])

-- write_shown --
-- Record what was shown, place by place.
INSERT INTO recalled_memory (id, tenant_id, recall_id, memory_id, place, score, factors, classification)
SELECT s.id, %(tenant)s, %(recall)s, s.memory_id, s.place, s.score, s.factors::jsonb, s.classification
FROM unnest(%(ids)s::uuid[], %(memories)s::uuid[], %(places)s::smallint[], %(scores)s::float8[],
            %(factors)s::text[], %(classes)s::smallint[])
     AS s (id, memory_id, place, score, factors, classification)

-- count_shown --
-- Count a recall on what it showed; rows are locked in one order, so that two recalls cannot block each other.
UPDATE usage u
SET recalled = u.recalled + 1,
    last_recalled_at = greatest(u.last_recalled_at, %(at)s::timestamptz),
    last_accessed_at = greatest(u.last_accessed_at, %(at)s::timestamptz)
FROM (SELECT memory_id FROM usage
      WHERE tenant_id = %(tenant)s AND memory_id = ANY (%(memories)s::uuid[])
      ORDER BY memory_id FOR UPDATE) locked
WHERE u.tenant_id = %(tenant)s AND u.memory_id = locked.memory_id
