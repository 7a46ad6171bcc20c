-- As candor_authenticate_v2, and what the key was granted to say: whose words it may relay, whether it may measure, how far
-- its importance counts, which projects it may name. What was never settled is as the key's kind has it: a key of the
-- tenant's own or of a person says what it likes, an agent's and one for outside are held to the least.
CREATE FUNCTION candor_authenticate_v3(given_hash bytea, given_engine text)
RETURNS TABLE (
    key_id uuid, tenant_id uuid, scopes text[], ceiling smallint, project_id uuid, agent_id uuid,
    agent_ceiling smallint, agent_domains text[], agent_project_id uuid, external boolean, shut text,
    relays_users boolean, measures boolean, max_importance smallint, projects uuid[]
)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT a.key_id, a.tenant_id, a.scopes, a.ceiling, a.project_id, a.agent_id, a.agent_ceiling, a.agent_domains,
           a.agent_project_id, a.external, a.shut,
           coalesce(k.relays_users, own.speaks), coalesce(k.measures, own.speaks),
           coalesce(k.max_importance, CASE WHEN own.speaks THEN 5 ELSE 3 END)::smallint,
           CASE WHEN own.speaks THEN NULL ELSE k.projects END
    FROM public.candor_authenticate_v2(given_hash, given_engine) a
    JOIN public.api_key k ON k.tenant_id = a.tenant_id AND k.id = a.key_id
    CROSS JOIN LATERAL (SELECT k.agent_id IS NULL AND NOT k.external AS speaks) own
$$;
