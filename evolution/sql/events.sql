-- The tenant's trail as a feed of events, and the webhooks that are sent it (SPEC I-04).

-- find_tip --
-- The last place of the trail; 0 before the first event.
SELECT coalesce(max(l.seq), 0) AS seq FROM audit_link l WHERE l.tenant_id = %(tenant)s;

-- find_events --
-- Events of some actions in their order, after a place and up to another one, and not from before a moment, if one is given.
SELECT l.seq, e.id, e.at, e.action, e.object_type, e.object_id,
       e.detail ->> 'by' AS by, coalesce(e.detail ->> 'memories', '[]') AS gone
FROM audit_link l JOIN audit_event e ON e.tenant_id = l.tenant_id AND e.id = l.id
WHERE l.tenant_id = %(tenant)s AND l.seq > %(after)s AND l.seq <= %(upto)s AND e.action = ANY(%(actions)s::text[])
  AND (%(since)s::timestamptz IS NULL OR e.at >= %(since)s)
ORDER BY l.seq LIMIT %(most)s;

-- find_events_before --
-- The same backwards, the newest first, and not from before a moment.
SELECT l.seq, e.id, e.at, e.action, e.object_type, e.object_id,
       e.detail ->> 'by' AS by, coalesce(e.detail ->> 'memories', '[]') AS gone
FROM audit_link l JOIN audit_event e ON e.tenant_id = l.tenant_id AND e.id = l.id
WHERE l.tenant_id = %(tenant)s AND l.seq < %(before)s AND e.at >= %(since)s AND e.action = ANY(%(actions)s::text[])
ORDER BY l.seq DESC LIMIT %(most)s;

-- find_oldest --
-- The place of the first event since a moment.
SELECT l.seq FROM audit_event e JOIN audit_link l ON l.tenant_id = e.tenant_id AND l.id = e.id
WHERE e.tenant_id = %(tenant)s AND e.at >= %(since)s
ORDER BY e.at, l.seq LIMIT 1;

-- find_place --
-- The place of one event, if it is not from before a moment.
SELECT l.seq FROM audit_event e JOIN audit_link l ON l.tenant_id = e.tenant_id AND l.id = e.id
WHERE e.tenant_id = %(tenant)s AND e.id = %(event)s AND e.at >= %(since)s;

-- claim_webhook --
-- Take a webhook to deliver to, for %(seconds)s of the database's clock; no row while another has it, or it rests.
UPDATE webhook SET lease_token = %(token)s, leased_until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE tenant_id = %(tenant)s AND id = %(webhook)s AND state = 'active' AND next_at <= clock_timestamp()
  AND (leased_until IS NULL OR leased_until < clock_timestamp())
RETURNING id, api_key_id, url, kinds, secret_version, secret_rotated_at, place, pinged_at, failures;

-- note_sent --
-- An event was taken: all up to its place is done. No row when the lease is another's.
UPDATE webhook
SET place = greatest(place, %(place)s), sent = sent + %(sent)s, failures = 0, last_status = %(status)s, last_error = '',
    last_sent_at = %(now)s, pinged_at = CASE WHEN pinged_at = %(pinged_at)s THEN NULL ELSE pinged_at END
WHERE tenant_id = %(tenant)s AND id = %(webhook)s AND lease_token = %(token)s
RETURNING id;

-- note_failed --
-- An attempt failed: the same event is tried again later, or never.
UPDATE webhook
SET failures = failures + 1, last_status = %(status)s, last_error = %(error)s,
    next_at = clock_timestamp() + make_interval(secs => %(pause)s),
    state = CASE WHEN %(stop)s = '' THEN state ELSE 'stopped' END, stopped_because = %(stop)s
WHERE tenant_id = %(tenant)s AND id = %(webhook)s AND lease_token = %(token)s
RETURNING id;

-- note_read --
-- All up to a place was looked at, and none of it is for this webhook.
UPDATE webhook SET place = greatest(place, %(place)s)
WHERE tenant_id = %(tenant)s AND id = %(webhook)s AND lease_token = %(token)s AND place < %(place)s;

-- release_webhook --
-- Let others have it; its turn comes after that of those who wait already.
UPDATE webhook SET lease_token = NULL, leased_until = NULL, next_at = greatest(next_at, clock_timestamp())
WHERE tenant_id = %(tenant)s AND id = %(webhook)s AND lease_token = %(token)s;
