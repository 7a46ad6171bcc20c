-- Hand-written SQL of the write track. Every statement says the tenant itself, beside row security.

-- find_neighbours --
-- Live memories near a candidate that its owner may see, of %(person)s alone ('': of nobody in particular, the common
-- ones) and of no higher class than its own: the %(most)s nearest by
-- vector, those of the same text, those of the same (entity, concept) and audience, the %(most)s with the most keywords
-- in common, the %(most_of_session)s latest of the session; those that a model spoke of (%(told)s) with what says the same
-- as they; and of a state the %(most_past)s latest former values. Each
-- arm filters before its limit: in a tenant of a thousand agents the newest hundred rows of one text are others'. The
-- class is row security's: it is run at the candidate's class, see Note [Seen from one's own class].
-- cosine in [-1, 1]; NULL when a row has no vector in this space. Reads the covering keys of embedding and memory.
-- lost_to: the rows that a verdict held against a former value.
-- Ids are handed on as arrays: joined, a tenant whose tables were never analysed cost its square in time.
WITH visible AS MATERIALIZED (
    SELECT m.id
    FROM memory m
    WHERE m.tenant_id = %(tenant)s AND m.standing <> 2 AND m.archived_at IS NULL
      AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL,
            %(my_projects)s::uuid[], true, %(me)s::uuid, %(my_domains)s::text[], false, %(person)s, false, NULL)
      AND m.person = %(person)s
), of_concept AS MATERIALIZED (
    SELECT m.id, m.standing, m.created_at, m.effective_at
    FROM memory m
    WHERE m.tenant_id = %(tenant)s AND m.entity_key = %(entity_key)s AND m.concept_key = %(concept_key)s
      AND m.card = 'state' AND m.agent_id IS NOT DISTINCT FROM %(me)s::uuid
      AND m.project_id IS NOT DISTINCT FROM %(project)s::uuid AND m.shared = %(shared)s AND m.domain = %(domain)s
      AND m.person = %(person)s AND m.classification = %(classification)s AND m.archived_at IS NULL
), former AS (
    SELECT c.id FROM of_concept c WHERE c.standing = 2 ORDER BY c.effective_at DESC LIMIT %(most_past)s
), told AS MATERIALIZED (
    SELECT m.id, m.group_id
    FROM memory m
    WHERE m.tenant_id = %(tenant)s AND m.id = ANY (%(told)s::uuid[]) AND m.standing <> 2 AND m.archived_at IS NULL
      AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL,
            %(my_projects)s::uuid[], true, %(me)s::uuid, %(my_domains)s::text[], false, %(person)s, false, NULL)
      AND m.person = %(person)s
), found AS (
    (SELECT e.memory_id AS id
     FROM embedding e
     WHERE e.tenant_id = %(tenant)s AND e.space = %(space)s
       AND e.shelf = coalesce((SELECT h.shelf FROM vector_home h WHERE h.tenant_id = %(tenant)s AND h.state = 'active'), 0)
       AND e.memory_id = ANY (ARRAY(SELECT id FROM visible))
     ORDER BY e.vector <#> %(vector)s::halfvec
     LIMIT %(most)s)
    UNION
    (SELECT p.memory_id FROM posting p
     WHERE p.tenant_id = %(tenant)s AND p.term = ANY (%(keyword_terms)s::text[]) AND p.live
       AND (p.memory_id IN (SELECT v.id FROM visible v)) IS TRUE
     GROUP BY p.memory_id
     ORDER BY count(*) DESC, p.memory_id DESC
     LIMIT %(most)s)
    UNION
    (SELECT m.id FROM memory m
     WHERE m.tenant_id = %(tenant)s AND m.content_hash = %(content_hash)s AND m.standing <> 2
       AND m.person = %(person)s
       AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL,
             %(my_projects)s::uuid[], true, %(me)s::uuid, %(my_domains)s::text[], false, %(person)s, false, NULL)
     ORDER BY m.created_at DESC LIMIT %(most_equal)s)
    UNION
    (SELECT c.id FROM of_concept c WHERE c.standing <> 2
     ORDER BY c.standing, c.created_at DESC LIMIT %(most_equal)s)
    UNION
    (SELECT m.id FROM memory m
     WHERE m.tenant_id = %(tenant)s AND m.session = %(session)s AND m.session <> '' AND m.standing <> 2
       AND m.agent_id IS NOT DISTINCT FROM %(me)s::uuid
       AND m.person = %(person)s
       AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL,
             %(my_projects)s::uuid[], true, %(me)s::uuid, %(my_domains)s::text[], false, %(person)s, false, NULL)
     ORDER BY m.turn DESC NULLS LAST, m.created_at DESC LIMIT %(most_of_session)s)
    UNION
    (SELECT id FROM former)
    UNION
    (SELECT id FROM told)
    UNION
    (SELECT m.id FROM memory m
     WHERE m.tenant_id = %(tenant)s AND m.group_id = ANY (ARRAY(SELECT t.group_id FROM told t WHERE t.group_id IS NOT NULL))
       AND m.standing <> 2
       AND m.person = %(person)s
       AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL,
             %(my_projects)s::uuid[], true, %(me)s::uuid, %(my_domains)s::text[], false, %(person)s, false, NULL))
)
SELECT m.id, m.content, m.kind, m.card, m.standing, m.classification, m.agent_id, m.project_id, m.shared, m.domain, m.person,
       m.provenance, m.trust, m.occurred_at, m.occurred_resolved, m.effective_at, m.last_verified_at, m.version,
       m.content_hash, m.concept_key, m.entity_key, m.value, m.cardinality, m.keywords, m.tags, m.manual_tags,
       m.valid_until, m.entities, m.session, m.turn, m.speaker, m.voice, m.capture_id, m.metadata ->> 'timezone' AS zone, m.note, m.annotations,
       m.group_id, m.metadata ? 'said_again' AS said_again,
       CASE WHEN m.document_id IS NOT NULL AND m.kind = 'passage' THEN m.metadata ->> 'title' END AS title,
       e.cosine, e.vector,
       CASE WHEN m.standing = 2 THEN ARRAY(
           SELECT CASE WHEN q.newer_id = m.id THEN q.older_id ELSE q.newer_id END FROM contradiction q
           WHERE q.tenant_id = %(tenant)s AND q.resolved_by <> 'superseded'
             AND ((q.newer_id = m.id AND q.verdict = 'keep_old') OR (q.older_id = m.id AND q.verdict = 'accept_new'))
       ) END AS lost_to
