-- The class of what this agent or key writes in a session, for a person: the one asked for, or what was read or is cited.
CREATE FUNCTION candor_written_class_v2(agent uuid, key uuid, project uuid, named text, of_person text, cites jsonb,
                                        asked smallint) RETURNS smallint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    mark smallint := greatest(candor_session_read(tenant, coalesce(agent, key), named, of_person),
                              candor_cited_class(tenant, agent, key, project, of_person, cites));
BEGIN
    IF mark <= asked OR candor_may_write_down(tenant, key) THEN
        RETURN asked;
    END IF;
    RETURN mark;
END $$;
