-- What facts are bound to: reports of how it looks now (SPEC E-07), and what the night finds due (E-08, E-14).

-- find_bound --
-- The live facts of one project that the viewer may see and that are bound to one of these handles; locked in one order.
SELECT w.memory_id, w.kind, w.name, w.scope, w.value, w.seen, w.classification
FROM unnest(%(kinds)s::text[], %(names)s::text[], %(scopes)s::text[]) AS h (kind, name, scope)
JOIN watermark w ON w.tenant_id = %(tenant)s AND w.kind = h.kind AND w.name = h.name AND w.scope = h.scope
JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = w.memory_id
WHERE m.standing <> 2 AND m.archived_at IS NULL AND m.project_id IS NOT DISTINCT FROM %(project)s::uuid
  AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL, %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid,
                     %(my_domains)s::text[], %(sees_every_owner)s::boolean, %(my_person)s::text, %(sees_every_person)s::boolean, %(at)s::timestamptz)
ORDER BY w.memory_id
FOR UPDATE OF w;

-- list_handles --
-- What the live facts of one project that the viewer may see are bound to: a handle with how many facts, the one that was
-- bound last first. id: of the watermark that was.
SELECT h.* FROM (
    SELECT w.kind, w.name, w.scope, count(*) AS facts, bool_or(w.seen <> w.value) AS moved, max(w.bound_at) AS bound_at,
           max(w.seen_at) AS seen_at, max(w.classification) AS classification,
           (array_agg(w.id ORDER BY w.bound_at DESC, w.id DESC))[1] AS id
    FROM watermark w
    JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = w.memory_id
    WHERE w.tenant_id = %(tenant)s
      AND m.standing <> 2 AND m.archived_at IS NULL AND m.project_id IS NOT DISTINCT FROM %(project)s::uuid
      AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL, %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid,
                         %(my_domains)s::text[], %(sees_every_owner)s::boolean, %(my_person)s::text, %(sees_every_person)s::boolean, %(at)s::timestamptz)
    GROUP BY w.kind, w.name, w.scope
) h
WHERE %(after)s::timestamptz IS NULL OR (h.bound_at, h.id) < (%(after)s::timestamptz, %(after_id)s::uuid)
ORDER BY h.bound_at DESC, h.id DESC
LIMIT %(most)s;

-- verify_memories --
-- The facts were found to hold: as good as a look at them (SPEC R-05).
WITH held AS (
    UPDATE watermark SET seen_at = %(now)s WHERE tenant_id = %(tenant)s AND memory_id = ANY (%(memories)s::uuid[])
)
UPDATE memory SET last_verified_at = greatest(last_verified_at, %(now)s::timestamptz)
WHERE tenant_id = %(tenant)s AND id = ANY (%(memories)s::uuid[]);

-- take_back --
-- What had moved looks again as it did.
UPDATE watermark SET seen = value, seen_at = %(now)s
WHERE tenant_id = %(tenant)s AND memory_id = ANY (%(memories)s::uuid[]);

-- move_watermarks --
-- What facts are bound to looks otherwise; since when is kept from the first move on.
UPDATE watermark w
SET seen = n.seen, seen_at = %(now)s, factor = n.factor, moved_at = coalesce(w.moved_at, %(now)s::timestamptz)
FROM unnest(%(memories)s::uuid[], %(seen)s::text[], %(factors)s::float8[]) AS n (memory_id, seen, factor)
WHERE w.tenant_id = %(tenant)s AND w.memory_id = n.memory_id;

-- note_observations --
-- Keep what was seen until it is known whether the facts had changed (SPEC E-09): one open row for a fact and for
-- moved or not.
INSERT INTO observation AS o (tenant_id, id, memory_id, kind, moved, times, session, first_at, last_at, classification)
SELECT %(tenant)s, gen_random_uuid(), n.memory_id, n.kind, %(moved)s::boolean, 1, %(session)s::text, %(now)s, %(now)s,
       m.classification
FROM unnest(%(memories)s::uuid[], %(kinds)s::text[]) AS n (memory_id, kind)
JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = n.memory_id
ON CONFLICT (tenant_id, memory_id, moved) WHERE settled_at IS NULL DO UPDATE
SET times = o.times + 1, last_at = excluded.last_at, session = excluded.session;