FROM memory m
LEFT JOIN LATERAL (
    SELECT -(e.vector <#> %(vector)s::halfvec) AS cosine, halfvec_send(e.vector) AS vector FROM embedding e
    WHERE e.tenant_id = %(tenant)s AND e.space = %(space)s AND e.memory_id = m.id AND m.standing <> 2
      AND e.shelf = coalesce((SELECT h.shelf FROM vector_home h
                              WHERE h.tenant_id = %(tenant)s AND h.state = 'active'), 0)
) e ON true
WHERE m.tenant_id = %(tenant)s AND m.id = ANY (ARRAY(SELECT id FROM found)) AND m.archived_at IS NULL
  AND (m.standing <> 2 OR m.id = ANY (ARRAY(SELECT id FROM former)))
  AND m.person = %(person)s
  AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL,
        %(my_projects)s::uuid[], true, %(me)s::uuid, %(my_domains)s::text[], false, %(person)s, false, NULL);

-- read_as_neighbours --
-- Rows by their ids as a candidate's neighbours are read, with their vectors in a space: what was shown to who asks.
SELECT m.id, m.content, m.kind, m.card, m.standing, m.classification, m.agent_id, m.project_id, m.shared, m.domain, m.person,
       m.provenance, m.trust, m.occurred_at, m.occurred_resolved, m.effective_at, m.last_verified_at, m.version,
       m.content_hash, m.concept_key, m.entity_key, m.value, m.cardinality, m.keywords, m.tags, m.manual_tags,
       m.entities, m.session, m.turn, m.speaker, m.voice, m.capture_id, m.metadata ->> 'timezone' AS zone, m.note, m.annotations,
       m.group_id, m.metadata ? 'said_again' AS said_again,
       CASE WHEN m.document_id IS NOT NULL AND m.kind = 'passage' THEN m.metadata ->> 'title' END AS title,
       e.vector, NULL::uuid[] AS lost_to
FROM memory m
LEFT JOIN LATERAL (
    SELECT halfvec_send(e.vector) AS vector FROM embedding e
    WHERE e.tenant_id = %(tenant)s AND e.space = %(space)s AND e.memory_id = m.id
      AND e.shelf = %(shelf)s::smallint
) e ON true
WHERE m.tenant_id = %(tenant)s AND m.id = ANY (%(ids)s::uuid[]);

