-- After a row of lineage: its child, and all that rests on that, are held to the new parent at once.
CREATE FUNCTION candor_hold_lineage() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM candor_hold_descendants(NEW.tenant_id, ARRAY[NEW.parent_id]);
    RETURN NULL;
END $$;

CREATE TRIGGER lineage_hold AFTER INSERT ON lineage FOR EACH ROW EXECUTE FUNCTION candor_hold_lineage();
