-- The class of what is written directly, without a capture, by this agent or key: the one asked for, or what was read.
CREATE OR REPLACE FUNCTION candor_written_class(agent uuid, key uuid, named text, asked smallint) RETURNS smallint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    mark smallint := candor_mark_v2(tenant, coalesce(agent, key), named, key);
BEGIN
    IF mark <= asked OR candor_may_write_down(tenant, key) THEN
        RETURN asked;
    END IF;
    RETURN mark;
END $$;
