-- What facts are checked against (SPEC E-07), who else said them (E-08), and what waits to be looked at (E-14).

-- write_watermark --
-- Bind a memory to what it names, looking as it does now; one that was bound before is bound anew, unless it moved
-- after this was said.
INSERT INTO watermark AS w (tenant_id, id, memory_id, kind, name, scope, value, seen, factor, bound_at, seen_at,
                            classification)
VALUES (%(tenant)s, %(id)s, %(memory)s, %(kind)s, %(called)s, %(scope)s, %(value)s::text, %(value)s::text, 1, %(now)s,
        %(now)s, %(classification)s)
ON CONFLICT (tenant_id, memory_id) DO UPDATE
SET kind = excluded.kind, name = excluded.name, scope = excluded.scope, value = excluded.value, seen = excluded.seen,
    bound_at = excluded.bound_at, seen_at = excluded.seen_at
WHERE w.moved_at IS NULL AND w.bound_at <= %(said_at)s::timestamptz;

-- find_replaced --
-- What the fact was bound to whose place is taken, how that looked last, and whether it was seen unmoved just before the
-- fact turned out to have changed (SPEC E-09).
SELECT w.kind, w.name, w.scope, w.seen,
       EXISTS (SELECT FROM observation o WHERE o.tenant_id = %(tenant)s AND o.memory_id = w.memory_id AND NOT o.moved
               AND o.changed AND o.settled_at = %(now)s) AS missed
FROM watermark w WHERE w.tenant_id = %(tenant)s AND w.memory_id = %(memory)s;

-- excuse_miss --
-- What was seen unmoved has moved since, although nobody reported it: the look was right.
UPDATE observation SET changed = false
WHERE tenant_id = %(tenant)s AND memory_id = %(memory)s AND NOT moved AND changed AND settled_at = %(now)s;

-- note_corroboration --
-- Another voice that said the same in another session than all before. No row: it is not independent. Of a memory from
-- before voices were kept, and of a word without one, another origin is.
INSERT INTO corroboration (tenant_id, id, memory_id, provenance, session, voice, trust, capture_id, at, classification)
SELECT %(tenant)s, %(id)s, m.id, %(provenance)s::text, %(session)s::text, %(voice)s::text, %(trust)s::float8,
       %(capture)s::uuid, %(now)s, m.classification
FROM memory m
WHERE m.tenant_id = %(tenant)s AND m.id = %(memory)s AND m.session <> %(session)s::text
  AND CASE WHEN '' IN (m.voice, %(voice)s::text) THEN m.provenance <> %(provenance)s::text
           ELSE m.voice <> %(voice)s::text END
ON CONFLICT DO NOTHING
RETURNING id;

-- settle_trust --
-- See candor_settle_trust: trust by a closed form of what stands beside the memories.
SELECT candor_settle_trust(%(memories)s::uuid[]);

-- reaffirm_watermarks --
-- Let what was seen last be what the memories hold with, where nothing moved after %(said_at)s.
UPDATE watermark
SET value = seen, factor = 1, moved_at = NULL
WHERE tenant_id = %(tenant)s AND memory_id = ANY (%(memories)s::uuid[]) AND moved_at <= %(said_at)s::timestamptz
RETURNING memory_id;

-- settle_observations --
-- Say of what was observed whether the fact had changed. What was seen unmoved before it moved was right: only the
-- latest look can have missed a change.
UPDATE observation o
SET changed = %(changed)s::boolean AND (o.moved OR NOT EXISTS (
        SELECT FROM observation later
        WHERE later.tenant_id = %(tenant)s AND later.memory_id = o.memory_id AND later.moved
          AND later.settled_at IS NULL)),
    settled_at = %(now)s
WHERE o.tenant_id = %(tenant)s AND o.memory_id = ANY (%(memories)s::uuid[]) AND o.settled_at IS NULL;

-- close_verifications --
-- Close open doubts about memories.
UPDATE verification
SET verdict = %(verdict)s, resolved_at = %(now)s, resolved_by = %(by)s
WHERE tenant_id = %(tenant)s AND memory_id = ANY (%(memories)s::uuid[]) AND resolved_at IS NULL
  AND reason = ANY (%(reasons)s::text[]) AND opened_at <= %(said_at)s::timestamptz
RETURNING id, classification;

-- doubt_decisions --
-- Live decisions that rest on this evidence, each once for a piece of it. Knowledge that is superseded may live on in
-- a pattern that was made of it, which nobody knows yet at this moment: the night tells the two apart (queue_fallen).
INSERT INTO verification (tenant_id, id, memory_id, reason, what, evidence_id, session, opened_at, resolved_by,
                          classification)
SELECT %(tenant)s, gen_random_uuid(), rests.source_id, 'evidence', %(what)s::text, rests.target_id, %(session)s::text,
       %(now)s, '', rests.class
FROM (
    SELECT l.source_id, l.target_id, greatest(max(l.classification), max(d.classification)) AS class
    FROM link l
    JOIN memory d ON d.tenant_id = %(tenant)s AND d.id = l.source_id
    JOIN memory e ON e.tenant_id = %(tenant)s AND e.id = l.target_id
    WHERE l.tenant_id = %(tenant)s AND l.target_id = ANY (%(evidence)s::uuid[]) AND l.type IN ('because', 'evidence')
      AND d.kind = 'decision' AND d.standing <> 2 AND d.archived_at IS NULL
      AND (e.card <> 'knowledge' OR e.standing <> 2)
    GROUP BY l.source_id, l.target_id
) rests
ON CONFLICT (tenant_id, memory_id, reason, evidence_id) WHERE resolved_at IS NULL DO NOTHING
RETURNING id, classification;
