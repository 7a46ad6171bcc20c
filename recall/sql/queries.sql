-- begin_recall --
-- The tenant's recall policy, its own one if such is in force, and where its vectors are (NULL: where all begin); sets
-- the transaction's deadline in milliseconds on the way, and of a tenant with a shelf of its own how far its index is
-- searched. Plans are kept: to make the one statement's anew takes a third of the time of running it at 10 000 memories.
SELECT t.recall_policy, set_config('statement_timeout', %(deadline)s::text, true)
           || set_config('plan_cache_mode', 'force_generic_plan', true), h.space, h.shelf, h.dimensions,
       CASE WHEN h.shelf > 0 THEN set_config('hnsw.ef_search', %(breadth)s::text, true)
            || set_config('hnsw.iterative_scan', 'strict_order', true)
            || set_config('hnsw.max_scan_tuples', %(furthest)s::text, true) END,
       p.name AS policy_name, p.version AS policy_version, p.body::text AS policy_body,
       candor_has_persons() AS has_persons, {has_archive} AS has_archive, {moved} AS moved
FROM tenant t LEFT JOIN vector_home h ON h.tenant_id = t.id AND h.state = 'active'
LEFT JOIN recall_policy p ON p.tenant_id = t.id AND p.state = 'active'
WHERE t.id = %(tenant)s

-- seen --
-- What a viewer may see now: live, in scope, in validity (SPEC T-07, R-07), as a condition on memory m.
m.standing = 0
  AND m.archived_at IS NULL
  AND (%(kinds)s::text[] IS NULL OR m.kind = ANY (%(kinds)s::text[]))
  AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, m.valid_from, m.valid_until,
                     %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid, %(my_domains)s::text[],
                     %(sees_every_owner)s::boolean, %(my_person)s::text, %(sees_every_person)s::boolean, %(at)s::timestamptz)

-- seen_then --
-- What a viewer may see of another moment, as a condition on memory m: what {held} has, a subquery of ids, and was
-- valid then. What a person archived stays hidden: nobody asks for a time in order to undo that.
m.archived_at IS NULL
  AND (%(kinds)s::text[] IS NULL OR m.kind = ANY (%(kinds)s::text[]))
  AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, m.valid_from, m.valid_until,
                     %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid, %(my_domains)s::text[],
                     %(sees_every_owner)s::boolean, %(my_person)s::text, %(sees_every_person)s::boolean, %(at)s::timestamptz)
  AND (m.id IN ({held})) IS TRUE

-- seen_during --
-- What a viewer may see beside what holds now of the time from %(past_from)s to before %(past_until)s, as a condition
-- on memory m: what was valid for some of it, superseded values among it that {held} has, a subquery of ids.
m.archived_at IS NULL
  AND (%(kinds)s::text[] IS NULL OR m.kind = ANY (%(kinds)s::text[]))
  AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL,
                     %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid, %(my_domains)s::text[],
                     %(sees_every_owner)s::boolean, %(my_person)s::text, %(sees_every_person)s::boolean, %(at)s::timestamptz)
  AND (m.valid_from IS NULL OR m.valid_from < %(past_until)s::timestamptz)
  AND (m.valid_until IS NULL OR m.valid_until > %(past_from)s::timestamptz)
  AND (m.standing = 0 OR (m.id IN ({held})) IS TRUE)

-- visible --
-- Ids of the memories that this viewer may see now: live, in scope, in validity (SPEC T-07, R-07). The
-- tenant's wall and the clearance are row security's. Reads the key's index alone.
SELECT m.id
FROM memory m
WHERE m.tenant_id = %(tenant)s AND {seen}

-- has_archive --
-- Whether a row of the archive tier is there that this viewer may read: the partial index is read up to the first.
EXISTS (SELECT FROM usage u WHERE u.tenant_id = %(tenant)s AND u.tier = 'archive')

-- moved --
-- When what may be seen of each class last moved, as far as the viewer may read (docs/decisions/0062): one array, which is
-- another one after every commit that may change what is visible.
(SELECT array_agg(4 * c.moved + c.classification ORDER BY c.classification)
 FROM collection_stat c WHERE c.tenant_id = %(tenant)s)

