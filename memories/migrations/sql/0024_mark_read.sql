-- What was shown by a read: how high its session has read, and when. One look-up as a rule: a mark is noted again when it
-- rises, or when what lies above internal was read after more than ten minutes.
CREATE FUNCTION candor_mark_read(agent uuid, key uuid, named text, class smallint) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO session_mark AS s (tenant_id, id, holder, session, at, classification)
    SELECT t.id, gen_random_uuid(), t.holder, candor_mark_read.named, now(), candor_mark_read.class
    FROM (SELECT nullif(current_setting('candor.tenant', true), '')::uuid AS id,
                 coalesce(candor_mark_read.agent, candor_mark_read.key) AS holder) t
    WHERE t.id IS NOT NULL AND t.holder IS NOT NULL AND candor_mark_read.class BETWEEN 1 AND 3
      AND NOT EXISTS (SELECT FROM session_mark k
                      WHERE k.tenant_id = t.id AND k.holder = t.holder AND k.session = candor_mark_read.named
                        AND k.classification >= candor_mark_read.class
                        AND (k.at > now() - interval '10 minutes'
                             OR candor_mark_read.class < least(k.classification, 2)))
    ON CONFLICT (tenant_id, holder, session) DO UPDATE
    SET classification = greatest(s.classification, excluded.classification), at = greatest(s.at, excluded.at)
$$;
