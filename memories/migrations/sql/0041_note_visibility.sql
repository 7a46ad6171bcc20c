-- Note in `collection_stat` that what may be seen of a class has moved: a row came or went, or one of the columns that
-- visibility is read from changed. The note is the number of the transaction that moved it, so it is another one for every
-- commit that may change an answer. It is made at the commit, when no other row is waited for any more. Recall keeps what a
-- viewer may not see for as long as no note changes (docs/decisions/0062). The tenant is the row's own: a superuser's
-- mending by hand counts too.
ALTER TABLE collection_stat ADD COLUMN moved bigint NOT NULL DEFAULT 0;
CREATE FUNCTION candor_note_visibility() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    row_of record := coalesce(NEW, OLD);
    ranks smallint[];
    rank smallint;
    former text := current_setting('candor.tenant', true);
    this bigint := pg_current_xact_id()::text::bigint;
BEGIN
    ranks := ARRAY(SELECT DISTINCT c FROM unnest(ARRAY[OLD.classification, NEW.classification]) AS c
                   WHERE c IS NOT NULL ORDER BY c);
    PERFORM set_config('candor.tenant', row_of.tenant_id::text, true);
    FOREACH rank IN ARRAY ranks LOOP
        IF TG_OP = 'DELETE' THEN -- a tenant that goes takes its sizes along: none is made anew
            UPDATE public.collection_stat s SET moved = this
            WHERE s.tenant_id = row_of.tenant_id AND s.classification = rank AND s.moved <> this;
        ELSE
            INSERT INTO public.collection_stat AS s (tenant_id, classification, moved)
            VALUES (row_of.tenant_id, rank, this)
            ON CONFLICT (tenant_id, classification) DO UPDATE SET moved = excluded.moved WHERE s.moved <> excluded.moved;
        END IF;
    END LOOP;
    PERFORM set_config('candor.tenant', coalesce(former, ''), true);
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER memory_comes_or_goes AFTER INSERT OR DELETE ON memory DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION candor_note_visibility();
CREATE CONSTRAINT TRIGGER memory_is_seen_otherwise AFTER UPDATE ON memory DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN ((OLD.standing, OLD.classification, OLD.project_id, OLD.agent_id, OLD.shared, OLD.domain, OLD.person,
                        OLD.valid_from, OLD.valid_until, OLD.archived_at, OLD.kind)
                       IS DISTINCT FROM
                       (NEW.standing, NEW.classification, NEW.project_id, NEW.agent_id, NEW.shared, NEW.domain, NEW.person,
                        NEW.valid_from, NEW.valid_until, NEW.archived_at, NEW.kind))
    EXECUTE FUNCTION candor_note_visibility();