-- find_false_alarms --
-- Those of the facts whose watermark moved at least %(enough)s times while they held (SPEC E-09), since they were bound.
SELECT m.id AS memory_id, m.content
FROM memory m
JOIN watermark w ON w.tenant_id = %(tenant)s AND w.memory_id = m.id
WHERE m.tenant_id = %(tenant)s AND m.id = ANY (%(memories)s::uuid[])
  AND (SELECT count(*) FROM observation o
       WHERE o.tenant_id = %(tenant)s AND o.memory_id = m.id AND o.moved AND NOT o.changed AND o.kind = w.kind
         AND o.settled_at >= w.bound_at) >= %(enough)s;

-- rebind_watermarks --
-- Bind facts that are known to hold to other handles, looking as these do now.
UPDATE watermark w
SET kind = n.kind, name = n.name, scope = n.scope, value = n.value, seen = n.value, bound_at = %(now)s, seen_at = %(now)s
FROM unnest(%(memories)s::uuid[], %(kinds)s::text[], %(names)s::text[], %(scopes)s::text[], %(values)s::text[])
     AS n (memory_id, kind, name, scope, value)
WHERE w.tenant_id = %(tenant)s AND w.memory_id = n.memory_id AND w.moved_at IS NULL;

-- count_observations --
-- What was seen of the watermarks of a project's facts, as far as the viewer may see these, and what then was known of
-- the facts: by kind of handle (SPEC E-09).
SELECT o.kind, count(*) FILTER (WHERE o.moved AND o.changed) AS moved_changed,
       count(*) FILTER (WHERE o.moved AND NOT o.changed) AS moved_held,
       count(*) FILTER (WHERE NOT o.moved AND o.changed) AS still_changed,
       count(*) FILTER (WHERE NOT o.moved AND NOT o.changed) AS still_held,
       count(*) FILTER (WHERE o.changed IS NULL) AS unknown
FROM observation o JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = o.memory_id
WHERE o.tenant_id = %(tenant)s AND m.project_id IS NOT DISTINCT FROM %(project)s::uuid
  AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL, %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid,
                     %(my_domains)s::text[], %(sees_every_owner)s::boolean, %(my_person)s::text, %(sees_every_person)s::boolean, %(at)s::timestamptz)
GROUP BY o.kind ORDER BY o.kind;

-- list_noisy --
-- The handles whose moves most often left the facts of a project as they were, as far as the viewer may see these.
SELECT w.kind, w.name, w.scope, count(DISTINCT m.id) AS facts, count(*) AS false_alarms
FROM watermark w
JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = w.memory_id
JOIN observation o ON o.tenant_id = %(tenant)s AND o.memory_id = m.id AND o.kind = w.kind AND o.moved AND NOT o.changed
                  AND o.settled_at >= w.bound_at
WHERE w.tenant_id = %(tenant)s AND m.standing <> 2 AND m.archived_at IS NULL
  AND m.project_id IS NOT DISTINCT FROM %(project)s::uuid
  AND candor_visible_v3(m.project_id, m.agent_id, m.shared, m.domain, m.person, NULL, NULL, %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid,
                     %(my_domains)s::text[], %(sees_every_owner)s::boolean, %(my_person)s::text, %(sees_every_person)s::boolean, %(at)s::timestamptz)
GROUP BY w.kind, w.name, w.scope
ORDER BY false_alarms DESC, w.kind, w.name, w.scope
LIMIT %(most)s;

-- doubt_facts --
-- Put facts into the verify-first queue, each once.
INSERT INTO verification (tenant_id, id, memory_id, reason, what, session, opened_at, resolved_by, classification)
SELECT %(tenant)s, gen_random_uuid(), m.id, 'moved', %(what)s::text, %(session)s::text, %(now)s, '', m.classification
FROM memory m WHERE m.tenant_id = %(tenant)s AND m.id = ANY (%(memories)s::uuid[])
ON CONFLICT (tenant_id, memory_id, reason, evidence_id) WHERE resolved_at IS NULL DO NOTHING
RETURNING id, classification;

