-- Forgetting and tiers in closed form (SPEC E-02, E-05, E-06): the same numbers as evolution.maintenance.forgetting, .decay,
-- .priority and .tiers, whose constants come in as parameters. Only rows that change are written. Rows that a recall
-- is counting on right now are left out, the next night finds them: so nobody waits for anybody.

-- prepare --
-- To the transaction's end, join by hashing or merging: a tenant that is newer than the planner's statistics counts as
-- one row, and of two sides of one row each a nested loop looks as good as any; with 5 000 it costs their square. And do
-- not wait for the disk: what a crash of the server takes back, the next night comes to again.
SELECT set_config('enable_nestloop', 'off', true), set_config('synchronous_commit', 'off', true);

-- scores --
-- CTEs: what stage and tier are decided by, of the live memories in a span, or of those in %(memories)s if it is given.
-- A link counts where everybody who may see the memory may see its other end: a tier is told to all of them.
-- Explicit is an importance that a person gave: their own word, not derived from others, and not the default.
-- Materialized: a CASE over a CASE would else be worked out anew at each mention.
WITH derived AS (
    SELECT DISTINCT l.child_id FROM lineage l
    WHERE l.tenant_id = %(tenant)s AND l.child_id > %(after)s::uuid AND l.child_id <= %(upto)s::uuid
), spanned AS (
    SELECT u.memory_id, m.classification AS rank, u.tier, u.pinned, u.recalled, u.q_value, u.stage, u.tier_reason,
           cardinality(m.manual_tags) > 0 AS tagged, m.provenance = 'user_correction' AS lasting,
           greatest(date_part('epoch', %(now)s::timestamptz - u.last_accessed_at), 0) / 86400.0 AS days,
           greatest(date_part('epoch', %(now)s::timestamptz - m.created_at), 0) / 86400.0 AS age,
           greatest(date_part('epoch', %(now)s::timestamptz - coalesce(u.last_recalled_at, m.created_at)), 0) / 86400.0 AS unrecalled,
           (%(source_weights)s::jsonb ->> m.provenance)::float8 AS source,
           CASE WHEN m.capture_id IS NULL AND m.provenance = 'user_stated' AND m.importance <> 3 AND d.child_id IS NULL
                THEN m.importance / %(highest_importance)s::float8 END AS explicit
    FROM usage u
    JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = u.memory_id
                 AND m.id > %(after)s::uuid AND m.id <= %(upto)s::uuid
    LEFT JOIN derived d ON d.child_id = m.id
    WHERE u.tenant_id = %(tenant)s AND u.memory_id > %(after)s::uuid AND u.memory_id <= %(upto)s::uuid
      AND (%(memories)s::uuid[] IS NULL OR u.memory_id = ANY (%(memories)s::uuid[]))
      AND m.standing <> 2 AND m.archived_at IS NULL
), tied AS (
    SELECT n.id, count(*) AS links, count(*) FILTER (WHERE n.linked_at >= %(recent_from)s::timestamptz) AS recent
    FROM (SELECT b.id, max(b.created_at) AS linked_at
          FROM (SELECT l.source_id AS id, l.target_id AS other, l.created_at, l.classification FROM link l
                WHERE l.tenant_id = %(tenant)s AND l.source_id > %(after)s::uuid AND l.source_id <= %(upto)s::uuid
                UNION ALL
                SELECT l.target_id, l.source_id, l.created_at, l.classification FROM link l
                WHERE l.tenant_id = %(tenant)s AND l.target_id > %(after)s::uuid AND l.target_id <= %(upto)s::uuid) b
          JOIN spanned s ON s.memory_id = b.id AND b.classification <= s.rank
          GROUP BY b.id, b.other) n
    GROUP BY n.id
), known AS MATERIALIZED (
    SELECT s.*, s.recalled::float8 AS accesses, coalesce(t.links, 0) AS links, coalesce(t.recent, 0) AS recent,
           coalesce(t.links, 0) + 2 * coalesce(t.recent, 0) AS relationship
    FROM spanned s LEFT JOIN tied t ON t.id = s.memory_id
), scored AS MATERIALIZED (
    SELECT k.*,
           power(%(slow_factor)s::float8,
                 least(greatest(k.unrecalled - %(grace_days)s, 0), %(slow_days)s - %(grace_days)s))
           * power(%(fast_factor)s::float8, greatest(k.unrecalled - %(slow_days)s, 0)) AS retention,
           CASE WHEN k.lasting THEN 0.0
                ELSE (1.0 - %(age_share)s)
                     -- An exponent below -700 is no number of a float's any more; what is left of it is 0.
                     * (1.0 - exp(greatest(-k.days / (%(stale_days)s
                                                      * (1.0 + %(link_slowing)s * least(k.links, %(most_links)s)::float8)), -700)))
                     * (1.0 - %(used_share)s + %(used_share)s / (1.0 + k.accesses))
                     + %(age_share)s * least(k.age / %(old_days)s, 1.0) END::float8 AS decay,
           CASE WHEN k.explicit IS NULL THEN r.rest / (1.0 - %(explicit_part)s)
                ELSE %(explicit_part)s * k.explicit + r.rest END::float8 AS priority
    FROM known k
    CROSS JOIN LATERAL (
        SELECT %(access_part)s * k.accesses / (k.accesses + %(half_used)s)
               + %(density_part)s * least(k.links::float8 / %(full_density)s, 1.0)
               + %(recency_part)s * exp(greatest(-%(recency_lambda)s * k.days, -700))
               + %(source_part)s * k.source AS rest) r
), reasoned AS MATERIALIZED (
    SELECT c.*,
           CASE WHEN c.pinned THEN 'manual_pin'
                WHEN c.recent >= %(hot_recent)s THEN 'active_connections'
                WHEN c.relationship >= %(hot_relationship)s THEN 'dense_graph'
                WHEN c.priority >= %(hot_priority)s THEN 'high_priority'
                WHEN c.days <= %(hot_days)s THEN 'recent_access'
                WHEN c.decay <= %(hot_decay)s THEN 'low_decay'
                WHEN c.tagged THEN 'manual_tags_present'
                WHEN c.relationship >= %(warm_relationship)s THEN 'connected_graph'
                WHEN c.priority >= %(warm_priority)s THEN 'moderate_priority'
                WHEN c.days <= %(warm_days)s THEN 'recently_accessed'
                WHEN c.recent > 0 THEN NULL
                WHEN c.relationship = 0 AND c.days >= %(cold_days)s AND c.decay >= %(cold_decay)s
                THEN 'cold_and_disconnected'
                WHEN c.days >= %(archive_days)s AND c.decay >= %(archive_decay)s THEN 'stale_and_low_priority' END AS reason
    FROM scored c
), leading_to AS MATERIALIZED (
    SELECT r.*, %(tier_of)s::jsonb ->> r.reason AS wanted FROM reasoned r
), placed AS MATERIALIZED (
    SELECT w.*,
           CASE WHEN w.wanted IS NULL OR (w.tier = 'hot' AND w.wanted = 'warm' AND w.days < %(unused_days)s) THEN w.tier
                ELSE w.wanted END AS target,
           (w.unrecalled > %(grace_days)s)::int + (w.unrecalled > %(slow_days)s)::int + (w.retention < %(floor)s)::int
           AS stage_now
    FROM leading_to w
)

