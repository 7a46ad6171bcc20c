-- Whose a row is does not change (SPEC K-09): what a person said becomes nobody else's, and nothing common, afterwards.
CREATE FUNCTION candor_hold_person() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'whose a row is does not change' USING ERRCODE = 'insufficient_privilege';
END $$;
REVOKE ALL ON FUNCTION candor_hold_person FROM PUBLIC;

CREATE TRIGGER capture_hold_person BEFORE UPDATE ON capture FOR EACH ROW
WHEN (NEW.person IS DISTINCT FROM OLD.person) EXECUTE FUNCTION candor_hold_person();

CREATE TRIGGER document_hold_person BEFORE UPDATE ON document FOR EACH ROW
WHEN (NEW.person IS DISTINCT FROM OLD.person) EXECUTE FUNCTION candor_hold_person();
