-- How a tenant's memory does, by the days of UTC (SPEC H-05). Every statement says the tenant itself, beside row security,
-- which leaves out what is above the one who asks. Leans on recall_event_at and capture_created.

-- memories_by_day --
-- Memories that were stored.
SELECT (m.created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS memories
FROM memory m WHERE m.tenant_id = %(tenant)s AND m.created_at >= %(since)s GROUP BY 1;

-- captures_by_day --
-- Captures that came to an end without a memory, by how they stand.
SELECT (c.created_at AT TIME ZONE 'UTC')::date AS day,
       count(*) FILTER (WHERE c.state = 'discarded') AS discarded,
       count(*) FILTER (WHERE c.state = 'quarantined') AS quarantined,
       count(*) FILTER (WHERE c.state = 'dead') AS dead
FROM capture c WHERE c.tenant_id = %(tenant)s AND c.created_at >= %(since)s AND c.state IN ('discarded', 'quarantined', 'dead')
GROUP BY 1;

-- refused_by_reason --
-- What kept captures from being stored: the step or gate and its reason, the most frequent first.
SELECT coalesce(s.step ->> 'gate', s.step ->> 'step') AS gate, coalesce(s.step ->> 'reason', '') AS reason,
       s.step ->> 'verdict' AS verdict, count(*) AS captures
FROM capture c
CROSS JOIN LATERAL (SELECT t.step FROM jsonb_array_elements(c.trace) AS t (step)
                    WHERE t.step ->> 'verdict' IN ('discard', 'quarantine', 'fail') LIMIT 1) s
WHERE c.tenant_id = %(tenant)s AND c.created_at >= %(since)s AND c.state IN ('discarded', 'quarantined', 'dead')
GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2 LIMIT 20;

-- recalls_by_day --
-- Questions: those that were answered, that nothing was known of, and that a channel was missing from; and how long it took.
SELECT (e.at AT TIME ZONE 'UTC')::date AS day,
       count(*) FILTER (WHERE e.degraded <> '[]') AS degraded,
       count(*) FILTER (WHERE e.degraded = '[]' AND s.is_shown IS NULL) AS nothing_known,
       count(*) FILTER (WHERE e.degraded = '[]' AND s.is_shown) AS answered,
       round((percentile_cont(0.5) WITHIN GROUP (ORDER BY e.took_ms))::numeric, 1)::float8 AS p50_ms,
       round((percentile_cont(0.95) WITHIN GROUP (ORDER BY e.took_ms))::numeric, 1)::float8 AS p95_ms
FROM recall_event e
LEFT JOIN LATERAL (SELECT true AS is_shown FROM recalled_memory r
                   WHERE r.tenant_id = %(tenant)s AND r.recall_id = e.id LIMIT 1) s ON true
WHERE e.tenant_id = %(tenant)s AND e.at >= %(since)s GROUP BY 1;

-- verdicts_by_day --
-- Verdicts on answers; one that was replaced does not count.
SELECT (f.at AT TIME ZONE 'UTC')::date AS day,
       count(*) FILTER (WHERE f.outcome = 'helpful') AS helpful,
       count(*) FILTER (WHERE f.outcome = 'unhelpful') AS unhelpful,
       count(*) FILTER (WHERE f.outcome = 'used') AS used
FROM feedback f WHERE f.tenant_id = %(tenant)s AND f.at >= %(since)s AND f.stands GROUP BY 1;

-- tokens_by_day --
-- Tokens that nights took of language models.
SELECT (s.started_at AT TIME ZONE 'UTC')::date AS day, sum(s.tokens_in) AS tokens_in, sum(s.tokens_out) AS tokens_out
FROM sleep_step s WHERE s.tenant_id = %(tenant)s AND s.started_at >= %(since)s GROUP BY 1;

-- missing_channels --
-- Channels that answers were missing, the most frequent first.
SELECT d.channel, count(*) AS recalls
FROM recall_event e CROSS JOIN LATERAL jsonb_array_elements_text(e.degraded) AS d (channel)
WHERE e.tenant_id = %(tenant)s AND e.at >= %(since)s AND e.degraded <> '[]' GROUP BY 1 ORDER BY 2 DESC, 1;

-- totals --
-- Memories that there are, by how they stand.
SELECT count(*) AS memories,
       count(*) FILTER (WHERE m.standing = 0 AND m.archived_at IS NULL) AS current,
       count(*) FILTER (WHERE m.standing = 2) AS superseded,
       count(*) FILTER (WHERE m.archived_at IS NOT NULL) AS archived
FROM memory m WHERE m.tenant_id = %(tenant)s;
