-- What independent others said too may be believed beyond its own origin, up to 0.95 (SPEC E-08); that they did is
-- written by the definer's function alone: nobody is granted the column for updates, and no row begins with it.
ALTER TABLE memory DROP CONSTRAINT memory_trust_within_origin;
ALTER TABLE memory ADD CONSTRAINT memory_trust_within_origin CHECK (
    trust <= CASE WHEN corroborated > 0 THEN greatest(0.95, candor_weight(provenance))
                  ELSE candor_weight(provenance) END);

CREATE FUNCTION candor_begin_alone() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'nobody has said the same yet' USING ERRCODE = 'insufficient_privilege';
END $$;
REVOKE ALL ON FUNCTION candor_begin_alone FROM PUBLIC;

CREATE TRIGGER memory_begins_alone BEFORE INSERT ON memory
FOR EACH ROW WHEN (NEW.corroborated <> 0) EXECUTE FUNCTION candor_begin_alone();