-- gate --
-- The same the other way round, for a viewer who sees most of it: what is hidden of the memories that row security lets
-- through, and how many are not (docs/decisions/0022). In one pass, and nothing is kept of what is visible. Where this was
-- read for the same viewer before, and nothing has moved since, it comes along as %(kept_documents)s and %(kept_hidden)s.
kept AS MATERIALIZED (
    SELECT coalesce(%(kept_moved)s::bigint[] = {moved}, false) AS holds
), gate AS MATERIALIZED (
    SELECT %(kept_documents)s::float8 AS documents, %(kept_hidden)s::uuid[] AS hidden FROM kept k WHERE k.holds
    UNION ALL
    SELECT count(*) FILTER (WHERE g.seen)::float8, array_agg(g.id) FILTER (WHERE NOT g.seen)
    FROM (SELECT m.id, ({seen}) IS TRUE AS seen FROM memory m
          WHERE m.tenant_id = %(tenant)s AND NOT (SELECT k.holds FROM kept k) OFFSET 0) g
    HAVING NOT (SELECT k.holds FROM kept k)
)

-- hidden --
-- What `gate` hides, and how many memories remain.
hidden AS MATERIALIZED (
    SELECT unnest(g.hidden) AS id FROM gate g
), size AS MATERIALIZED (
    SELECT g.documents FROM gate g
)

-- hidden_in_use --
-- The same without the archive tier, whose rows may be visible or not. The partial index has them all.
archived AS MATERIALIZED (
    SELECT u.memory_id AS id FROM usage u WHERE u.tenant_id = %(tenant)s AND u.tier = 'archive'
), hidden AS MATERIALIZED (
    SELECT unnest(g.hidden) AS id FROM gate g
    UNION ALL
    SELECT a.id FROM archived a
), size AS MATERIALIZED (
    SELECT g.documents - (SELECT count(*) FROM archived a
                          WHERE (a.id IN (SELECT unnest(o.hidden) FROM gate o)) IS NOT TRUE)::float8 AS documents
    FROM gate g
)

-- read_gate --
-- What `gate` makes, to be kept: with when what may be seen last moved, and the time for which it says so: from when on a
-- validity last began or ended, %(at)s being now, until the next one does.
SELECT {moved} AS moved, count(*) FILTER (WHERE g.seen)::float8 AS documents,
       (array_agg(g.id) FILTER (WHERE NOT g.seen))[:%(most)s::integer] AS hidden,
       greatest(max(g.valid_from) FILTER (WHERE g.valid_from <= %(at)s::timestamptz),
                max(g.valid_until) FILTER (WHERE g.valid_until <= %(at)s::timestamptz)) AS since,
       least(min(g.valid_from) FILTER (WHERE g.valid_from > %(at)s::timestamptz),
             min(g.valid_until) FILTER (WHERE g.valid_until > %(at)s::timestamptz)) AS until
FROM (SELECT m.id, m.valid_from, m.valid_until, ({seen}) IS TRUE AS seen FROM memory m WHERE m.tenant_id = %(tenant)s OFFSET 0) g

-- having_tags --
-- Appended to `visible` when the question asks for tags: the memory carries each of %(tags)s.
  AND NOT EXISTS (
      SELECT FROM unnest(%(tags)s::text[]) AS wanted (term)
      WHERE NOT EXISTS (SELECT FROM posting p WHERE p.tenant_id = %(tenant)s AND p.term = wanted.term
                        AND p.memory_id = m.id AND (p.live OR %(of_then)s::boolean)))

-- in_use --
-- Appended to `visible` for a pass without the archive tier.
  AND (m.id IN (SELECT u.memory_id FROM usage u WHERE u.tenant_id = %(tenant)s AND u.tier = 'archive')) IS NOT TRUE

-- one_in_use --
-- The same where rows are looked up one by one, and most of what is archived is never met.
  AND (SELECT u.tier = 'archive' FROM usage u WHERE u.tenant_id = %(tenant)s AND u.memory_id = m.id) IS NOT TRUE

-- kept_back --
-- Appended to `seen` in a rehearsal that takes the memories %(kept_back)s for too high a class for the viewer. «IS NOT TRUE»
-- keeps the subquery hashed.
  AND (m.id IN (SELECT unnest(%(kept_back)s::uuid[]))) IS NOT TRUE

