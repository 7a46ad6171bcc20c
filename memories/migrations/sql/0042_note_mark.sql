-- How long something that was shown counts as read. It is noted anew after ten minutes, and so ends no earlier than
-- 8 hours after it was last shown.
CREATE FUNCTION candor_mark_ends_at(at timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$ SELECT $1 + interval '8 hours 10 minutes' $$;

-- Note that a session was shown what is of a class. As a rule one look-up. What was read without a session's name is
-- not noted.
CREATE FUNCTION candor_note_mark(tenant uuid, whose uuid, named text, of_person text, class smallint, kind text,
                                 shown_at timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF tenant IS NULL OR whose IS NULL OR named = '' OR class NOT BETWEEN 1 AND 3
       OR candor_mark_ends_at(shown_at) <= now() OR EXISTS (
        SELECT FROM session_mark k
        WHERE k.tenant_id = tenant AND k.holder = whose AND k.session = named AND k.person = of_person
          AND k.classification = class AND k.at > shown_at - interval '10 minutes' AND kind = ANY (k.reads)
    ) THEN
        RETURN;
    END IF;
    INSERT INTO session_mark AS s (tenant_id, id, holder, session, person, at, reads, classification)
    VALUES (tenant, gen_random_uuid(), whose, named, of_person, shown_at, ARRAY[kind], class)
    ON CONFLICT (tenant_id, holder, session, person, classification) DO UPDATE
    SET at = greatest(s.at, excluded.at),
        reads = CASE WHEN candor_mark_ends_at(s.at) <= now() THEN excluded.reads  -- that one was over
                     WHEN kind = ANY (s.reads) THEN s.reads ELSE s.reads || kind END;
END $$;
REVOKE ALL ON FUNCTION candor_mark_ends_at(timestamptz) FROM PUBLIC;
REVOKE ALL ON FUNCTION candor_note_mark(uuid, uuid, text, text, smallint, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_mark_ends_at(timestamptz) TO candor_definer, candor_app;
GRANT EXECUTE ON FUNCTION candor_note_mark(uuid, uuid, text, text, smallint, text, timestamptz) TO candor_definer;
