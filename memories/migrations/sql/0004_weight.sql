-- How far an origin is believed (SPEC M-08); the same table as memories.kinds.PROVENANCE_WEIGHT.
CREATE FUNCTION candor_weight(provenance text) RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE provenance
        WHEN 'user_correction' THEN 1.00 WHEN 'user_stated' THEN 0.95 WHEN 'measured' THEN 0.95
        WHEN 'agent_chat' THEN 0.80 WHEN 'connector' THEN 0.70 WHEN 'extracted' THEN 0.60
        WHEN 'agent_inferred' THEN 0.40 ELSE 0 END::double precision
$$;
REVOKE ALL ON FUNCTION candor_weight FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_weight TO candor_app, candor_definer;

ALTER TABLE memory ADD CONSTRAINT memory_trust_within_origin CHECK (trust <= candor_weight(provenance));
