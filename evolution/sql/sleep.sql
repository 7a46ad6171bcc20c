-- A tenant's nights (SPEC E-04). Every statement says the tenant itself, beside row security.

-- take_lease --
-- Take the tenant's night for %(seconds)s, or keep it; no row while another holds it. By the database's clock.
INSERT INTO sleep_state AS s (tenant_id, id, cycle, lease_token, leased_until, places)
VALUES (%(tenant)s, %(id)s, 'night', %(token)s, clock_timestamp() + make_interval(secs => %(seconds)s), '{}')
ON CONFLICT (tenant_id, cycle) DO UPDATE
SET lease_token = excluded.lease_token, leased_until = excluded.leased_until
WHERE s.lease_token = excluded.lease_token OR s.leased_until IS NULL OR s.leased_until < clock_timestamp()
RETURNING s.dreamt_at, s.places;

-- end_lease --
-- Let another one have the night.
UPDATE sleep_state SET lease_token = NULL, leased_until = NULL
WHERE tenant_id = %(tenant)s AND cycle = 'night' AND lease_token = %(token)s;

-- note_place --
-- Where a step goes on; an empty place is none.
UPDATE sleep_state
SET places = CASE WHEN %(place)s = '' THEN places - %(step)s::text
                  ELSE jsonb_set(places, ARRAY[%(step)s::text], to_jsonb(%(place)s::text)) END
WHERE tenant_id = %(tenant)s AND cycle = 'night' AND lease_token = %(token)s
  AND coalesce(places ->> %(step)s::text, '') <> %(place)s;

-- note_dream --
-- When the tenant dreamt last.
UPDATE sleep_state SET dreamt_at = %(now)s
WHERE tenant_id = %(tenant)s AND cycle = 'night' AND lease_token = %(token)s;

-- mark_interrupted --
-- What a killed worker left as running: whoever holds the lease knows that nobody is at it.
WITH steps AS (
    UPDATE sleep_step SET state = 'interrupted' WHERE tenant_id = %(tenant)s AND state = 'running'
)
UPDATE sleep_run SET state = 'interrupted', finished_at = %(now)s WHERE tenant_id = %(tenant)s AND state = 'running';

-- look_at_corpus --
-- What the gate looks at: sessions in which something was said or asked since the last dream (at most %(enough)s are
-- counted), and live memories.
SELECT t.time_zone, s.since,
       (SELECT count(*) FROM (
            SELECT c.session FROM capture c
            WHERE c.tenant_id = %(tenant)s AND c.created_at > s.since AND c.session <> ''
            UNION
            SELECT r.session FROM recall_event r
            WHERE r.tenant_id = %(tenant)s AND r.at > s.since AND r.session <> ''
            LIMIT %(enough)s) named) AS sessions,
       (SELECT coalesce(sum(documents), 0)::bigint FROM collection_stat WHERE tenant_id = %(tenant)s) AS memories
FROM tenant t
CROSS JOIN LATERAL (SELECT coalesce(%(dreamt_at)s::timestamptz, t.created_at) AS since) s
WHERE t.id = %(tenant)s;