-- semantic --
-- The visible memories nearest to %(vector)s, at most %(semantic_depth)s. Score: cosine in [-1, 1], both
-- vectors being of length 1. Exact; reads the key's index of the vectors alone. «IS TRUE» keeps
-- the subquery from becoming a join: it is hashed and looked up, whatever the planner believes of its size. Of a
-- tenant that is not in the statistics yet it believes one row, and joined by nested loops for seconds.
semantic AS (
    -- The distance is written once: as a score beside the order it would be computed twice for every row.
    SELECT n.memory_id, -n.distance AS score
    FROM (SELECT e.memory_id, e.vector <#> %(vector)s::halfvec AS distance
          FROM embedding e
          WHERE e.tenant_id = %(tenant)s AND e.space = %(space)s AND e.shelf = %(shelf)s
            AND (e.memory_id IN (SELECT v.id FROM visible v)) IS TRUE
          ORDER BY distance
          LIMIT %(semantic_depth)s) n
)

-- beside --
-- What others said right before and after a row in its session that says something of the question itself (SPEC R-17): one
-- that shares no more than a tag with it lends too little to be worth the reading of its neighbours.
beside AS (
    SELECT DISTINCT m.id AS memory_id
    FROM (SELECT memory_id FROM found WHERE coalesce(semantic, lexical, fuzzy, time) IS NOT NULL) f
    -- Row by row: a plan made for every tenant takes a big one's memories for few, and would hash them all.
    CROSS JOIN LATERAL (SELECT h.session, h.turn, h.speaker, h.provenance FROM memory h
                        WHERE h.tenant_id = %(tenant)s AND h.id = f.memory_id AND h.session <> '' OFFSET 0) hit
    CROSS JOIN LATERAL (SELECT m.id FROM memory m
                        WHERE m.tenant_id = %(tenant)s AND m.session = hit.session
                          AND m.turn IN (hit.turn - 1, hit.turn + 1)
                          AND (m.speaker <> hit.speaker OR m.provenance <> hit.provenance) AND {seen} OFFSET 0) m
)

