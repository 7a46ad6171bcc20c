-- After a memory rose in class, by whoever: the sessions that it was shown in have read as high.
CREATE FUNCTION candor_mark_raised() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO session_mark AS s (tenant_id, id, holder, session, at, classification)
    SELECT t.tenant_id, gen_random_uuid(), t.holder, t.session, t.at, NEW.classification
    FROM (SELECT e.tenant_id, coalesce(e.agent_id, e.api_key_id) AS holder, e.session, max(e.at) AS at
          FROM recalled_memory r JOIN recall_event e ON e.tenant_id = r.tenant_id AND e.id = r.recall_id
          WHERE r.tenant_id = NEW.tenant_id AND r.memory_id = NEW.id
          GROUP BY e.tenant_id, coalesce(e.agent_id, e.api_key_id), e.session) t
    WHERE t.holder IS NOT NULL
    ORDER BY t.holder, t.session
    ON CONFLICT (tenant_id, holder, session) DO UPDATE
    SET classification = excluded.classification, at = greatest(s.at, excluded.at)
    WHERE s.classification < excluded.classification;
    RETURN NULL;
END $$;

CREATE TRIGGER memory_mark_raised AFTER UPDATE OF classification ON memory
FOR EACH ROW WHEN (NEW.classification > OLD.classification) EXECUTE FUNCTION candor_mark_raised();
