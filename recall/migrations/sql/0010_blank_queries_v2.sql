-- Blank what was asked in these recalls, when a person had forgotten what it speaks of (SPEC S-05): the words, their sketch,
-- and the tags and names that were asked for beside them. Of the tenant in force only; it writes nothing but the blank.
CREATE FUNCTION candor_blank_queries_v2(events uuid[]) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    WITH blanked AS (
        UPDATE recall_event e SET query = '[forgotten]', cluster = NULL, asked = NULL
        WHERE e.tenant_id = nullif(current_setting('candor.tenant', true), '')::uuid AND e.id = ANY (events)
        RETURNING e.id
    )
    SELECT count(*) FROM blanked
$$;
