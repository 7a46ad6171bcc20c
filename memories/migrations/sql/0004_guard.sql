-- What a plain update of a memory may not do (SPEC M-07, S-01): raise its trust, lower its class. The columns
-- that say where a memory comes from are not granted for updates at all.
CREATE FUNCTION candor_guard_memory() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.trust > OLD.trust THEN
        RAISE EXCEPTION 'trust may only fall by an update' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF NEW.classification < OLD.classification THEN
        RAISE EXCEPTION 'a class may only rise by an update' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION candor_guard_memory FROM PUBLIC;

CREATE TRIGGER memory_guard BEFORE UPDATE OF trust, classification ON memory
FOR EACH ROW WHEN (current_user <> 'candor_definer') EXECUTE FUNCTION candor_guard_memory();
