-- What a session said that is no memory yet (SPEC R-10).

-- find_pending --
-- Of the latest %(latest)s turns of a session those that still wait for the write track and that this viewer may know:
-- what was said to one agent is no other's business, whatever it is to be shared with later.
SELECT c.id, c.text AS content, c.role, c.speaker, c.session, c.turn, c.clock AS occurred_at, c.classification
FROM (SELECT * FROM capture
      WHERE tenant_id = %(tenant)s AND session = %(session)s
      ORDER BY turn DESC LIMIT %(latest)s) c
WHERE c.state IN ('pending', 'processing') AND c.document_id IS NULL
  AND candor_visible_v2(c.project_id, c.agent_id, false, c.domain, NULL, NULL,
                     %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid, %(my_domains)s::text[],
                     %(sees_every_owner)s::boolean, %(at)s::timestamptz)
ORDER BY c.turn DESC;