-- keep_plans --
-- To the transaction's end, use the one plan a prepared statement has for all values. Of find_neighbours PostgreSQL
-- likes a plan of its own for each candidate better, since much of it falls away where nothing is a state; to make
-- that plan costs 1.0 ms, to run it 0.6.
SELECT set_config('plan_cache_mode', 'force_generic_plan', true);

-- see_up_to --
-- To the transaction's end, or until it is said otherwise, see what is of this class and below, and write no higher.
SELECT set_config('candor.clearance', %(clearance)s::text, true);

-- read_version --
-- The neighbourhood's version: moves with every stored change of the tenant that is of this class or below.
SELECT coalesce(sum(version), 0) AS version FROM collection_stat
WHERE tenant_id = %(tenant)s AND classification <= %(rank)s;

-- read_moves --
-- The same for each class, with those of these digests under which a text was forgotten that who writes could read
-- (`memories.access.tombstones`). classes: those that have a live memory; versions: by class, 0 where nothing was stored yet.
SELECT ARRAY(SELECT coalesce((SELECT s.version FROM collection_stat s
                              WHERE s.tenant_id = %(tenant)s AND s.classification = c.rank), 0)
             FROM generate_series(0, 3) AS c (rank) ORDER BY c.rank) AS versions,
       ARRAY(SELECT s.classification FROM collection_stat s
             WHERE s.tenant_id = %(tenant)s AND s.documents > 0 ORDER BY s.classification) AS classes,
       ARRAY(SELECT e.digest FROM erasure e
             WHERE e.tenant_id = %(tenant)s AND e.digest = ANY (%(digests)s::bytea[])
               AND e.classification <= %(reach)s AND e.person IN ('', %(person)s)) AS erased;

-- redact_capture --
-- Leave nothing of what was said in a capture but that it was, when a person had it forgotten.
UPDATE capture
SET text = %(marker)s, "references" = '[]', fingerprints = '[]', metadata = '{}', secrets_found = '[]',
    trace = %(trace)s::jsonb
WHERE tenant_id = %(tenant)s AND id = %(capture)s
RETURNING id;

-- read_homes --
-- Where the tenant's vectors are, the home that is read first (SPEC M-14).
SELECT h.space, h.shelf, h.dimensions, h.state
FROM vector_home h
WHERE h.tenant_id = %(tenant)s
ORDER BY h.state <> 'active', h.created_at, h.id;

-- insert_memory --
-- A new memory, whole.
INSERT INTO memory (tenant_id, id, content, note, mode, annotations, span_start, span_end, group_id, kind, card, standing, classification, project_id, agent_id, shared, domain,
                    person, layer, concept_key, entity_key, value, cardinality, keywords, tags, manual_tags, entities, importance,
                    confidence, provenance, trust, assigned_by, capture_id, document_id, passage, session, turn, speaker,
                    voice, content_hash, created_at, occurred_at, occurred_resolved, effective_at, superseded_at,
                    superseded_by_id, valid_from, valid_until, last_verified_at, archived_at, updated_at, version,
                    metadata)
VALUES (%(tenant)s, %(id)s, %(content)s, %(note)s, %(mode)s, %(annotations)s::jsonb, %(span_start)s, %(span_end)s, %(group_id)s, %(kind)s, %(card)s, %(standing)s, %(classification)s, %(project_id)s,
        %(agent_id)s, %(shared)s, %(domain)s, %(person)s, %(layer)s, %(concept_key)s, %(entity_key)s, %(value)s, %(cardinality)s,
        %(keywords)s::text[], %(tags)s::text[], %(manual_tags)s::text[], %(entities)s::text[], %(importance)s,
        %(confidence)s, %(provenance)s, %(trust)s, %(assigned_by)s, %(capture_id)s, %(document_id)s, %(passage)s,
        %(session)s, %(turn)s, %(speaker)s, %(voice)s, %(content_hash)s, %(now)s, %(occurred_at)s, %(occurred_resolved)s,
        %(effective_at)s, %(superseded_at)s, %(superseded_by_id)s, %(valid_from)s, %(valid_until)s,
        %(last_verified_at)s, NULL, %(now)s, 1, %(metadata)s::jsonb);

-- join_group --
-- Let a memory begin the group that another one joins, unless it is in one.
UPDATE memory SET group_id = id
WHERE tenant_id = %(tenant)s AND id = %(memory)s AND group_id IS NULL;

-- append_events --
-- What was done, for the tenant's trail: `security.audit.append_all` within a batch of statements.
SELECT candor_append_audit(%(events)s::jsonb);

