-- How recall did by the word of those who asked (SPEC V-04, E-12), by weeks of UTC that begin on Monday.

-- weeks --
-- Of each week: answers; those on which a verdict stands; how far the first row that helped stood behind the first place, as the
-- mean of 1 - 1 / place over answers in which one helped; answers in which nothing that was looked at helped; and answers in
-- which luck changed a place.
WITH judged AS (
    SELECT f.recall_id, min(r.place) FILTER (WHERE f.outcome = 'helpful' AND f.weight >= %(least)s) AS helped
    FROM feedback f JOIN recalled_memory r ON r.tenant_id = %(tenant)s AND r.recall_id = f.recall_id AND r.memory_id = f.memory_id
    WHERE f.tenant_id = %(tenant)s AND f.stands AND f.outcome <> 'used' AND f.weight >= %(least)s
    GROUP BY f.recall_id
)
SELECT date_trunc('week', e.at AT TIME ZONE 'UTC')::date AS week, count(*) AS recalls, count(j.recall_id) AS judged,
       avg(1 - 1.0 / j.helped)::float8 AS regret, count(*) FILTER (WHERE j.recall_id IS NOT NULL AND j.helped IS NULL) AS missed,
       count(*) FILTER (WHERE e.draws ->> 'how' IN ('played', 'debut', 'moved')) AS varied
FROM recall_event e LEFT JOIN judged j ON j.recall_id = e.id
WHERE e.tenant_id = %(tenant)s AND e.at >= %(since)s
GROUP BY 1 ORDER BY 1;
