-- Entities, triples and what discussed them: built beside the memories, after they are stored (SPEC M-10, W-16).
-- To be run as the pipeline, at full clearance, unless it is said otherwise.

-- find_told --
-- What these memories tell, and those of a capture that is stored; oldest first.
SELECT m.id, m.content, m.kind, m.card, m.classification, m.provenance, m.speaker, m.entities, m.entity_key,
       m.concept_key, m.value, m.version, m.session, m.document_id, m.content_hash, m.person
FROM memory m
WHERE m.tenant_id = %(tenant)s
  AND m.id = ANY (%(memories)s::uuid[] || ARRAY(
          SELECT jsonb_array_elements_text(c.memory_ids)::uuid FROM capture c
          WHERE c.tenant_id = %(tenant)s AND c.id = %(capture)s::uuid AND c.state = 'stored'))
ORDER BY m.created_at, m.id;

-- mark_related --
-- Mark a capture as related, in the transaction that builds what stands beside its memories; its trace tells so.
UPDATE capture
SET related_at = %(now)s,
    trace = jsonb_path_query_array(trace, '$[*] ? (@.step != "beside")') || %(entry)s::jsonb
WHERE tenant_id = %(tenant)s AND id = %(capture)s AND state = 'stored';

-- find_names --
-- Who goes by these names, of any class: by a row of their own, or by an alias.
SELECT a.key, a.entity_id, a.classification AS rank, e.classification AS entity_rank, true AS is_alias,
       a.origin = 'manual' AS is_manual
FROM entity_alias a
JOIN entity e ON e.tenant_id = a.tenant_id AND e.id = a.entity_id
WHERE a.tenant_id = %(tenant)s AND a.key = ANY (%(keys)s::text[])
UNION ALL
SELECT e.key, e.id, e.classification, e.classification, false, false
FROM entity e
WHERE e.tenant_id = %(tenant)s AND e.key = ANY (%(keys)s::text[]);

-- insert_entities --
-- New entities, not spoken of yet.
INSERT INTO entity (tenant_id, id, key, name, type, salience, created_at, last_seen_at, classification)
SELECT %(tenant)s, n.id, n.key, n.name, n.type, 0, %(now)s, %(now)s, n.rank
FROM unnest(%(ids)s::uuid[], %(keys)s::text[], %(names)s::text[], %(types)s::text[], %(ranks)s::smallint[])
     AS n (id, key, name, type, rank)
ORDER BY n.key
ON CONFLICT (tenant_id, key, classification) DO NOTHING;

-- set_aliases --
-- Names and whom they mean from now on; what a person said stands.
INSERT INTO entity_alias AS a (tenant_id, id, entity_id, key, origin, confidence, created_at, classification)
SELECT %(tenant)s, n.id, n.entity, n.key, %(origin)s, 1, %(now)s, n.rank
FROM unnest(%(ids)s::uuid[], %(entities)s::uuid[], %(keys)s::text[], %(ranks)s::smallint[])
     AS n (id, entity, key, rank)
ORDER BY n.key
ON CONFLICT (tenant_id, key, classification) DO UPDATE
SET entity_id = excluded.entity_id, origin = excluded.origin
WHERE a.origin <> 'manual' OR excluded.origin = 'manual';

-- write_mentions --
-- Who is spoken of in which memory, with the memory's class; and how much that is in all. The salience in the row
-- counts the memories of the row's own class: m / (m + 4), from which m is had back (see entities.SALIENCE_HALF).
WITH written AS (
    INSERT INTO mention AS n (tenant_id, id, entity_id, memory_id, names, keys, type, created_at, classification)
    SELECT %(tenant)s, w.id, w.entity, m.id,
           ARRAY(SELECT jsonb_array_elements_text(w.names)), ARRAY(SELECT jsonb_array_elements_text(w.keys)), w.type,
           %(now)s, m.classification
    FROM unnest(%(ids)s::uuid[], %(entities)s::uuid[], %(memories)s::uuid[], %(names)s::jsonb[], %(keys)s::jsonb[],
                %(types)s::text[]) AS w (id, entity, memory, names, keys, type)
    JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = w.memory
    ORDER BY w.entity, m.id
    ON CONFLICT (tenant_id, entity_id, memory_id) DO UPDATE
    SET names = excluded.names, keys = excluded.keys, type = excluded.type,
        classification = greatest(n.classification, excluded.classification)
    RETURNING n.entity_id, n.classification, n.type, n.xmax = 0 AS is_new
), counted AS (
    SELECT w.entity_id, max(w.type) FILTER (WHERE w.type <> 'thing' AND w.classification = e.classification) AS type,
           count(*) FILTER (WHERE w.is_new AND w.classification = e.classification) AS more
    FROM written w JOIN entity e ON e.tenant_id = %(tenant)s AND e.id = w.entity_id
    GROUP BY w.entity_id
)
UPDATE entity e
SET salience = (4 * e.salience / (1 - e.salience) + c.more) / (4 * e.salience / (1 - e.salience) + c.more + 4),
    type = CASE WHEN e.type = 'thing' THEN coalesce(c.type, e.type) ELSE e.type END,
    last_seen_at = greatest(e.last_seen_at, %(now)s)
