-- After a memory lost trust or rose in class: what stands beside it follows, and all that rests on it.
CREATE FUNCTION candor_hold_memory() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.classification > OLD.classification THEN
        PERFORM candor_raise_beside(NEW.tenant_id, ARRAY[NEW.id]);
    END IF;
    PERFORM candor_hold_descendants(NEW.tenant_id, ARRAY[NEW.id]);
    RETURN NULL;
END $$;

-- The definer's own updates are not held again: they are the holding.
CREATE TRIGGER memory_hold AFTER UPDATE OF trust, classification ON memory
FOR EACH ROW WHEN (current_user <> 'candor_definer'
                   AND (NEW.trust < OLD.trust OR NEW.classification > OLD.classification))
EXECUTE FUNCTION candor_hold_memory();
