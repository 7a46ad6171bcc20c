-- What the channels ask of a tenant with a shelf of its own (docs/decisions/0016): the blocks that take the place of
-- those of the same name. There `visible` is too large to be made for every question (25 ms at 100 000), so rows are
-- taken in their order, and each is looked up for whether the viewer may see it, until there are enough.
-- {seen:x} is that look-up of the id x; it reads the key's index alone.

-- size --
-- How many memories there are in the classes that this viewer reads.
size AS MATERIALIZED (
    SELECT coalesce(sum(c.documents), 0)::float8 AS documents FROM collection_stat c WHERE c.tenant_id = %(tenant)s
)

-- semantic --
-- By the shelf's own index, which goes on (hnsw.iterative_scan, set by begin_recall) until enough rows are visible.
-- When it gives up before, the viewer sees little here, and what is visible is compared row by row, exactly.
nearby AS MATERIALIZED (
    SELECT e.memory_id, -(e.vector::halfvec({dimensions}) <#> %(vector)s::halfvec({dimensions})) AS score
    FROM embedding e
    WHERE e.tenant_id = %(tenant)s AND e.space = %(space)s AND e.shelf = {shelf} AND {seen:e.memory_id}
    ORDER BY e.vector::halfvec({dimensions}) <#> %(vector)s::halfvec({dimensions})
    LIMIT %(semantic_depth)s
), fetched AS MATERIALIZED (
    SELECT count(*) >= %(semantic_depth)s AS enough FROM nearby
), semantic AS (
    SELECT n.memory_id, n.score FROM nearby n WHERE (SELECT enough FROM fetched)
    UNION ALL
    (SELECT e.memory_id, -(e.vector <#> %(vector)s::halfvec) AS score
     FROM embedding e
     WHERE NOT (SELECT enough FROM fetched)
       AND e.tenant_id = %(tenant)s AND e.space = %(space)s AND e.shelf = {shelf}
       AND e.memory_id = ANY (ARRAY(SELECT v.id FROM visible v WHERE NOT (SELECT enough FROM fetched)))
     ORDER BY -(e.vector <#> %(vector)s::halfvec) DESC
     LIMIT %(semantic_depth)s)
)

-- hits --
-- Document frequencies are those of the classes that this viewer reads: kept for frequent terms
-- (memories.vectors.term_statistics), for others counted over the live postings, up to where a term is
-- common. The rarest terms lead: rows are those that have
-- one of them, as many terms as have {leads} postings together and at least one, its newest; what the other terms add to a
-- row is looked up, term by term in the index's order (Turtle and Flood 1995, MaxScore, with a fixed number in place of
-- the bound). So a question costs the same however large the tenant is.
counted AS MATERIALIZED (
    SELECT t.term, CASE WHEN k.df IS NULL THEN (
               SELECT count(*)
               FROM (SELECT FROM posting p
                     WHERE p.tenant_id = %(tenant)s AND p.term = t.term AND p.live
                     LIMIT (SELECT floor(0.2 * greatest(s.documents, 1000))::bigint + 1 FROM size s)) bounded)::float8
           ELSE k.df END AS df
    FROM unnest(%(terms)s::text[]) AS t (term)
    CROSS JOIN LATERAL (SELECT sum((c.frequent ->> t.term)::float8) AS df
                        FROM collection_stat c WHERE c.tenant_id = %(tenant)s) k
), frequent AS (
    SELECT c.term, c.df, s.documents, c.df > 0.2 * greatest(s.documents, 1000) AS common
    FROM counted c CROSS JOIN size s
    WHERE c.df > 0
), weighted AS (
    SELECT f.term, f.df, ln(1 + (f.documents - f.df + 0.5) / (f.df + 0.5)) AS idf
    FROM frequent f
    WHERE NOT f.common OR NOT EXISTS (SELECT FROM frequent o WHERE NOT o.common)
), known AS (
    SELECT coalesce(sum(ln(1 + (f.documents + 100 - f.df + 0.5) / (f.df + 0.5))), 0) AS idf,
           cardinality(%(terms)s::text[]) - count(*) AS unknown
    FROM frequent f
), asked AS MATERIALIZED (
    SELECT sum(w.idf) AS idf,
           (SELECT floor(1e9 * k.idf / nullif(k.idf + k.unknown * ln(2 * s.documents + 202), 0) + 0.5) / 1e9
            FROM known k CROSS JOIN size s) AS known
    FROM weighted w
), led AS MATERIALIZED (
    SELECT w.term, w.idf,
           sum(w.df) OVER rarest_first <= {leads} OR row_number() OVER rarest_first = 1 AS leads
    FROM weighted w
    WINDOW rarest_first AS (ORDER BY w.df, w.term)
), foremost AS MATERIALIZED (
    SELECT l.term, l.idf, p.memory_id, p.frequency::float8 AS frequency, p.length::float8 AS length
    FROM led l CROSS JOIN LATERAL (
        SELECT p.memory_id, p.frequency, p.length FROM posting p
        WHERE p.tenant_id = %(tenant)s AND p.term = l.term AND p.live
        ORDER BY p.memory_id DESC
        LIMIT {leads}) p
    WHERE l.leads
), hits AS (
    SELECT * FROM foremost
    UNION ALL
    SELECT o.term, o.idf, p.memory_id, p.frequency::float8, p.length::float8
    FROM led o
    CROSS JOIN LATERAL (
        SELECT p.memory_id, p.frequency, p.length FROM posting p
        WHERE p.tenant_id = %(tenant)s AND p.term = o.term AND p.live
          AND p.memory_id = ANY (ARRAY(SELECT memory_id FROM foremost))
        OFFSET 0) p
    WHERE NOT o.leads
)

-- lexical --
-- As elsewhere, over these hits.
mean AS MATERIALIZED (
    SELECT coalesce(sum(c.total_length)::float8 / nullif(sum(c.documents), 0)::float8, 1) AS length
    FROM collection_stat c WHERE c.tenant_id = %(tenant)s
), scored AS MATERIALIZED (
    SELECT h.memory_id,
           floor(1e9 * sum(h.idf * h.frequency * 2.2::float8
               / (h.frequency + 0.3::float8 + 0.9::float8 * h.length / mean.length)) / asked.idf + 0.5) / 1e9 AS score
    FROM hits h CROSS JOIN mean CROSS JOIN asked
    GROUP BY h.memory_id, asked.idf
), lexical AS (
    SELECT s.memory_id, s.score
    FROM (SELECT * FROM scored ORDER BY score DESC, memory_id DESC OFFSET 0) s
    WHERE {seen:s.memory_id}
    LIMIT %(lexical_depth)s
)

-- tag --
-- As elsewhere; the rarest tags lead, as the rarest terms do.
named AS MATERIALIZED (
    SELECT t.term, CASE WHEN k.df IS NULL THEN (
               SELECT count(*)
               FROM (SELECT FROM posting p
                     WHERE p.tenant_id = %(tenant)s AND p.term = t.term AND p.live
                     LIMIT (SELECT floor(0.2 * greatest(s.documents, 1000))::bigint + 1 FROM size s)) bounded)::float8
           ELSE k.df END AS df
    FROM unnest(%(tag_terms)s::text[]) AS t (term)
    CROSS JOIN LATERAL (SELECT sum((c.frequent ->> t.term)::float8) AS df
                        FROM collection_stat c WHERE c.tenant_id = %(tenant)s) k
), rarity AS MATERIALIZED (
    SELECT n.term, ln(1 + s.documents / n.df) AS weight,
           sum(n.df) OVER rarest_first <= {tag_leads} OR row_number() OVER rarest_first = 1 AS leads
    FROM named n CROSS JOIN size s
    WHERE n.df > 0
    WINDOW rarest_first AS (ORDER BY n.df, n.term)
), labelled AS MATERIALIZED (
    SELECT r.weight, p.memory_id
    FROM rarity r CROSS JOIN LATERAL (
        SELECT p.memory_id FROM posting p
        WHERE p.tenant_id = %(tenant)s AND p.term = r.term AND p.live
        ORDER BY p.memory_id DESC
        LIMIT {tag_leads}) p
    WHERE r.leads
), tagged AS MATERIALIZED (
    SELECT a.memory_id, floor(1e9 * sum(a.weight) / (SELECT sum(weight) FROM rarity) + 0.5) / 1e9 AS score
    FROM (
        SELECT * FROM labelled
        UNION ALL
        SELECT o.weight, p.memory_id
        FROM rarity o
        CROSS JOIN LATERAL (
            SELECT p.memory_id FROM posting p
            WHERE p.tenant_id = %(tenant)s AND p.term = o.term AND p.live
              AND p.memory_id = ANY (ARRAY(SELECT memory_id FROM labelled))
            OFFSET 0) p
        WHERE NOT o.leads
    ) a
    GROUP BY a.memory_id
), tag AS (
    SELECT t.memory_id, t.score
    FROM (SELECT * FROM tagged ORDER BY score DESC, memory_id DESC OFFSET 0) t
    WHERE {seen:t.memory_id}
    LIMIT %(tag_depth)s
)
