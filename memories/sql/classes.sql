-- What a change of class reaches.

-- find_followers --
-- Ids and classes of the memories that rest on this one, over any depth, and are below the class %(rank)s; as the
-- pipeline, at full clearance.
WITH RECURSIVE below (id) AS (
    SELECT l.child_id FROM lineage l WHERE l.tenant_id = %(tenant)s AND l.parent_id = %(memory)s
    UNION
    SELECT l.child_id FROM below b JOIN lineage l ON l.tenant_id = %(tenant)s AND l.parent_id = b.id
)
SELECT m.id, m.classification
FROM below b JOIN memory m ON m.tenant_id = %(tenant)s AND m.id = b.id
WHERE m.classification < %(rank)s
ORDER BY m.id;

-- ask_downgrade --
-- What the database says to a wish to lower a memory's class, as the viewer in force; see the function.
SELECT candor_ask_downgrade(%(request)s::uuid, %(memory)s::uuid, %(wanted)s::smallint, %(hash)s::text, %(reason)s::text,
                            %(at)s::timestamptz, %(expires_at)s::timestamptz) AS verdict;

-- decide_downgrade --
-- What the database says to an answer on such a wish, as the viewer in force; see the function.
SELECT candor_decide_downgrade(%(request)s::uuid, %(approve)s::boolean, %(memory)s::uuid, %(wanted)s::smallint,
                               %(hash)s::text, %(answer)s::text, %(at)s::timestamptz) AS verdict;

-- read_written_class --
-- The class of what this agent or key writes in a session, when it asks for %(asked)s; see the function.
SELECT candor_written_class_v2(%(agent)s::uuid, %(key)s::uuid, NULL, %(session)s::text, %(person)s::text, '[]',
                               %(asked)s::smallint) AS rank;

-- end_session --
-- Whether a session of this agent or key had a mark that who ends it may see; none is left. See the function.
SELECT candor_end_session(%(agent)s::uuid, %(key)s::uuid, %(session)s::text, %(person)s::text, %(seen)s::smallint) AS ended;
