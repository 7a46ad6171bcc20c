-- As candor_authenticate_v3, and which end users the key may name (SPEC K-09): none listed, any.
CREATE FUNCTION candor_authenticate_v4(given_hash bytea, given_engine text)
RETURNS TABLE (
    key_id uuid, tenant_id uuid, scopes text[], ceiling smallint, project_id uuid, agent_id uuid,
    agent_ceiling smallint, agent_domains text[], agent_project_id uuid, external boolean, shut text,
    relays_users boolean, measures boolean, max_importance smallint, projects uuid[], persons text[]
)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT a.*, k.persons
    FROM public.candor_authenticate_v3(given_hash, given_engine) a
    JOIN public.api_key k ON k.tenant_id = a.tenant_id AND k.id = a.key_id
$$;
