-- Tags, links and summaries, seen to again night by night (SPEC E-04). Every statement says the tenant itself.

-- find_due --
-- Of the next %(scanned)s live memories after %(after)s, by id, the first %(most)s that were not seen to since
-- %(before)s; `last`: how far was looked. What: 'tags' or 'links'.
WITH looked AS MATERIALIZED (
    SELECT u.memory_id, CASE %(what)s WHEN 'tags' THEN u.tagged_at ELSE u.linked_at END AS seen_at
    FROM usage u
    WHERE u.tenant_id = %(tenant)s AND u.memory_id > %(after)s::uuid
    ORDER BY u.memory_id LIMIT %(scanned)s
), due AS (
    SELECT l.memory_id
    FROM looked l JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = l.memory_id
    WHERE m.standing <> 2 AND m.archived_at IS NULL AND coalesce(l.seen_at, m.created_at) < %(before)s
    ORDER BY l.memory_id LIMIT %(most)s
)
SELECT ARRAY(SELECT memory_id FROM due ORDER BY memory_id) AS due,
       (SELECT memory_id FROM looked ORDER BY memory_id DESC LIMIT 1) AS last,
       (SELECT count(*) FROM looked) AS looked;

-- note_seen --
-- Note that these memories were seen to.
UPDATE usage u
SET tagged_at = CASE %(what)s WHEN 'tags' THEN %(now)s ELSE u.tagged_at END,
    linked_at = CASE %(what)s WHEN 'links' THEN %(now)s ELSE u.linked_at END
FROM (SELECT memory_id FROM usage
      WHERE tenant_id = %(tenant)s AND memory_id = ANY (%(memories)s::uuid[])
      ORDER BY memory_id FOR NO KEY UPDATE) held
WHERE u.tenant_id = %(tenant)s AND u.memory_id = held.memory_id;

-- change_tags --
-- Other automatic tags, of a memory whose text and tags are those that were looked at.
UPDATE memory SET tags = %(tags)s::text[], updated_at = %(now)s
WHERE tenant_id = %(tenant)s AND id = %(memory)s AND version = %(version)s AND tags = %(former)s::text[]
RETURNING id;

-- read_vector --
-- A memory's vector where it is read, as text; none: no row.
SELECT e.vector::text AS vector FROM embedding e
WHERE e.tenant_id = %(tenant)s AND e.space = %(space)s AND e.shelf = %(shelf)s AND e.memory_id = %(memory)s;

