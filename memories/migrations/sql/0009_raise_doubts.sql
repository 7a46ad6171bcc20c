-- After a memory rose in class, by whoever: what is known of its watermark, and that it is doubted, follow it.
CREATE FUNCTION candor_raise_doubts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE watermark w SET classification = NEW.classification
    WHERE w.tenant_id = NEW.tenant_id AND w.memory_id = NEW.id AND w.classification < NEW.classification;
    UPDATE observation o SET classification = NEW.classification
    WHERE o.tenant_id = NEW.tenant_id AND o.memory_id = NEW.id AND o.classification < NEW.classification;
    UPDATE corroboration c SET classification = NEW.classification
    WHERE c.tenant_id = NEW.tenant_id AND c.memory_id = NEW.id AND c.classification < NEW.classification;
    UPDATE verification v SET classification = NEW.classification
    WHERE v.tenant_id = NEW.tenant_id AND v.memory_id = NEW.id AND v.classification < NEW.classification;
    UPDATE verification v SET classification = NEW.classification
    WHERE v.tenant_id = NEW.tenant_id AND v.evidence_id = NEW.id AND v.classification < NEW.classification;
    RETURN NULL;
END $$;

CREATE TRIGGER memory_raise_doubts AFTER UPDATE OF classification ON memory
FOR EACH ROW WHEN (NEW.classification > OLD.classification) EXECUTE FUNCTION candor_raise_doubts();
