-- What a tenant's rules of retention let go (SPEC O-06). Every statement says the tenant itself, beside row security.

-- find_old_recalls --
-- Questions from before a moment, the oldest first, that no shadow run plays again. Leans on recall_event_at.
SELECT r.id FROM recall_event r
WHERE r.tenant_id = %(tenant)s AND r.at < %(before)s
  AND NOT EXISTS (SELECT FROM shadow_question q WHERE q.tenant_id = r.tenant_id AND q.event_id = r.id)
ORDER BY r.at LIMIT %(most)s;

-- retain_recalls --
-- Delete them, as far as the rule lets them go.
SELECT candor_retain_recalls(%(recalls)s::uuid[]) AS size;

-- count_old_nights --
-- Nights from before a moment.
SELECT count(*) AS size FROM sleep_run r
WHERE r.tenant_id = %(tenant)s AND r.created_at < %(before)s AND r.state NOT IN ('waiting', 'running');

-- retain_nights --
-- Delete what they did, as far as the rule lets it go.
SELECT candor_retain_nights(%(most)s) AS size;

-- find_old_captures --
-- Captures after a place and from before a moment that have come to an end, the oldest first; what is of a document is the
-- document's. Nothing beyond the first that is still to be worked on, so that none is passed over. Leans on capture_created.
SELECT c.id, c.created_at FROM capture c
WHERE c.tenant_id = %(tenant)s AND c.document_id IS NULL
  AND (c.created_at, c.id) > (%(at)s::timestamptz, %(id)s::uuid) AND c.created_at < least(%(before)s::timestamptz, (
      SELECT min(o.created_at) FROM capture o
      WHERE o.tenant_id = %(tenant)s AND o.state IN ('pending', 'processing') AND o.document_id IS NULL))
ORDER BY c.created_at, c.id LIMIT %(most)s;

-- empty_captures --
-- Leave nothing of what was said but that it was; what the gates said of it stays.
UPDATE capture
SET text = %(marker)s, "references" = '[]', fingerprints = '[]', metadata = '{}', secrets_found = '[]'
WHERE tenant_id = %(tenant)s AND id = ANY (%(captures)s::uuid[]);

-- empty_traces --
-- Leave nothing of what the gates said of them.
UPDATE capture SET trace = '[]' WHERE tenant_id = %(tenant)s AND id = ANY (%(captures)s::uuid[]);