-- insert_usage --
-- A new memory's counts: stored is accessed once.
INSERT INTO usage (tenant_id, memory_id, q_value, recalled, verified, last_accessed_at, tier, pinned, classification)
VALUES (%(tenant)s, %(memory)s, 0.5, 0, 0, %(now)s, 'hot', false, %(classification)s);

-- write_embedding --
-- A memory's vectors in every home of the tenant, by the vector of its space; a rebuilt one replaces the former.
INSERT INTO embedding (tenant_id, space, memory_id, shelf, classification, vector)
SELECT %(tenant)s, h.space, %(memory)s, h.shelf, %(classification)s, v.vector::halfvec
FROM vector_home h JOIN unnest(%(spaces)s::text[], %(vectors)s::text[]) AS v (space, vector) ON v.space = h.space
WHERE h.tenant_id = %(tenant)s
ON CONFLICT (tenant_id, space, memory_id, shelf) DO UPDATE SET vector = excluded.vector;

-- insert_postings --
-- The terms of a memory, one row each.
INSERT INTO posting (tenant_id, term, memory_id, frequency, length, classification, live)
SELECT %(tenant)s, t.term, %(memory)s, t.frequency, %(length)s, %(classification)s, %(live)s
FROM unnest(%(terms)s::text[], %(frequencies)s::smallint[]) AS t (term, frequency)
ORDER BY t.term;

-- switch_postings --
-- Take a memory's terms out of search (superseded), or back in, by the terms it is known to have. Answers how many
-- words were met (tags left out) and how many the memory has: equal when none was missed.
WITH hit AS (
    UPDATE posting SET live = %(live)s
    WHERE tenant_id = %(tenant)s AND term = ANY (%(terms)s::text[]) AND memory_id = %(memory)s
    RETURNING term, frequency, length
) SELECT coalesce(sum(frequency) FILTER (WHERE NOT starts_with(term, '#')), 0) AS met, max(length) AS length
FROM hit;

-- switch_all_postings --
-- The same by a walk over the tenant's postings: for a memory whose terms were cut by other rules.
UPDATE posting SET live = %(live)s WHERE tenant_id = %(tenant)s AND memory_id = %(memory)s AND live <> %(live)s;

-- delete_postings --
-- Drop a memory's terms, by the terms it is known to have, before its text is rebuilt. Answers how many
-- words were met (tags left out) and how many the memory has: equal when none was missed.
WITH hit AS (
    DELETE FROM posting
    WHERE tenant_id = %(tenant)s AND term = ANY (%(terms)s::text[]) AND memory_id = %(memory)s
    RETURNING term, frequency, length
) SELECT coalesce(sum(frequency) FILTER (WHERE NOT starts_with(term, '#')), 0) AS met, max(length) AS length
FROM hit;

-- delete_all_postings --
-- The same by a walk over the tenant's postings.
DELETE FROM posting WHERE tenant_id = %(tenant)s AND memory_id = %(memory)s;

-- move_stat --
-- Move the collection's sizes for one class, and its version with every change.
INSERT INTO collection_stat AS s (tenant_id, classification, documents, total_length, version)
VALUES (%(tenant)s, %(classification)s, %(documents)s, %(length)s, 1)
ON CONFLICT (tenant_id, classification) DO UPDATE
SET documents = s.documents + excluded.documents,
    total_length = s.total_length + excluded.total_length,
    version = s.version + 1;

-- insert_links --
-- Links as given; one that stands already keeps its row and takes the stronger weight.
INSERT INTO link AS l (tenant_id, id, source_id, target_id, type, weight, confidence, origin, created_at,
                       last_verified_at, classification)
SELECT %(tenant)s, n.id, n.source, n.target, n.type, n.weight, n.confidence, n.origin, %(now)s, %(now)s, n.class
FROM unnest(%(ids)s::uuid[], %(sources)s::uuid[], %(targets)s::uuid[], %(types)s::text[], %(weights)s::float8[],
            %(confidences)s::float8[], %(classes)s::smallint[], %(origins)s::text[])
     AS n (id, source, target, type, weight, confidence, class, origin)
ON CONFLICT (tenant_id, source_id, target_id, type) DO UPDATE
SET weight = CASE WHEN l.origin = 'manual' THEN l.weight ELSE greatest(l.weight, excluded.weight) END,
    last_verified_at = excluded.last_verified_at;