-- age_memories --
-- Appended to `scores`: note the stage of forgetting and the tier of each memory where one of them is another than
-- noted, in one write; answers how often each change was made, and why.
, changed AS (
    SELECT p.memory_id, p.stage, p.stage_now, p.tier, p.target, p.reason
    FROM placed p WHERE p.target <> p.tier OR p.stage_now <> p.stage
), held AS MATERIALIZED (
    SELECT c.*
    FROM changed c
    JOIN usage u ON u.tenant_id = %(tenant)s AND u.memory_id = c.memory_id
                AND u.memory_id > %(after)s::uuid AND u.memory_id <= %(upto)s::uuid
    WHERE NOT %(dry_run)s
    ORDER BY u.memory_id
    FOR NO KEY UPDATE OF u SKIP LOCKED
), written AS (
    UPDATE usage u
    SET stage = h.stage_now, tier = h.target,
        tier_reason = CASE WHEN h.target <> h.tier THEN h.reason ELSE u.tier_reason END,
        tier_at = CASE WHEN h.target <> h.tier THEN %(now)s ELSE u.tier_at END
    FROM held h
    WHERE u.tenant_id = %(tenant)s AND u.memory_id = h.memory_id
      AND u.memory_id > %(after)s::uuid AND u.memory_id <= %(upto)s::uuid
    RETURNING h.stage, h.stage_now, h.tier, h.target, h.reason
)
SELECT o.stage, o.stage_now, o.tier, o.target, CASE WHEN o.target <> o.tier THEN o.reason END AS reason, count(*) AS size
FROM (SELECT stage, stage_now, tier, target, reason FROM written
      UNION ALL
      SELECT stage, stage_now, tier, target, reason FROM changed WHERE %(dry_run)s) o
GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5;

-- read_scores --
-- Appended to `scores`: what stage and tier are decided by, row by row, and what forgetting leaves of a usefulness.
SELECT p.memory_id, p.tier, p.tier_reason, p.stage, p.q_value, p.recalled, p.days, p.age, p.unrecalled, p.source,
       p.explicit, p.links, p.recent, p.relationship, p.tagged, p.pinned, p.lasting, p.priority, p.decay, p.reason,
       p.target, p.stage_now, p.retention
FROM placed p
ORDER BY p.memory_id;
