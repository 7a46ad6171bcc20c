-- Shadow runs as jobs (SPEC S-06). Every statement says the tenant itself, beside row security.

-- take_run --
-- Take the run for %(seconds)s and begin it; no row while another holds it, or when it is over. By the database's clock.
UPDATE shadow_run r
SET state = 'running', lease_token = %(token)s, leased_until = clock_timestamp() + make_interval(secs => %(seconds)s),
    attempts = r.attempts + 1, started_at = coalesce(r.started_at, %(now)s)
WHERE r.tenant_id = %(tenant)s AND r.id = %(run)s AND r.state IN ('queued', 'running')
  AND (r.leased_until IS NULL OR r.leased_until < clock_timestamp())
RETURNING r.attempts, r.baseline, r.candidate, r.limits, r.total, r.real, r.sample, r.in_force;

-- end_lease --
-- Let another one have the run, which was not at fault.
UPDATE shadow_run SET lease_token = NULL, leased_until = NULL, attempts = 0
WHERE tenant_id = %(tenant)s AND id = %(run)s AND lease_token = %(token)s;

-- end_hopeless --
-- Give up a run whose next question ended every worker that tried it.
UPDATE shadow_run SET state = 'dead', finished_at = %(now)s, lease_token = NULL, leased_until = NULL, reasons = %(reasons)s::jsonb
WHERE tenant_id = %(tenant)s AND id = %(run)s AND lease_token = %(token)s;

-- next_question --
-- The next question of the run, with its words: those of the recall that it was asked in, if it was.
SELECT q.id, q.seq, q.question, q.viewer, e.query, e.session, e.k, e.asked_at, e.asked
FROM shadow_question q LEFT JOIN recall_event e ON e.tenant_id = %(tenant)s AND e.id = q.event_id
WHERE q.tenant_id = %(tenant)s AND q.run_id = %(run)s AND q.done_at IS NULL
ORDER BY q.seq LIMIT 1;

-- note_result --
-- Keep what came of a question, once, and count it; no row when the lease is lost or the run is over.
WITH told AS (
    UPDATE shadow_question q SET result = %(result)s::jsonb, done_at = %(now)s
    WHERE q.tenant_id = %(tenant)s AND q.id = %(question)s AND q.done_at IS NULL
      AND EXISTS (SELECT FROM shadow_run r WHERE r.tenant_id = %(tenant)s AND r.id = %(run)s
                  AND r.lease_token = %(token)s AND r.state = 'running')
    RETURNING q.id
)
UPDATE shadow_run r
SET done = r.done + 1, attempts = 0, leased_until = clock_timestamp() + make_interval(secs => %(seconds)s),
    planted = r.planted + %(planted)s, planted_caught = r.planted_caught + %(caught)s, leaks = r.leaks + %(leaks)s,
    failures = r.failures + %(failures)s
WHERE r.tenant_id = %(tenant)s AND r.id = %(run)s AND r.lease_token = %(token)s AND r.state = 'running'
  AND EXISTS (SELECT FROM told)
RETURNING r.done;

-- finish_run --
-- Say what the run came to; no row when it was cancelled meanwhile.
UPDATE shadow_run
SET state = 'done', verdict = %(verdict)s, reasons = %(reasons)s::jsonb, summary = %(summary)s::jsonb,
    real = %(real)s, finished_at = %(now)s, lease_token = NULL, leased_until = NULL
WHERE tenant_id = %(tenant)s AND id = %(run)s AND lease_token = %(token)s AND state = 'running'
RETURNING candidate_label;

-- cancel_run --
-- End a run that is not over; no row when it is.
UPDATE shadow_run SET state = 'cancelled', finished_at = %(now)s, lease_token = NULL, leased_until = NULL
WHERE tenant_id = %(tenant)s AND id = %(run)s AND state IN ('queued', 'running')
RETURNING id;

-- find_due --
-- Runs that wait, or whose worker is gone, oldest first.
SELECT id FROM shadow_run
WHERE tenant_id = %(tenant)s AND state IN ('queued', 'running') AND (leased_until IS NULL OR leased_until < clock_timestamp())
ORDER BY created_at, id;

-- sample_events --
-- Recalls to be asked again: at most %(most)s of those since %(since)s, drawn by %(seed)s, the same ones each time.
SELECT id FROM recall_event
WHERE tenant_id = %(tenant)s AND query <> '' AND query <> %(marker)s AND (%(since)s::timestamptz IS NULL OR at >= %(since)s)
ORDER BY md5(id::text || %(seed)s::text), id
LIMIT %(most)s;