-- find_weakest_links --
-- Of each of these memories that has %(most)s automatic links of likeness of one class already, the weakest of these:
-- a link to what lies above takes no place of one below, where it would be missed.
-- The inner order is that of the index link_once; see read_in_order.
SELECT placed.source_id, placed.target_id, placed.type, placed.weight, placed.classification
FROM (
    SELECT own.source_id, own.target_id, own.type, own.weight, own.classification,
           row_number() OVER (PARTITION BY own.source_id, own.classification
                              ORDER BY own.weight DESC, own.id DESC) AS place
    FROM (
        SELECT l.id, l.source_id, l.target_id, l.type, l.weight, l.classification FROM link l
        WHERE l.tenant_id = %(tenant)s AND l.source_id = ANY (%(sources)s::uuid[]) AND l.origin = 'auto'
          AND l.type || '' = 'related_to'
        ORDER BY l.source_id, l.target_id, l.type
        OFFSET 0
    ) own
) placed
WHERE placed.place = %(most)s;

-- read_in_order --
-- To the transaction's end, have an index read in its order rather than another one sorted. A tenant that is newer
-- than the planner's statistics counts as one row, every index that leads with the tenant looks as good as any, and
-- the wrong one reads all links of the tenant (25 ms at 50 000).
SELECT set_config('enable_sort', 'off', true);

-- sort_again --
-- End that: what is planned later in the transaction is kept for others, see Note [Prepared statements].
SELECT set_config('enable_sort', 'on', true);

-- delete_link --
-- Drop a link by its whole key: one by one, since a join with a list of them may read all links of the tenant.
DELETE FROM link
WHERE tenant_id = %(tenant)s AND source_id = %(source_id)s AND target_id = %(target_id)s AND type = %(type)s;

-- find_turns_beside --
-- The nearest stored turns before and after this one, in the same session, of the same owner, person and project: once as they
-- stand for who may see this turn's class, and once more for each of the classes above, where others lie between.
SELECT DISTINCT near.id, near.turn, near.classification
FROM unnest(%(ranks)s::smallint[]) AS r (rank)
CROSS JOIN LATERAL (
    (SELECT m.id, m.turn, m.classification FROM memory m
     WHERE m.tenant_id = %(tenant)s AND m.session = %(session)s AND m.turn < %(turn)s AND m.kind = 'episode'
       AND m.agent_id IS NOT DISTINCT FROM %(agent)s::uuid AND m.project_id IS NOT DISTINCT FROM %(project)s::uuid
       AND m.person = %(person)s AND m.classification <= r.rank
     ORDER BY m.turn DESC, m.id DESC LIMIT 1)
    UNION ALL
    (SELECT m.id, m.turn, m.classification FROM memory m
     WHERE m.tenant_id = %(tenant)s AND m.session = %(session)s AND m.turn > %(turn)s AND m.kind = 'episode'
       AND m.agent_id IS NOT DISTINCT FROM %(agent)s::uuid AND m.project_id IS NOT DISTINCT FROM %(project)s::uuid
       AND m.person = %(person)s AND m.classification <= r.rank
     ORDER BY m.turn, m.id LIMIT 1)
) near
ORDER BY near.turn, near.id;

-- find_said_above --
-- The highest class above %(rank)s, up to %(reach)s, at which one of these texts is kept, of rows that its writer may
-- see; %(rank)s itself where there is none.
SELECT coalesce(max(m.classification), %(rank)s::smallint) AS rank FROM memory m
WHERE m.tenant_id = %(tenant)s AND m.content_hash = ANY (%(hashes)s::bytea[])
  AND m.classification > %(rank)s::smallint AND m.classification <= %(reach)s::smallint
  AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL, %(my_projects)s::uuid[], true,
        %(me)s::uuid, %(my_domains)s::text[], %(sees_every_owner)s::boolean, %(my_person)s::text, false, NULL);

-- raise_capture --
-- Let a capture that is worked on, and the document that it is of, be of a higher class, and say so.
WITH raised AS (
    UPDATE capture SET classification = %(rank)s::smallint, trace = trace || %(entry)s::jsonb
    WHERE tenant_id = %(tenant)s AND id = %(capture)s AND classification < %(rank)s::smallint
    RETURNING document_id
)
UPDATE document d SET classification = %(rank)s::smallint
FROM raised r WHERE d.tenant_id = %(tenant)s AND d.id = r.document_id AND d.classification < %(rank)s::smallint;

-- drop_tag_terms --
-- Take tags out of what search reads of a memory.
DELETE FROM posting WHERE tenant_id = %(tenant)s AND term = ANY (%(terms)s::text[]) AND memory_id = %(memory)s;