FROM counted c
WHERE e.tenant_id = %(tenant)s AND e.id = c.entity_id;

-- drop_mentions --
-- Mentions of rewritten memories that their text has no more.
DELETE FROM mention n
WHERE n.tenant_id = %(tenant)s AND n.memory_id = ANY (%(rewritten)s::uuid[])
  AND NOT EXISTS (SELECT FROM unnest(%(entities)s::uuid[], %(memories)s::uuid[]) AS k (entity, memory)
                  WHERE k.entity = n.entity_id AND k.memory = n.memory_id);

-- move_mentions --
-- Let what spoke of one entity speak of another: at the clearance in force, so that nothing unseen is touched.
WITH gone AS (
    DELETE FROM mention WHERE tenant_id = %(tenant)s AND entity_id = %(former)s
    RETURNING id, memory_id, names, keys, type, created_at, classification
)
INSERT INTO mention AS n (tenant_id, id, entity_id, memory_id, names, keys, type, created_at, classification)
SELECT %(tenant)s, g.id, %(entity)s, g.memory_id, g.names, g.keys, g.type, g.created_at, g.classification FROM gone g
ON CONFLICT (tenant_id, entity_id, memory_id) DO UPDATE
SET names = n.names || ARRAY(SELECT e.name FROM unnest(excluded.names, excluded.keys) WITH ORDINALITY AS e (name, key, at)
                             WHERE e.key <> ALL (n.keys) ORDER BY e.at),
    keys = n.keys || ARRAY(SELECT e.key FROM unnest(excluded.keys) WITH ORDINALITY AS e (key, at)
                           WHERE e.key <> ALL (n.keys) ORDER BY e.at)
RETURNING n.id;

-- split_mentions --
-- Let what spoke of one entity by this name speak of another, at the clearance in force; a memory that has other names
-- of the former, too, speaks of both. Returns the memories that speak of the former no more.
WITH meant AS (
    SELECT n.* FROM mention n
    WHERE n.tenant_id = %(tenant)s AND n.entity_id = %(former)s AND %(key)s = ANY (n.keys)
), gone AS (
    DELETE FROM mention n USING meant m
    WHERE n.tenant_id = %(tenant)s AND n.id = m.id AND array_remove(m.keys, %(key)s) = '{}'
    RETURNING n.memory_id
), kept AS (
    UPDATE mention n
    SET names = ARRAY(SELECT e.name FROM unnest(m.names, m.keys) WITH ORDINALITY AS e (name, key, at)
                      WHERE e.key <> %(key)s AND e.name IS NOT NULL ORDER BY e.at),
        keys = array_remove(m.keys, %(key)s)
    FROM meant m
    WHERE n.tenant_id = %(tenant)s AND n.id = m.id AND array_remove(m.keys, %(key)s) <> '{}'
), written AS (
    INSERT INTO mention AS n (tenant_id, id, entity_id, memory_id, names, keys, type, created_at, classification)
    SELECT %(tenant)s, gen_random_uuid(), %(entity)s, m.memory_id,
           ARRAY(SELECT coalesce(e.name, e.key) FROM unnest(m.names, m.keys) AS e (name, key) WHERE e.key = %(key)s),
           ARRAY[%(key)s], m.type, m.created_at, m.classification
    FROM meant m
    ON CONFLICT (tenant_id, entity_id, memory_id) DO NOTHING
)
SELECT memory_id FROM gone;