-- instruction --
-- Of what a person wants from now on, the one that is nearest to %(vector)s: it may concern a question that shares no word
-- with it, and would be lost among what does.
instruction AS (
    SELECT e.memory_id
    FROM (SELECT m.id FROM memory m WHERE m.tenant_id = %(tenant)s AND m.instruction AND {seen}
          ORDER BY m.effective_at DESC LIMIT {most}) m
    CROSS JOIN LATERAL (SELECT e.memory_id, e.vector FROM embedding e
                        WHERE e.tenant_id = %(tenant)s AND e.space = %(space)s AND e.shelf = %(shelf)s
                          AND e.memory_id = m.id OFFSET 0) e
    ORDER BY -(e.vector <#> %(vector)s::halfvec) DESC
    LIMIT 1
)

-- verdict --
-- What later statements do to the pool's rows, as far as the asker may see the link; of now, not of then.
verdict AS MATERIALIZED (
    SELECT k.target_id, k.source_id, k.type, k.confidence
    FROM link k
    WHERE k.tenant_id = %(tenant)s AND k.target_id = ANY (ARRAY(SELECT memory_id FROM pool))
      AND k.type IN ('contradicts', 'corrects', 'ends', 'refines', 'replaces', 'similar_to') AND NOT %(of_then)s::boolean
)

-- features --
-- What ranking needs to know of each pooled row. Times are seconds since 1970, by date_part: extract makes a numeric of each.
-- Each table is read once, in its index's order: row by row every one climbs down the whole index (5.8 and 2.2 ms). A
-- FULL JOIN is hashed or merged. The plan is made for all tenants and takes a hundred rows for ten, or a big tenant for
-- few: it would read a table again for each row, or all of one. What one side lacks is left out outside.
SELECT * FROM (
SELECT p.memory_id, {voices}, p.word_score, {known}::float8 AS known,
       -(e.vector <#> %(vector)s::halfvec) AS cosine,
       m.kind <> 'passage' AND m.speaker <> '' AS told,
       -- A turn or a passage that speaks of nobody of ours tells how the world is, not where something stands.
       -- Asked of a question for what is now alone; else no text is read for it.
       coalesce(CASE WHEN %(ours)s::text IS NOT NULL THEN m.content ~ '[0-9]'
                     AND (m.kind NOT IN ('episode', 'statement', 'passage') OR m.content ~* %(ours)s::text) END, false)
           AS has_figure,
       coalesce(m.content ~* ALL (%(counted)s::text[]), false) AS counts, m.kind,
       -- A question claims nothing; a long one first says what it asks about.
       m.mode = 'hypothetical' OR (m.mode = 'question' AND octet_length(m.content) <= {asks_alone}) AS claims_nothing,
       m.speaker, m.session, m.turn, m.importance, m.trust,
       m.provenance, m.layer,
       -- What somebody likes is said in talk all day; a wish is worded as one.
       m.wish AND (m.kind <> 'preference' OR m.speaker = '' OR m.content ~* %(wish)s::text) AS wish, m.instruction,
       m.entity_key, m.concept_key,
       date_part('epoch', m.effective_at) AS effective_at,
       date_part('epoch', m.last_verified_at) AS last_verified_at,
       u.q_value, u.recalled, u.verified,
       date_part('epoch', coalesce(u.last_recalled_at, m.created_at)) AS last_recalled_at,
       date_part('epoch', u.last_accessed_at) AS last_accessed_at,
       u.tier = 'archive' AS archived, l.clusters, m.group_id, m.echo, m.premises, m.familiar, v.verdicts, m.of_passage,
       -- The question has all its words in their order: who asks for what was said by its words is to find it. Both
       -- without their spaces; most texts differ in their first letters already, and are not read on.
       strpos(%(asked)s::text, translate(left(m.content, 4), %(spaces)s::text, '')) > 0
           AND length(m.content) >= 6 AND 3 * length(m.content) >= length(%(asked)s::text)
           AND strpos(%(asked)s::text, translate(m.content, %(spaces)s::text, '')) > 0 AS quoted,
       -- Which of two statements the question names is read in their words, where one updates the other.
       CASE WHEN v.verdicts IS NOT NULL OR (p.memory_id IN (SELECT d.source_id FROM verdict d)) IS TRUE
            THEN left(m.content, {longest}) END AS text
FROM pool p
FULL JOIN (
    SELECT m.id, m.kind, m.mode, m.speaker, m.content, m.session, m.turn, m.importance, m.trust, m.provenance, m.layer,
           m.wish, m.instruction, m.entity_key, m.concept_key, m.effective_at, m.last_verified_at, m.created_at, m.group_id,
           CASE WHEN m.document_id IS NOT NULL THEN m.capture_id END AS of_passage,
           coalesce(m.metadata -> 'echo' = 'true', false) AS echo,
           CASE WHEN m.metadata -> 'conclusion' ? 'key'
                THEN ARRAY(SELECT l.parent_id FROM lineage l WHERE l.tenant_id = %(tenant)s AND l.child_id = m.id) END AS premises,
           coalesce(m.metadata -> 'novelty' <= %(new_above)s::jsonb, false) AS familiar
    FROM memory m WHERE m.tenant_id = %(tenant)s AND m.id = ANY (ARRAY(SELECT memory_id FROM pool)) OFFSET 0
) m ON m.id = p.memory_id
FULL JOIN (
    SELECT u.memory_id, u.q_value, u.recalled, u.verified, u.last_recalled_at, u.last_accessed_at, u.tier
    FROM usage u WHERE u.tenant_id = %(tenant)s AND u.memory_id = ANY (ARRAY(SELECT memory_id FROM pool)) OFFSET 0
) u ON u.memory_id = p.memory_id
FULL JOIN (
    SELECT e.memory_id, e.vector FROM embedding e
    WHERE e.tenant_id = %(tenant)s AND e.space = %(space)s AND e.shelf = %(shelf)s
      AND e.memory_id = ANY (ARRAY(SELECT memory_id FROM pool)) OFFSET 0
) e ON e.memory_id = p.memory_id
FULL JOIN (
    SELECT l.memory_id, string_agg(l.clusters, ''::bytea) AS clusters FROM learnt_of_memory l
    WHERE l.tenant_id = %(tenant)s AND l.memory_id = ANY (ARRAY(SELECT memory_id FROM pool))
    GROUP BY l.memory_id OFFSET 0
) l ON l.memory_id = p.memory_id
FULL JOIN (
    SELECT d.target_id AS memory_id, jsonb_agg(jsonb_build_array(d.source_id, d.type, d.confidence)
                                            ORDER BY d.confidence DESC, d.source_id) AS verdicts
    FROM verdict d GROUP BY d.target_id OFFSET 0
) v ON v.memory_id = p.memory_id
OFFSET 0) f
WHERE f.kind IS NOT NULL AND f.recalled IS NOT NULL AND f.memory_id IS NOT NULL

-- read_groups --
-- The rows of these groups of restatements that the asker may see, oldest first (SPEC K-04).
SELECT m.group_id, m.id, m.content, m.agent_id, m.speaker, m.voice, m.classification,
       coalesce(m.metadata -> 'echo' = 'true', false) AS echo
FROM memory m
WHERE m.tenant_id = %(tenant)s AND m.group_id = ANY (%(groups)s::uuid[]) AND ({seen})
ORDER BY m.effective_at, m.id
LIMIT 1000

-- read_discussed --
-- In how many sessions each shown row was spoken of, where it was in more than one: where it was said, where it was said
-- again, and where talk refers to it; as far as the asker may see it, and of no higher class than the row's own.
SELECT told.shown, count(DISTINCT told.session) AS sessions
FROM (
    SELECT s.id AS shown, x.session
    FROM memory s
    CROSS JOIN LATERAL (
        SELECT s.id AS memory_id
        UNION SELECT g.id FROM memory g WHERE g.tenant_id = %(tenant)s AND g.group_id = s.group_id
        UNION SELECT l.target_id FROM link l
        WHERE l.tenant_id = %(tenant)s AND l.source_id = s.id AND l.type = 'references'
    ) o
    JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = o.memory_id
         AND m.classification <= s.classification AND m.metadata -> 'echo' IS DISTINCT FROM 'true'
    CROSS JOIN LATERAL (
        SELECT m.session
        UNION SELECT c.session FROM capture c
        WHERE c.tenant_id = %(tenant)s AND c.classification <= s.classification
          AND c.id = ANY (ARRAY(
              SELECT a.id::uuid
              FROM jsonb_array_elements_text(CASE WHEN jsonb_typeof(m.metadata -> 'said_again') = 'array'
                                                  THEN m.metadata -> 'said_again' ELSE '[]' END) a (id)
              WHERE a.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'))
    ) x
    WHERE s.tenant_id = %(tenant)s AND s.id = ANY (%(shown)s::uuid[]) AND x.session <> '' AND ({seen})
) told
GROUP BY told.shown
HAVING count(DISTINCT told.session) > 1

-- read_turns --
-- What was said in one breath with each shown row, itself included, in order, as far as the asker may see it.
SELECT s.id AS shown, m.id, m.content, m.classification
FROM memory s
JOIN memory m ON m.tenant_id = %(tenant)s AND m.capture_id = s.capture_id
WHERE s.tenant_id = %(tenant)s AND s.id = ANY (%(shown)s::uuid[]) AND s.span_start IS NOT NULL
      AND m.span_start IS NOT NULL AND ({seen})
ORDER BY s.id, m.span_start
LIMIT 1000

-- read_shown --
-- The rows that are shown, as the answer and the alerts need them. Rivals: what waits in arbitration against a row
-- (a contender is shown in the alert only); both have one audience and one class, or they would be no rivals.
-- Known at %(known_at)s, if given: the text of then, and what was replaced or doubted later as what still holds.
SELECT m.id,
       coalesce((SELECT v.content FROM memory_version v
                 WHERE v.tenant_id = %(tenant)s AND v.memory_id = m.id AND v.replaced_at > %(known_at)s::timestamptz
                 ORDER BY v.version LIMIT 1), m.content) AS content,
       m.card, m.kind, m.trust, m.provenance, m.classification, m.occurred_at,
       m.effective_at, m.last_verified_at, m.tags || m.manual_tags AS tags, m.speaker, m.session, m.turn,
       m.entity_key, m.concept_key, m.value, m.cardinality, m.assigned_by, m.annotations, m.note, m.person,
       (SELECT jsonb_agg(jsonb_build_object('id', r.id, 'content', r.content) ORDER BY r.effective_at, r.id)
        FROM (SELECT c.older_id AS id FROM contradiction c
              WHERE c.tenant_id = %(tenant)s AND c.newer_id = m.id AND c.resolved_at IS NULL
              UNION
              SELECT c.newer_id FROM contradiction c
              WHERE c.tenant_id = %(tenant)s AND c.older_id = m.id AND c.resolved_at IS NULL) asked
        JOIN memory r ON r.tenant_id = %(tenant)s AND r.id = asked.id
        WHERE r.standing <> 2 AND r.archived_at IS NULL) AS rivals,
       CASE WHEN coalesce(m.superseded_at > %(known_at)s::timestamptz,
                          m.standing = 1 AND %(known_at)s::timestamptz IS NOT NULL) THEN 0
            ELSE m.standing END AS standing,
       CASE WHEN coalesce(m.superseded_at > %(known_at)s::timestamptz, false) THEN m.valid_until
            ELSE least(m.valid_until, coalesce(n.effective_at, m.superseded_at)) END AS valid_until,
       EXISTS (SELECT FROM watermark w WHERE w.tenant_id = %(tenant)s AND w.memory_id = m.id) AS watched
FROM memory m
LEFT JOIN memory n ON n.tenant_id = %(tenant)s AND n.id = m.superseded_by_id
WHERE m.tenant_id = %(tenant)s AND m.id = ANY (%(ids)s::uuid[])

-- write_event --
-- Record a question with all its answer was made of, and what was shown, place by place.
WITH event AS (
    INSERT INTO recall_event (id, tenant_id, at, agent_id, project_id, api_key_id, session, query, asked_at, k, policy,
                              channels, degraded, draws, asked, candidates, cluster, took_ms, person, classification)
    VALUES (%(id)s::uuid, %(tenant)s, %(at)s::timestamptz, %(agent)s::uuid, %(project)s::uuid, %(api_key)s::uuid,
            %(session)s::text, %(query)s::text, %(asked_at)s::timestamptz, %(k)s::smallint, %(policy)s::text,
            %(channels)s::jsonb, %(degraded)s::jsonb, %(draws)s::jsonb, %(asked)s::jsonb, %(candidates)s::bytea,
            %(cluster)s::bytea, %(took_ms)s::integer, %(person)s::text, %(classification)s::smallint)
)
INSERT INTO recalled_memory (id, tenant_id, recall_id, memory_id, place, score, factors, classification)
SELECT s.id, %(tenant)s, %(id)s::uuid, s.memory_id, s.place, s.score, %(factors)s::jsonb -> (s.place - 1)::integer, m.classification
FROM unnest(%(ids)s::uuid[], %(memories)s::uuid[], %(scores)s::float8[])
     WITH ORDINALITY AS s (id, memory_id, score, place)
CROSS JOIN LATERAL (SELECT m.classification FROM memory m
                    WHERE m.tenant_id = %(tenant)s AND m.id = s.memory_id OFFSET 0) m

-- write_shown --
-- Add what an answer told beside its results, whose places come after %(after)s.
INSERT INTO recalled_memory (id, tenant_id, recall_id, memory_id, place, score, factors, classification)
SELECT s.id, %(tenant)s, %(id)s::uuid, s.memory_id, %(after)s::integer + s.place, s.score, %(factors)s::jsonb -> (s.place - 1)::integer,
       s.classification
FROM unnest(%(ids)s::uuid[], %(memories)s::uuid[], %(scores)s::float8[], %(classes)s::smallint[])
     WITH ORDINALITY AS s (id, memory_id, score, classification, place)

-- count_shown --
-- Count recalls on what they showed, each memory as often as it was shown; access brings it back from the archive tier
-- (SPEC E-06). Rows are locked in one order, so that two processes cannot block each other.
UPDATE usage u
SET recalled = u.recalled + locked.times,
    last_recalled_at = greatest(u.last_recalled_at, locked.at),
    last_accessed_at = greatest(u.last_accessed_at, locked.at),
    tier = CASE WHEN u.tier = 'archive' THEN 'hot' ELSE u.tier END,
    tier_reason = CASE WHEN u.tier = 'archive' THEN 'recent_access' ELSE u.tier_reason END,
    tier_at = CASE WHEN u.tier = 'archive' THEN locked.at ELSE u.tier_at END
FROM (SELECT o.memory_id, s.times, s.at
      FROM usage o JOIN unnest(%(memories)s::uuid[], %(times)s::integer[], %(moments)s::timestamptz[])
                        AS s (memory_id, times, at) ON s.memory_id = o.memory_id
      WHERE o.tenant_id = %(tenant)s AND o.memory_id = ANY (%(memories)s::uuid[])
      ORDER BY o.memory_id FOR UPDATE OF o) locked
WHERE u.tenant_id = %(tenant)s AND u.memory_id = locked.memory_id
