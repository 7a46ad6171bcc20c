-- The same at the commit, when an end of the line was written after it (references are deferred), maybe by
-- another transaction. The line's own tenant is in force for the moment; an end that is missing is refused here,
-- too, for whoever has this trigger fire before the reference is checked.
CREATE FUNCTION candor_hold_lineage_late() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    former text := current_setting('candor.tenant', true);
    ends integer;
BEGIN
    PERFORM set_config('candor.tenant', NEW.tenant_id::text, true);
    SELECT count(*) INTO ends FROM memory m
    WHERE m.tenant_id = NEW.tenant_id AND m.id IN (NEW.child_id, NEW.parent_id);
    IF ends < 2 THEN
        RAISE EXCEPTION 'a memory and what it rests on must both be there' USING ERRCODE = 'foreign_key_violation';
    END IF;
    PERFORM candor_hold_descendants(NEW.tenant_id, ARRAY[NEW.parent_id]);
    PERFORM set_config('candor.tenant', coalesce(former, ''), true);
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER lineage_hold_late AFTER INSERT ON lineage DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION candor_hold_lineage_late();