-- add_tag_terms --
-- Put tags into it.
INSERT INTO posting (tenant_id, term, memory_id, frequency, length, classification, live)
SELECT %(tenant)s, t.term, %(memory)s, 1, %(length)s, %(classification)s, %(live)s
FROM unnest(%(terms)s::text[]) AS t (term) ORDER BY t.term
ON CONFLICT DO NOTHING;

-- place_capture --
-- The class that a capture is kept as (read: as high as its session has read or it cites; said: as high as the same words are kept
-- that its writer may see), and its place in its session: after the last turn of its own owner, person and project that
-- lies no higher than itself. So what a turn is numbered tells of nothing above it, and of nobody else's.
SELECT p.read, p.said,
       coalesce((SELECT c.turn + 1 FROM capture c
                 WHERE c.tenant_id = %(tenant)s AND c.session = %(session)s
                   AND c.agent_id IS NOT DISTINCT FROM %(agent)s::uuid
                   AND c.project_id IS NOT DISTINCT FROM %(project)s::uuid
                   AND c.person IN ('', %(my_person)s::text)
                   AND c.classification <= greatest(p.read, p.said)
                 ORDER BY c.turn DESC LIMIT 1), 0) AS turn
FROM (SELECT candor_written_class_v2(%(agent)s::uuid, %(key)s::uuid, %(project)s::uuid, %(session)s::text, %(whose)s::text,
                                     %(cites)s::jsonb, %(rank)s::smallint) AS read,
             (SELECT coalesce(max(m.classification), %(rank)s::smallint) FROM memory m
              WHERE m.tenant_id = %(tenant)s AND m.content_hash = ANY (%(hashes)s::bytea[])
                AND m.classification > %(rank)s::smallint AND m.classification <= %(reach)s::smallint
                AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL,
                      %(my_projects)s::uuid[], true, %(me)s::uuid, %(my_domains)s::text[],
                      %(sees_every_owner)s::boolean, %(my_person)s::text, false, NULL)) AS said) p;

-- find_last_place --
-- A row when %(most)s captures of the tenant wait or are worked on. A document that waits to be cut counts as the passages
-- that it will about bring, one for each %(passage_bytes)s bytes. Leans on capture_open and capture_uncut.
SELECT true AS taken FROM capture c
WHERE c.tenant_id = %(tenant)s AND c.state IN ('pending', 'processing')
ORDER BY c.created_at
OFFSET greatest(0, %(most)s::bigint - 1 - (
    SELECT coalesce(sum(octet_length(u.text) / %(passage_bytes)s), 0)::bigint FROM capture u
    WHERE u.tenant_id = %(tenant)s AND u.state IN ('pending', 'processing')
      AND u.document_id IS NOT NULL AND u.passage IS NULL))
LIMIT 1;

-- claim_capture --
-- Take a capture to work on: pending, or left lying by somebody whose lease is over. The attempt is counted and
-- committed before the work, so that what kills its worker is counted too. Leases go by the database's clock. Answers
-- with the whole row, the domains of its agent, and the parts of the write track that the tenant has switched off.
UPDATE capture c
SET state = CASE WHEN c.attempts < %(most_attempts)s THEN 'processing' ELSE 'dead' END,
    attempts = least(c.attempts + 1, %(most_attempts)s),
    lease_token = CASE WHEN c.attempts < %(most_attempts)s THEN %(token)s::uuid END,
    leased_until = CASE WHEN c.attempts < %(most_attempts)s
                        THEN clock_timestamp() + make_interval(secs => CASE
                            WHEN c.document_id IS NULL AND octet_length(c.text) <= %(short_bytes)s
                            THEN %(lease_seconds)s ELSE %(long_lease_seconds)s END) END,
    error = CASE WHEN c.attempts < %(most_attempts)s THEN c.error
                 WHEN c.error <> '' THEN c.error
                 ELSE 'its worker was lost in every attempt' END,
    waits_for = CASE WHEN c.attempts < %(most_attempts)s THEN c.waits_for ELSE '' END,
    waiting_since = CASE WHEN c.attempts < %(most_attempts)s THEN c.waiting_since END,
    finished_at = CASE WHEN c.attempts < %(most_attempts)s THEN NULL ELSE %(now)s END
