-- After a memory rose in class, by whoever: that somebody wanted it lowered, and why, follows it.
CREATE FUNCTION candor_raise_downgrades() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE downgrade d SET classification = NEW.classification
    WHERE d.tenant_id = NEW.tenant_id AND d.memory_id = NEW.id AND d.classification < NEW.classification;
    RETURN NULL;
END $$;

CREATE TRIGGER memory_raise_downgrades AFTER UPDATE OF classification ON memory
FOR EACH ROW WHEN (NEW.classification > OLD.classification) EXECUTE FUNCTION candor_raise_downgrades();
