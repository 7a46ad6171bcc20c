-- hits --
-- The question's terms %(terms)s in the visible memories, and what each term weighs. Document frequencies are counted
-- over what this viewer sees, so that hidden rows move no visible score. Terms in more than a fifth of 1 000 or more
-- memories are dropped while others remain. `known` is the share of the question's idf that some visible memory has a word
-- for, in [0, 1]: a word that none has weighs what df 0 gives. It is reckoned as if a hundred memories more had none of
-- the words, or in a store of three a word that is there would weigh next to nothing beside one that is not.
hits AS MATERIALIZED (
    SELECT p.term, p.memory_id, p.frequency::float8 AS frequency, p.length::float8 AS length
    FROM posting p
    WHERE p.tenant_id = %(tenant)s AND p.term = ANY (%(terms)s::text[]) AND (p.live OR %(of_then)s::boolean)
      AND (p.memory_id IN (SELECT v.id FROM visible v)) IS TRUE
), frequent AS (
    SELECT h.term, h.df, s.documents, h.df > 0.2 * greatest(s.documents, 1000) AS common
    FROM (SELECT term, count(*)::float8 AS df FROM hits GROUP BY term OFFSET 0) h CROSS JOIN size s
), weighted AS (
    SELECT f.term, ln(1 + (f.documents - f.df + 0.5) / (f.df + 0.5)) AS idf
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
)

-- lexical --
-- The visible memories that best match %(terms)s by BM25 (Robertson and Zaragoza 2009; k1 = 1.2, b = 0.75),
-- at most %(lexical_depth)s. Score: BM25 as a share of the idf of all terms asked, so that it says the same in every
-- pool: about 1 when a row of ordinary length has each term once; rounded, since floats add up otherwise in another plan.
mean AS MATERIALIZED (
    SELECT coalesce(sum(c.total_length)::float8 / nullif(sum(c.documents), 0)::float8, 1) AS length
    FROM collection_stat c WHERE c.tenant_id = %(tenant)s
), scored AS MATERIALIZED (
    SELECT h.memory_id,
           floor(1e9 * sum(w.idf * h.frequency * 2.2::float8
               / (h.frequency + 0.3::float8 + 0.9::float8 * h.length / mean.length)) / (SELECT idf FROM asked) + 0.5)
               / 1e9 AS score
    FROM hits h JOIN weighted w ON w.term = h.term CROSS JOIN mean
    GROUP BY h.memory_id
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
    WHERE p.tenant_id = %(tenant)s AND p.term = ANY (%(tag_terms)s::text[]) AND (p.live OR %(of_then)s::boolean)
      AND (p.memory_id IN (SELECT v.id FROM visible v)) IS TRUE
), rarity AS (
    SELECT n.term, ln(1 + s.documents / n.df) AS weight
    FROM (SELECT term, count(*)::float8 AS df FROM named GROUP BY term OFFSET 0) n CROSS JOIN size s
), tag AS (
    SELECT n.memory_id, floor(1e9 * sum(r.weight) / (SELECT sum(weight) FROM rarity) + 0.5) / 1e9 AS score
    FROM named n JOIN rarity r ON r.term = n.term
    GROUP BY n.memory_id
    ORDER BY score DESC, n.memory_id DESC
    LIMIT %(tag_depth)s
)

-- fuzzy --
-- For the words asked that no visible memory has: the visible memories with a word made of much the same, at most
-- %(fuzzy_depth)s. Two words are near when the grams they share are 0.3 or more of the grams of both (Jaccard, and the
-- threshold, of pg_trgm); of the near words that a visible memory has, those within a fifth of the nearest count. So a
-- word that stands only in hidden memories neither is found nor takes another's place.
-- Score: similarity times idf of the nearest word for each word asked, as a share of the idf of all that was asked, in
-- (0, 1]. Asks nothing when every word is known: `mistyped` is empty, and so are the arrays that the indexes are read by.
mistyped AS MATERIALIZED (
    SELECT t.term, candor_grams(t.term) AS grams
    FROM unnest(%(terms)s::text[]) AS t (term)
    WHERE NOT EXISTS (SELECT FROM frequent f WHERE f.term = t.term)
), made AS MATERIALIZED (
    SELECT m.term, cardinality(m.grams) AS size, g.gram
    FROM mistyped m CROSS JOIN unnest(m.grams) AS g (gram)
), near AS MATERIALIZED (
    SELECT DISTINCT d.term AS asked, v.term,
           count(*)::float8 / (d.size + v.size - count(*))::float8 AS similarity
    FROM vocabulary v JOIN made d ON d.gram = v.gram
    WHERE v.tenant_id = %(tenant)s AND v.gram = ANY (ARRAY(SELECT o.gram FROM made o))
    GROUP BY d.term, d.size, v.term, v.size, v.classification
    HAVING count(*)::float8 >= 0.3 * (d.size + v.size - count(*))::float8
), meant AS MATERIALIZED (
    SELECT p.term, p.memory_id
    FROM posting p
    WHERE p.tenant_id = %(tenant)s AND p.term = ANY (ARRAY(SELECT n.term FROM near n)) AND (p.live OR %(of_then)s::boolean)
      AND (p.memory_id IN (SELECT v.id FROM visible v)) IS TRUE
), spelt AS (
    SELECT m.term, ln(1 + (s.documents - m.df + 0.5) / (m.df + 0.5))::float8 AS idf
    FROM (SELECT term, count(*)::float8 AS df FROM meant GROUP BY term OFFSET 0) m CROSS JOIN size s
), likely AS MATERIALIZED (
    SELECT l.asked, l.term, l.similarity, l.idf
    FROM (SELECT n.asked, n.term, n.similarity, s.idf, max(n.similarity) OVER (PARTITION BY n.asked) AS best
          FROM near n JOIN spelt s ON s.term = n.term) l
    WHERE l.similarity >= 0.8 * l.best
), wanted AS (
    SELECT sum(i.idf) AS idf
    FROM (SELECT max(l.idf) AS idf FROM likely l GROUP BY l.asked
          UNION ALL SELECT a.idf FROM asked a) i
), fuzzy AS (
    SELECT b.memory_id, floor(1e9 * sum(b.score) / wanted.idf + 0.5) / 1e9 AS score
    FROM (SELECT l.asked, m.memory_id, max(l.similarity * l.idf) AS score
          FROM likely l JOIN meant m ON m.term = l.term
          GROUP BY l.asked, m.memory_id) b CROSS JOIN wanted
    GROUP BY b.memory_id, wanted.idf
    ORDER BY score DESC, b.memory_id DESC
    LIMIT %(fuzzy_depth)s
)
