-- What a session said that is no memory yet (SPEC R-10).

-- find_pending --
-- Of the latest %(latest)s turns of a session that this viewer may know those that still wait for the write track:
-- what was said to one agent, or for one person, is no other's business, whatever it is to be shared with later. What is hidden from the
-- viewer, or lies above their class, is left out before the turns are counted: it displaces none of theirs.
SELECT c.id, c.text, c.role, c.origin, c.voice, c.corrects, c.verbatim, c.speaker, c.session, c.turn, c.clock, c.timezone,
       c.agent_id, c.project_id, c.shared, c.domain, c.person, c.classification
FROM (SELECT id, text, role, origin, voice, corrects, verbatim, speaker, session, turn, clock, timezone, agent_id, project_id,
             shared, domain, person, classification, state
      FROM capture
      WHERE tenant_id = %(tenant)s AND session = %(session)s AND document_id IS NULL
        AND candor_visible_v3(project_id, agent_id, false, domain, person, NULL, NULL,
                           %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid, %(my_domains)s::text[],
                           %(sees_every_owner)s::boolean, %(my_person)s::text, %(sees_every_person)s::boolean, %(at)s::timestamptz)
      ORDER BY turn DESC, id DESC LIMIT %(latest)s) c
WHERE c.state IN ('pending', 'processing')
ORDER BY c.turn DESC, c.id DESC;
