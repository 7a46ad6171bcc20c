-- How far an origin is believed (SPEC M-08), with that of what an agent's key says a user said; the same table as
-- memories.kinds.PROVENANCE_WEIGHT.
CREATE OR REPLACE FUNCTION candor_weight(provenance text) RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE provenance
        WHEN 'user_correction' THEN 1.00 WHEN 'user_stated' THEN 0.95 WHEN 'measured' THEN 0.95
        WHEN 'user_relayed' THEN 0.85 WHEN 'agent_chat' THEN 0.80 WHEN 'connector' THEN 0.70
        WHEN 'extracted' THEN 0.60 WHEN 'agent_inferred' THEN 0.40 ELSE 0 END::double precision
$$;
