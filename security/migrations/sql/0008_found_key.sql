-- A key as it is made: the projects on its list are its tenant's own, for a list has no foreign key (SPEC T-03).
CREATE FUNCTION candor_found_key() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM unnest(NEW.projects) AS listed (id)
               WHERE NOT EXISTS (SELECT FROM project p WHERE p.tenant_id = NEW.tenant_id AND p.id = listed.id)) THEN
        RAISE EXCEPTION 'there is no such project' USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION candor_found_key FROM PUBLIC;

CREATE TRIGGER api_key_found BEFORE INSERT ON api_key FOR EACH ROW
WHEN (NEW.projects <> '{}') EXECUTE FUNCTION candor_found_key();