-- find_likenesses --
-- The found links of likeness of a memory, with the cosine of both ends now; NULL where one has no vector.
SELECT l.target_id, t.kind, t.speaker, l.confidence,
       (SELECT -(e.vector <#> %(vector)s::halfvec) FROM embedding e
        WHERE e.tenant_id = %(tenant)s AND e.space = %(space)s AND e.shelf = %(shelf)s
          AND e.memory_id = l.target_id) AS cosine
FROM link l JOIN memory t ON t.tenant_id = %(tenant)s AND t.id = l.target_id
WHERE l.tenant_id = %(tenant)s AND l.source_id = %(memory)s AND l.type = 'related_to' AND l.origin <> 'manual'
ORDER BY l.target_id;

-- weigh_links --
-- Both directions of a memory's links of likeness as they are now. One above %(floor)s is verified by that; another
-- keeps the time at which it was last.
UPDATE link l
SET confidence = n.confidence,
    last_verified_at = CASE WHEN n.confidence > %(floor)s THEN %(now)s ELSE l.last_verified_at END
FROM (SELECT h.id, g.confidence
      FROM unnest(%(others)s::uuid[], %(confidences)s::float8[]) AS g (other, confidence)
      JOIN link h ON h.tenant_id = %(tenant)s AND h.type = 'related_to' AND h.origin <> 'manual'
                 AND (h.source_id, h.target_id) IN ((%(memory)s::uuid, g.other), (g.other, %(memory)s::uuid))) n
WHERE l.tenant_id = %(tenant)s AND l.id = n.id;

-- prune_stale --
-- Drop links that are doubtful and were not verified since %(before)s, at most %(most)s. Leans on link_doubtful.
WITH stale AS (
    SELECT l.id FROM link l
    WHERE l.tenant_id = %(tenant)s AND l.confidence <= 0.35 AND NOT (l.origin = 'manual')
      AND l.last_verified_at < %(before)s
    ORDER BY l.id LIMIT %(most)s
), gone AS (
    DELETE FROM link l USING stale s
    WHERE l.tenant_id = %(tenant)s AND l.id = s.id AND NOT %(dry_run)s
    RETURNING l.id
) SELECT CASE WHEN %(dry_run)s THEN (SELECT count(*) FROM stale) ELSE (SELECT count(*) FROM gone) END AS size;

-- prune_keys --
-- Forget the idempotency keys of captures taken before %(before)s, at most %(most)s. Leans on capture_keyed.
WITH expired AS (
    SELECT c.id FROM capture c
    WHERE c.tenant_id = %(tenant)s AND c.idempotency_key IS NOT NULL AND c.created_at <= %(before)s
    ORDER BY c.created_at LIMIT %(most)s
), emptied AS (
    UPDATE capture c SET idempotency_key = NULL, request_hash = NULL FROM expired e
    WHERE c.tenant_id = %(tenant)s AND c.id = e.id AND NOT %(dry_run)s
    RETURNING c.id
) SELECT CASE WHEN %(dry_run)s THEN (SELECT count(*) FROM expired) ELSE (SELECT count(*) FROM emptied) END AS size;

-- prune_requests --
-- Forget the requests that were done under an idempotency key before %(before)s, at most %(most)s. Leans on done_request_at.
WITH expired AS (
    SELECT r.id FROM done_request r WHERE r.tenant_id = %(tenant)s AND r.created_at <= %(before)s
    ORDER BY r.created_at LIMIT %(most)s
), gone AS (
    DELETE FROM done_request r USING expired e
    WHERE r.tenant_id = %(tenant)s AND r.id = e.id AND NOT %(dry_run)s
    RETURNING r.id
) SELECT CASE WHEN %(dry_run)s THEN (SELECT count(*) FROM expired) ELSE (SELECT count(*) FROM gone) END AS size;

-- prune_crowded --
-- Of each memory in a span that has more than %(most_links)s found links of likeness of one class, drop the weakest
-- beyond these: what lies above takes no place of what is seen below.
WITH crowd AS (
    SELECT p.id
    FROM (SELECT l.id, row_number() OVER (PARTITION BY l.source_id, l.classification
                                           ORDER BY l.weight DESC, l.id DESC) AS place
          FROM link l
          WHERE l.tenant_id = %(tenant)s AND l.source_id > %(after)s::uuid AND l.source_id <= %(upto)s::uuid
            AND l.type = 'related_to' AND l.origin = 'auto') p
    WHERE p.place > %(most_links)s
), gone AS (
    DELETE FROM link l USING crowd c
    WHERE l.tenant_id = %(tenant)s AND l.id = c.id AND NOT %(dry_run)s
    RETURNING l.id
) SELECT CASE WHEN %(dry_run)s THEN (SELECT count(*) FROM crowd) ELSE (SELECT count(*) FROM gone) END AS size;

-- find_unsummarised --
-- Passages in a span whose summary is of another text or was written for another tier, and those without any; with
-- %(memories)s these memories instead, whatever they have.
SELECT m.id, m.content, m.content_hash, m.classification, u.tier
FROM memory m
JOIN usage u ON u.tenant_id = %(tenant)s AND u.memory_id = m.id
LEFT JOIN summary s ON s.tenant_id = %(tenant)s AND s.memory_id = m.id
WHERE m.tenant_id = %(tenant)s AND m.standing <> 2 AND m.archived_at IS NULL
  AND CASE WHEN %(memories)s::uuid[] IS NULL
           THEN m.id > %(after)s::uuid AND m.id <= %(upto)s::uuid AND m.kind = 'passage'
                AND (s.id IS NULL OR s.content_hash <> m.content_hash OR s.created_at < u.tier_at)
           ELSE m.id = ANY (%(memories)s::uuid[]) END
ORDER BY m.id;

-- claim_captures --
-- Due captures of the tenant, oldest first, put up for hinting again: what `candor_claim_due` does for all tenants.
UPDATE capture c
SET state = 'pending', lease_token = NULL, leased_until = now() + make_interval(secs => %(grace_seconds)s)
WHERE c.tenant_id = %(tenant)s AND c.id IN (
    SELECT d.id FROM capture d
    WHERE d.tenant_id = %(tenant)s AND d.state IN ('pending', 'processing')
      AND (d.leased_until IS NULL OR d.leased_until < now())
    ORDER BY d.leased_until NULLS FIRST, d.created_at LIMIT %(most)s
    FOR UPDATE SKIP LOCKED)
RETURNING c.id;
