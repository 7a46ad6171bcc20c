-- As before, but in the order of the index that has end users' rows alone. By EXISTS, a planner that has no statistics of the
-- column takes such rows for frequent: of a tenant that has most of the table it read the table until one came. Where none
-- is, that was all of it, at each recall (45 ms at 100 000 memories).
CREATE OR REPLACE FUNCTION candor_has_persons() RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN (SELECT m.person FROM public.memory m
            WHERE m.tenant_id = nullif(current_setting('candor.tenant', true), '')::uuid AND m.person <> ''
            ORDER BY m.person LIMIT 1) IS NOT NULL;
END $$;
