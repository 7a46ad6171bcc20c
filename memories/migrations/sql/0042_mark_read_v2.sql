-- What was shown by a read: of which class, in which session, for whom, by which sort of read.
CREATE FUNCTION candor_mark_read_v2(agent uuid, key uuid, named text, of_person text, kind text, class smallint)
RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT candor_note_mark(nullif(current_setting('candor.tenant', true), '')::uuid, coalesce($1, $2), $3, $4, $6, $5, now())
$$;
