-- time --
-- The visible memories of a range of time, or the last ones of a kind (SPEC R-08, R-18), at most %(time_depth)s.
-- `in_range` has all of them, so that one which words or meaning found gets its voice however many there are.
--
-- Score, in (0, 1]: 1 for what happened, or what began to hold, from %(when_from)s to before %(when_until)s; a half in
-- the rest of the days %(day_from)s to %(day_until)s, for much is dated to its day only. A state that held longer:
-- the geometric mean of the part of the range in which it held and the part of its life that lies in the range, so that
-- what always holds says little of yesterday. Halved for what is of another kind than %(when_kind)s. With %(when_latest)s
-- the memories of the kind alone, scored by their rank from the newest, those of the asker's project before the
-- tenant's own. The newest stay when there are more than the depth: of equals a reader wants the latest, and fusion
-- settles ties in the same way.
in_range AS MATERIALIZED (
    SELECT w.memory_id, w.moment,
           CASE WHEN %(when_latest)s::boolean
                THEN 1 / row_number() OVER (ORDER BY w.mine DESC, w.moment DESC, w.memory_id DESC)::float8
                ELSE w.voice * CASE WHEN w.kind = coalesce(%(when_kind)s::text, w.kind) THEN 1 ELSE 0.5 END
           END AS score
    FROM (
        SELECT m.id AS memory_id, m.kind, m.occurred_at AS moment, m.project_id IS NOT NULL AS mine,
               CASE WHEN m.occurred_at >= %(when_from)s::timestamptz AND m.occurred_at < %(when_until)s::timestamptz
                    THEN 1::float8 ELSE 0.5::float8 END AS voice
        FROM memory m
        WHERE m.tenant_id = %(tenant)s AND m.card <> 'state'
          AND m.occurred_at >= %(day_from)s::timestamptz AND m.occurred_at < %(day_until)s::timestamptz
          AND (m.id IN (SELECT v.id FROM visible v)) IS TRUE
        UNION ALL
        SELECT h.id, h.kind, h.effective_at, h.mine,
               CASE WHEN h.effective_at >= %(when_from)s::timestamptz THEN 1::float8
                    WHEN h.effective_at >= %(day_from)s::timestamptz THEN 0.5::float8
                    ELSE greatest(0.01, h.held / sqrt(date_part('epoch', %(when_until)s::timestamptz - %(when_from)s::timestamptz)
                          * date_part('epoch', h.until - h.effective_at)))::float8 END
        FROM (
            SELECT s.*, date_part('epoch', least(s.until, %(when_until)s::timestamptz)
                                - greatest(s.effective_at, %(when_from)s::timestamptz)) AS held
            FROM (
                SELECT m.id, m.kind, m.effective_at, m.project_id IS NOT NULL AS mine,
                       coalesce(least(m.valid_until, coalesce(n.effective_at, m.superseded_at)),
                                greatest(%(when_until)s::timestamptz, %(at)s::timestamptz)) AS until
                FROM memory m
                LEFT JOIN memory n ON n.tenant_id = %(tenant)s AND n.id = m.superseded_by_id
                WHERE m.tenant_id = %(tenant)s AND m.card = 'state' AND m.effective_at < %(when_until)s::timestamptz
                  AND (m.id IN (SELECT v.id FROM visible v)) IS TRUE
            ) s
            WHERE s.until > %(when_from)s::timestamptz AND s.until > s.effective_at
        ) h
    ) w
    WHERE NOT %(when_latest)s::boolean OR w.kind = %(when_kind)s::text
), time AS (
    SELECT r.memory_id, r.score FROM in_range r
    ORDER BY r.score DESC, r.moment DESC, r.memory_id DESC
    LIMIT %(time_depth)s
)
