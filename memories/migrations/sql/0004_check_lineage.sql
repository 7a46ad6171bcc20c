-- Before a row of lineage: no circle, whatever its length; the row is of the class of both its ends; the ends
-- stand still until the row is committed. Store's lock lets one writer at a time draw lines in a tenant.
CREATE FUNCTION candor_check_lineage() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    known smallint;
BEGIN
    IF NEW.tenant_id IS DISTINCT FROM nullif(current_setting('candor.tenant', true), '')::uuid THEN
        RETURN NEW; -- the tenant's wall refuses it
    END IF;
    PERFORM pg_advisory_xact_lock(2, t.lock_number) FROM tenant t WHERE t.id = NEW.tenant_id;
    IF EXISTS (
        WITH RECURSIVE above (id) AS (
            SELECT NEW.parent_id
            UNION
            SELECT l.parent_id FROM above a
            JOIN lineage l ON l.tenant_id = NEW.tenant_id AND l.child_id = a.id
        )
        SELECT FROM above WHERE above.id = NEW.child_id
    ) THEN
        RAISE EXCEPTION 'a memory cannot rest on itself' USING ERRCODE = 'check_violation';
    END IF;
    PERFORM FROM memory m WHERE m.tenant_id = NEW.tenant_id AND m.id IN (NEW.child_id, NEW.parent_id)
    ORDER BY m.id FOR NO KEY UPDATE;
    SELECT max(m.classification) INTO known FROM memory m
    WHERE m.tenant_id = NEW.tenant_id AND m.id IN (NEW.child_id, NEW.parent_id);
    NEW.classification := greatest(NEW.classification, known);
    RETURN NEW;
END $$;

CREATE TRIGGER lineage_check BEFORE INSERT ON lineage FOR EACH ROW EXECUTE FUNCTION candor_check_lineage();