-- split_triples --
-- Let what these memories said of one entity be said of another.
UPDATE triple t
SET subject_id = CASE WHEN t.subject_id = %(former)s THEN %(entity)s ELSE t.subject_id END,
    object_id = CASE WHEN t.object_id = %(former)s THEN %(entity)s ELSE t.object_id END
WHERE t.tenant_id = %(tenant)s AND t.memory_id = ANY (%(memories)s::uuid[])
  AND (t.subject_id = %(former)s OR t.object_id = %(former)s)
RETURNING t.id;

-- move_triples --
-- Let what was said of one entity be said of another, once.
WITH twice AS (
    DELETE FROM triple t USING triple s
    WHERE t.tenant_id = %(tenant)s AND t.subject_id = %(former)s AND s.tenant_id = t.tenant_id
      AND s.subject_id = %(entity)s AND s.memory_id = t.memory_id AND s.predicate = t.predicate
      AND s.object_text = t.object_text
    RETURNING t.id
)
UPDATE triple t
SET subject_id = CASE WHEN t.subject_id = %(former)s THEN %(entity)s ELSE t.subject_id END,
    object_id = CASE WHEN t.object_id = %(former)s THEN %(entity)s ELSE t.object_id END
WHERE t.tenant_id = %(tenant)s AND (t.subject_id = %(former)s OR t.object_id = %(former)s)
  AND NOT EXISTS (SELECT FROM twice w WHERE w.id = t.id)
RETURNING t.id;

-- move_aliases --
-- Let the names of one entity mean another.
UPDATE entity_alias SET entity_id = %(entity)s WHERE tenant_id = %(tenant)s AND entity_id = %(former)s;

-- weigh_entities --
-- How much these are spoken of, counted anew.
UPDATE entity e
SET salience = (SELECT count(*) / (count(*) + 4.0) FROM mention n
                WHERE n.tenant_id = e.tenant_id AND n.entity_id = e.id AND n.classification = e.classification)
WHERE e.tenant_id = %(tenant)s AND e.id = ANY (%(entities)s::uuid[]);

-- write_triples --
-- What these memories say, with their provenance, validity and class. Subject and object are names as the memory's
-- mentions know them; of what is said of nobody it mentions nothing is written. What a rewritten memory says no more is
-- marked; that a memory was superseded is read from the memory itself, wherever a triple is shown.
WITH said AS (
    SELECT DISTINCT ON (m.id, s.entity_id, w.predicate, w.object_text)
           m.*, w.id AS triple_id, s.entity_id AS subject, w.predicate, o.entity_id AS object, w.object_text
    FROM unnest(%(ids)s::uuid[], %(memories)s::uuid[], %(subjects)s::text[], %(predicates)s::text[], %(objects)s::text[],
                %(texts)s::text[]) AS w (id, memory, subject, predicate, object, object_text)
    JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = w.memory
    CROSS JOIN LATERAL (
        SELECT n.entity_id FROM mention n
        WHERE n.tenant_id = %(tenant)s AND n.memory_id = w.memory AND w.subject = ANY (n.keys)
        ORDER BY n.created_at DESC, n.id DESC LIMIT 1
    ) s
    LEFT JOIN LATERAL (
        SELECT n.entity_id FROM mention n
        WHERE n.tenant_id = %(tenant)s AND n.memory_id = w.memory AND w.object = ANY (n.keys)
        ORDER BY n.created_at DESC, n.id DESC LIMIT 1
    ) o ON true
    ORDER BY m.id, s.entity_id, w.predicate, w.object_text, w.id
), outdated AS (
    UPDATE triple t SET superseded_at = %(now)s
    WHERE t.tenant_id = %(tenant)s AND t.memory_id = ANY (%(rewritten)s::uuid[]) AND t.superseded_at IS NULL
      AND NOT EXISTS (SELECT FROM said s WHERE s.id = t.memory_id AND s.subject = t.subject_id
                        AND s.predicate = t.predicate AND s.object_text = t.object_text)
)
INSERT INTO triple AS t (tenant_id, id, memory_id, subject_id, predicate, object_id, object_text, provenance, trust,
                         effective_at, valid_from, valid_until, created_at, classification)
SELECT %(tenant)s, s.triple_id, s.id, s.subject, s.predicate, s.object, s.object_text, s.provenance, s.trust,
       s.effective_at, s.valid_from, s.valid_until, %(now)s, s.classification
