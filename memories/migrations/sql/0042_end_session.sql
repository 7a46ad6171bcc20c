-- Forget what a session of the agent or key was shown, for a person or, where none is named, for all: it is over. Returns
-- whether there was a mark within the class of who ends it; the others go, too.
CREATE FUNCTION candor_end_session(agent uuid, key uuid, named text, of_person text, seen_up_to smallint) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH over AS (
        DELETE FROM session_mark s
        WHERE s.tenant_id = nullif(current_setting('candor.tenant', true), '')::uuid
          AND s.holder = coalesce($1, $2) AND s.session = $3 AND ($4 = '' OR s.person = $4)
        RETURNING s.classification, s.at)
    SELECT EXISTS (SELECT FROM over WHERE over.classification <= $5 AND candor_mark_ends_at(over.at) > now())
$$;
