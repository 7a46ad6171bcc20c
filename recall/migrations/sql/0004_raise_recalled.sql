-- After a memory rose in class, by whoever: that it was shown, and with which scores, follows it.
CREATE FUNCTION candor_raise_recalled() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE recalled_memory r SET classification = NEW.classification
    WHERE r.tenant_id = NEW.tenant_id AND r.memory_id = NEW.id AND r.classification < NEW.classification;
    RETURN NULL;
END $$;

CREATE TRIGGER memory_raise_recalled AFTER UPDATE OF classification ON memory
FOR EACH ROW WHEN (NEW.classification > OLD.classification) EXECUTE FUNCTION candor_raise_recalled();
