-- Say that a draft is being tried in the shadow, or that it failed there and is a draft again. Answers the state it has then:
-- one that is validated or beyond stays what it is.
CREATE FUNCTION candor_shadow_policy(tried uuid, failed boolean) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    known text;
BEGIN
    PERFORM pg_advisory_xact_lock(5, t.lock_number) FROM tenant t WHERE t.id = tenant;
    UPDATE recall_policy p SET state = CASE WHEN failed THEN 'draft' ELSE 'shadowing' END
    WHERE p.tenant_id = tenant AND p.id = tried AND p.state = CASE WHEN failed THEN 'shadowing' ELSE 'draft' END;
    SELECT p.state INTO known FROM recall_policy p WHERE p.tenant_id = tenant AND p.id = tried;
    RETURN coalesce(known, 'unknown');
END $$;