FROM said s
ON CONFLICT (tenant_id, memory_id, subject_id, predicate, object_text) DO UPDATE
SET object_id = excluded.object_id, trust = excluded.trust, superseded_at = NULL,
    classification = greatest(t.classification, excluded.classification);

-- link_discussions --
-- Link knowledge with what of its session speaks of at least %(least)s of its entities. The weight is the share of
-- its entities; of automatic links of this type a memory keeps the %(most)s strongest of each class. Of a session the
-- latest %(deepest)s are looked at that lie no higher than the memory, and as many of each class above it: what is
-- hidden from who may see the memory takes no place of what is not.
WITH own AS (
    SELECT m.id, m.card, m.session, m.agent_id, m.project_id, m.person, m.classification FROM memory m
    WHERE m.tenant_id = %(tenant)s AND m.id = ANY (%(memories)s::uuid[]) AND m.session <> ''
), met AS (
    SELECT DISTINCT CASE WHEN b.card = 'knowledge' THEN b.id ELSE o.id END AS source,
           CASE WHEN b.card = 'knowledge' THEN o.id ELSE b.id END AS target,
           greatest(b.classification, o.classification) AS rank
    FROM own b
    CROSS JOIN LATERAL (
        SELECT near.id, near.card, near.classification
        FROM generate_series(b.classification, 3) AS r (rank)
        CROSS JOIN LATERAL (
            SELECT m.id, m.card, m.classification FROM memory m
            WHERE m.tenant_id = %(tenant)s AND m.session = b.session AND m.id <> b.id AND m.archived_at IS NULL
              AND m.agent_id IS NOT DISTINCT FROM b.agent_id AND m.project_id IS NOT DISTINCT FROM b.project_id
              AND m.person = b.person
              AND (m.card = 'knowledge') <> (b.card = 'knowledge')
              AND CASE WHEN r.rank = b.classification THEN m.classification <= r.rank
                       ELSE m.classification = r.rank END
            ORDER BY m.turn DESC, m.id DESC LIMIT %(deepest)s
        ) near
        WHERE r.rank = b.classification
           OR EXISTS (SELECT FROM collection_stat s
                      WHERE s.tenant_id = %(tenant)s AND s.classification = r.rank AND s.documents > 0)
    ) o
), shared AS (
    SELECT p.source, p.target, p.rank, count(*)::float8
           / (SELECT count(*) FROM mention n WHERE n.tenant_id = %(tenant)s AND n.memory_id = p.source) AS weight
    FROM met p
    JOIN mention a ON a.tenant_id = %(tenant)s AND a.memory_id = p.source
    JOIN mention b ON b.tenant_id = %(tenant)s AND b.memory_id = p.target AND b.entity_id = a.entity_id
    GROUP BY p.source, p.target, p.rank
    HAVING count(*) >= %(least)s
), placed AS (
    SELECT c.source, c.target, c.is_new, row_number() OVER (
               PARTITION BY c.source, c.rank ORDER BY c.weight DESC, c.is_new, c.target DESC) AS place
    FROM (
        SELECT s.source, s.target, s.rank, s.weight, true AS is_new FROM shared s
        UNION ALL
        SELECT l.source_id, l.target_id, l.classification, l.weight, false FROM link l
        WHERE l.tenant_id = %(tenant)s AND l.source_id = ANY (ARRAY(SELECT source FROM shared))
          AND l.type = 'references' AND l.origin = 'auto'
          AND NOT EXISTS (SELECT FROM shared s WHERE s.source = l.source_id AND s.target = l.target_id)
    ) c
), evicted AS (
    DELETE FROM link l USING placed p
    WHERE l.tenant_id = %(tenant)s AND l.source_id = p.source AND l.target_id = p.target AND l.type = 'references'
      AND l.origin = 'auto' AND NOT p.is_new AND p.place > %(most)s
)
INSERT INTO link AS l (tenant_id, id, source_id, target_id, type, weight, confidence, origin, created_at,
                       last_verified_at, classification)
SELECT %(tenant)s, gen_random_uuid(), s.source, s.target, 'references', s.weight, 1, 'auto', %(now)s, %(now)s, s.rank
FROM shared s JOIN placed p ON p.source = s.source AND p.target = s.target AND p.is_new AND p.place <= %(most)s
ON CONFLICT (tenant_id, source_id, target_id, type) DO UPDATE
SET weight = CASE WHEN l.origin = 'auto' THEN excluded.weight ELSE l.weight END, last_verified_at = excluded.last_verified_at;
