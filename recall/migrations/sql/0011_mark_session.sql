-- After memories were shown: how high their session has read. One look-up as a rule: a mark is noted
-- again when it rises, or when what lies above internal was shown after more than ten minutes.
CREATE OR REPLACE FUNCTION candor_mark_session() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO session_mark AS s (tenant_id, id, holder, session, at, classification)
    SELECT t.tenant_id, gen_random_uuid(), t.holder, t.session, t.at, t.class
    FROM (SELECT e.tenant_id, coalesce(e.agent_id, e.api_key_id) AS holder, e.session, max(e.at) AS at,
                 max(n.classification) AS class
          FROM told n JOIN recall_event e ON e.tenant_id = n.tenant_id AND e.id = n.recall_id
          GROUP BY e.tenant_id, coalesce(e.agent_id, e.api_key_id), e.session) t
    WHERE t.holder IS NOT NULL AND t.class > 0
      AND NOT EXISTS (SELECT FROM session_mark k
                      WHERE k.tenant_id = t.tenant_id AND k.holder = t.holder AND k.session = t.session
                        AND k.classification >= t.class
                        AND (k.at > t.at - interval '10 minutes' OR t.class < least(k.classification, 2)))
    ON CONFLICT (tenant_id, holder, session) DO UPDATE
    SET classification = greatest(s.classification, excluded.classification), at = greatest(s.at, excluded.at);
    RETURN NULL;
END $$;