-- queue_aged --
-- States with nothing to check them against whose review score fell: max(min(floor, start), start · kept ^ weeks), the
-- closed form of memories.domain.review_due. Those that wait already are left out, and those that somebody dismissed
-- since they were verified last. The stalest %(most)s first.
WITH stale AS (
    SELECT m.id, m.classification, m.trust, m.last_verified_at,
           greatest(0, floor(extract(epoch FROM %(now)s::timestamptz - m.last_verified_at) / 604800))::int AS weeks
    FROM memory m
    WHERE m.tenant_id = %(tenant)s AND m.card = 'state' AND m.standing = 0 AND m.archived_at IS NULL
      AND m.provenance <> %(exempt)s::text AND m.last_verified_at <= %(now)s::timestamptz - interval '7 days'
      AND (m.valid_until IS NULL OR m.valid_until > %(now)s::timestamptz)
), due AS (
    SELECT s.id, s.classification, s.last_verified_at
    FROM stale s
    WHERE greatest(least(%(floor)s::float8, s.trust), s.trust * %(kept)s::float8 ^ s.weeks) < %(below)s::float8
      AND s.trust >= %(below)s::float8
      AND NOT EXISTS (SELECT FROM watermark w WHERE w.tenant_id = %(tenant)s AND w.memory_id = s.id)
      AND NOT EXISTS (SELECT FROM verification v
                      WHERE v.tenant_id = %(tenant)s AND v.memory_id = s.id AND v.reason = 'aged'
                        AND (v.resolved_at IS NULL OR v.opened_at >= s.last_verified_at))
    ORDER BY s.last_verified_at, s.id
    LIMIT %(most)s
), put AS (
    INSERT INTO verification (tenant_id, id, memory_id, reason, what, session, opened_at, resolved_by, classification)
    SELECT %(tenant)s, gen_random_uuid(), d.id, 'aged', 'unverified since ' || to_char(d.last_verified_at AT TIME ZONE 'UTC',
           'YYYY-MM-DD'), '', %(now)s, '', d.classification
    FROM due d WHERE NOT %(dry_run)s::boolean
    ON CONFLICT (tenant_id, memory_id, reason, evidence_id) WHERE resolved_at IS NULL DO NOTHING
)
SELECT count(*) AS count FROM due;

-- queue_fallen --
-- Live decisions that rest on what was superseded, or on what has moved: those that the write track did not see, for a
-- link may be drawn later than the evidence fell. What lives on in a pattern made of it has not fallen.
WITH fallen AS (
    SELECT l.source_id, l.target_id, greatest(max(l.classification), max(d.classification)) AS class,
           CASE WHEN max(e.standing) = 2 THEN 'superseded'
                ELSE max(CASE WHEN w.kind = 'git' THEN w.scope || ' on ' || w.name ELSE w.kind || ' ' || w.name END) END
               AS what
    FROM memory d
    JOIN link l ON l.tenant_id = %(tenant)s AND l.source_id = d.id AND l.type IN ('because', 'evidence')
    JOIN memory e ON e.tenant_id = %(tenant)s AND e.id = l.target_id
    LEFT JOIN watermark w ON w.tenant_id = %(tenant)s AND w.memory_id = e.id AND w.factor < 1
    WHERE d.tenant_id = %(tenant)s AND d.kind = 'decision' AND d.standing <> 2 AND d.archived_at IS NULL
      AND (w.memory_id IS NOT NULL OR e.standing = 2
           AND NOT EXISTS (SELECT FROM lineage r WHERE r.tenant_id = %(tenant)s AND r.child_id = e.superseded_by_id
                           AND r.parent_id = e.id))
      AND NOT EXISTS (SELECT FROM verification v
                      WHERE v.tenant_id = %(tenant)s AND v.memory_id = d.id AND v.reason = 'evidence'
                        AND v.evidence_id = e.id
                        AND (v.resolved_at IS NULL OR e.standing = 2 AND v.opened_at >= e.superseded_at
                             OR e.standing <> 2 AND v.opened_at >= w.moved_at))
    GROUP BY l.source_id, l.target_id
), put AS (
    INSERT INTO verification (tenant_id, id, memory_id, reason, what, evidence_id, session, opened_at, resolved_by,
                              classification)
    SELECT %(tenant)s, gen_random_uuid(), f.source_id, 'evidence', f.what, f.target_id, '', %(now)s, '', f.class
    FROM fallen f WHERE NOT %(dry_run)s::boolean
    ON CONFLICT (tenant_id, memory_id, reason, evidence_id) WHERE resolved_at IS NULL DO NOTHING
)
SELECT count(*) AS count FROM fallen;

-- close_gone --
-- Close what is asked about memories that are superseded or archived: nobody relies on them.
WITH gone AS (
    SELECT v.id FROM verification v
    JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = v.memory_id
    WHERE v.tenant_id = %(tenant)s AND v.resolved_at IS NULL AND (m.standing = 2 OR m.archived_at IS NOT NULL)
), closed AS (
    UPDATE verification v SET verdict = 'superseded', resolved_at = %(now)s, resolved_by = 'system:watermarks'
    FROM gone WHERE v.tenant_id = %(tenant)s AND v.id = gone.id AND NOT %(dry_run)s::boolean
)
SELECT count(*) AS count FROM gone;