WHERE (c.tenant_id, c.id) IN (
    SELECT d.tenant_id, d.id FROM capture d
    WHERE d.tenant_id = %(tenant)s AND d.id = %(capture)s
      AND (d.state = 'pending' OR (d.state = 'processing' AND d.leased_until < clock_timestamp()))
    FOR UPDATE SKIP LOCKED
)
RETURNING c.tenant_id, c.id, c.text, c.role, c.speaker, c.session, c.turn, c.clock, c.timezone, c.verbatim, c.origin,
          c.voice, c.corrects,
          c."references", c.fingerprints, c.metadata, c.secrets_found, c.document_id, c.passage, c.project_id, c.agent_id,
          c.shared, c.domain, c.person, c.layer, c.classification, c.api_key_id, c.idempotency_key, c.request_hash, c.state, c.attempts, c.lease_token,
          c.leased_until, c.trace, c.memory_ids, c.error, c.created_at, c.finished_at, c.related_at,
          c.waits_for, c.waiting_since,
          (SELECT a.domains FROM agent a WHERE a.tenant_id = c.tenant_id AND a.id = c.agent_id) AS owner_domains,
          (SELECT least(k.ceiling, a.ceiling) FROM api_key k
           LEFT JOIN agent a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
           WHERE k.tenant_id = c.tenant_id AND k.id = c.api_key_id) AS reach,
          (SELECT 'declassify' = ANY (k.scopes) FROM api_key k
           WHERE k.tenant_id = c.tenant_id AND k.id = c.api_key_id) AS may_lower,
          (SELECT t.switched_off FROM tenant t WHERE t.id = c.tenant_id) AS without;

-- reinforce_memory --
-- The same was said again: note where, and when it came from outside the agent, count it as verified (SPEC W-17).
UPDATE memory
SET last_verified_at = CASE WHEN %(outside)s THEN greatest(last_verified_at, %(said_at)s) ELSE last_verified_at END,
    metadata = CASE WHEN %(capture)s::text IS NULL OR jsonb_array_length(coalesce(metadata -> 'said_again', '[]')) >= 50
                    THEN metadata
                    ELSE jsonb_set(metadata, '{said_again}',
                                   coalesce(metadata -> 'said_again', '[]') || to_jsonb(%(capture)s::text)) END,
    updated_at = %(now)s
WHERE tenant_id = %(tenant)s AND id = %(memory)s;

-- supersede_memories --
-- Mark rows as superseded; what they said stays as it is. Rows superseded already keep their mark. Archived ones have
-- left search before.
UPDATE memory
SET standing = 2, superseded_at = %(now)s, superseded_by_id = %(by)s, updated_at = %(now)s
WHERE tenant_id = %(tenant)s AND id = ANY (%(memories)s::uuid[]) AND standing <> 2
RETURNING id, archived_at IS NOT NULL AS archived;

-- ask_question --
-- Put a contradiction on record, open or with its verdict. A pair is asked about once: one that stands keeps its row,
-- and is opened again only if it had become idle without an answer. No row: it was answered.
INSERT INTO contradiction AS q (tenant_id, id, older_id, newer_id, entity_key, concept_key, trust_gap, reason, opened_at,
                                verdict, resolved_at, resolved_by, classification)
VALUES (%(tenant)s, %(id)s, %(older)s, %(newer)s, %(entity_key)s, %(concept_key)s, %(trust_gap)s, %(reason)s, %(now)s,
        %(verdict)s, CASE WHEN %(verdict)s::text IS NOT NULL THEN %(now)s::timestamptz END, %(resolved_by)s,
        %(classification)s)
ON CONFLICT (tenant_id, older_id, newer_id) DO UPDATE
SET verdict = excluded.verdict, resolved_at = excluded.resolved_at, resolved_by = excluded.resolved_by,
    opened_at = excluded.opened_at, reason = excluded.reason
WHERE q.resolved_by = 'superseded'
RETURNING q.id;

-- close_idle_questions --
-- Close the open contradictions of a concept one side of which is superseded, or neither of which is current any more.
-- The verdict names the side that is left.
UPDATE contradiction q
SET verdict = CASE WHEN n.standing = 2 AND o.standing <> 2 THEN 'keep_old' ELSE 'accept_new' END,
    resolved_at = %(now)s, resolved_by = %(resolved_by)s
FROM memory o, memory n
WHERE q.tenant_id = %(tenant)s AND q.entity_key = %(entity_key)s AND q.concept_key = %(concept_key)s
  AND q.resolved_at IS NULL
  AND o.tenant_id = q.tenant_id AND o.id = q.older_id AND n.tenant_id = q.tenant_id AND n.id = q.newer_id
  AND (o.standing = 2 OR n.standing = 2 OR (o.standing = 1 AND n.standing = 1))
RETURNING q.id, q.verdict, q.classification;

