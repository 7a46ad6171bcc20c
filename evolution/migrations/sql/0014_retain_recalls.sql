-- Delete these questions of the tenant in force, with what was shown for them and the verdicts on it, and return how many
-- went: those alone that its rule of retention lets go. The service itself may only add questions and verdicts.
CREATE FUNCTION candor_retain_recalls(recalls uuid[]) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    days integer := (SELECT (t.retention -> 'recalls' ->> 'days')::integer FROM tenant t WHERE t.id = tenant);
    old uuid[];
BEGIN
    IF days IS NULL THEN
        RETURN 0;
    END IF;
    old := ARRAY(
        SELECT r.id FROM recall_event r
        WHERE r.tenant_id = tenant AND r.id = ANY (recalls) AND r.at < now() - make_interval(days => days));
    DELETE FROM feedback f WHERE f.tenant_id = tenant AND f.recall_id = ANY (old);
    DELETE FROM recalled_memory m WHERE m.tenant_id = tenant AND m.recall_id = ANY (old);
    DELETE FROM recall_event r WHERE r.tenant_id = tenant AND r.id = ANY (old);
    RETURN cardinality(old);
END $$;