-- find_unasked --
-- Contenders of a concept that no open question speaks of, each with the current value of its own audience. One that says
-- again what another contender says waits for the answer to that one.
SELECT w.id, w.effective_at, w.trust, c.id AS current_id, c.effective_at AS current_effective_at,
       c.trust AS current_trust, w.classification
FROM memory w
JOIN memory c ON c.tenant_id = w.tenant_id AND c.entity_key = w.entity_key AND c.concept_key = w.concept_key
    AND c.card = 'state' AND c.standing = 0 AND c.archived_at IS NULL AND c.cardinality = 'single'
    AND c.agent_id IS NOT DISTINCT FROM w.agent_id AND c.project_id IS NOT DISTINCT FROM w.project_id
    AND c.shared = w.shared AND c.domain = w.domain AND c.person = w.person AND c.classification = w.classification
    AND (c.group_id IS NULL OR c.group_id = c.id)
WHERE w.tenant_id = %(tenant)s AND w.entity_key = %(entity_key)s AND w.concept_key = %(concept_key)s
  AND w.card = 'state' AND w.standing = 1 AND w.archived_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM memory f
                  WHERE f.tenant_id = w.tenant_id AND f.group_id = w.group_id AND f.standing = 1
                    AND f.archived_at IS NULL AND (f.effective_at, f.id) < (w.effective_at, w.id))
  AND NOT EXISTS (SELECT 1 FROM contradiction q
                  WHERE q.tenant_id = w.tenant_id AND w.id IN (q.older_id, q.newer_id) AND q.resolved_at IS NULL)
ORDER BY w.effective_at, w.id;

-- finish_capture --
-- End the work on a capture, if it is still ours: a lease taken over since then answers with no row.
UPDATE capture
SET state = %(state)s, trace = %(trace)s::jsonb, memory_ids = %(memories)s::jsonb, error = %(error)s,
    lease_token = NULL, leased_until = NULL, finished_at = %(now)s, waits_for = '', waiting_since = NULL
WHERE tenant_id = %(tenant)s AND id = %(capture)s AND state = 'processing' AND lease_token = %(token)s
RETURNING id;

-- cut_capture --
-- Make of the capture that held a whole document, if it is still ours, that of its first passage, which waits anew.
UPDATE capture
SET text = %(text)s, metadata = %(metadata)s::jsonb, passage = 0, state = 'pending', attempts = 0, error = '', trace = '[]'::jsonb,
    lease_token = NULL, leased_until = clock_timestamp() + make_interval(secs => %(hint_seconds)s), waits_for = '', waiting_since = NULL
WHERE tenant_id = %(tenant)s AND id = %(capture)s AND state = 'processing' AND lease_token = %(token)s
RETURNING id;

-- postpone_capture --
-- Give a capture back because something is out: its attempt is not counted. The pause is what was asked for or, without,
-- as long as it has waited, from %(first_seconds)s up to %(longest_seconds)s: so it doubles. Of it a drawn share is taken.
UPDATE capture
SET state = 'pending', attempts = greatest(0, attempts - 1), lease_token = NULL, error = '', trace = %(trace)s::jsonb,
    waits_for = %(waits_for)s, waiting_since = coalesce(waiting_since, clock_timestamp()),
    leased_until = clock_timestamp() + make_interval(secs => least(%(longest_seconds)s::float8, coalesce(
        %(asked_seconds)s::float8 + %(share)s * %(first_seconds)s,
        %(share)s * greatest(%(first_seconds)s::float8,
                             extract(epoch FROM clock_timestamp() - coalesce(waiting_since, clock_timestamp()))::float8),
        0)))
WHERE tenant_id = %(tenant)s AND id = %(capture)s AND state = 'processing' AND lease_token = %(token)s
RETURNING id;

-- release_capture --
-- Give a capture back after a failure: to be tried again after a pause, or dead when its attempts are used up.
UPDATE capture
SET state = CASE WHEN attempts < %(most_attempts)s THEN 'pending' ELSE 'dead' END,
    lease_token = NULL, error = %(error)s, trace = %(trace)s::jsonb, waits_for = '', waiting_since = NULL,
    leased_until = CASE WHEN attempts < %(most_attempts)s
                        THEN clock_timestamp() + make_interval(secs => %(pause_seconds)s * 2 ^ (attempts - 1)) END,
    finished_at = CASE WHEN attempts < %(most_attempts)s THEN NULL ELSE %(now)s::timestamptz END
WHERE tenant_id = %(tenant)s AND id = %(capture)s AND state = 'processing' AND lease_token = %(token)s
RETURNING state;
