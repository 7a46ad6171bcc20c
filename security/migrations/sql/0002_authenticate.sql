-- The key with this hash, when it is in force. Crosses tenants because nobody is in force yet.
CREATE FUNCTION candor_authenticate(given_hash bytea)
RETURNS TABLE (
    key_id uuid, tenant_id uuid, name text, scopes text[], ceiling smallint, project_id uuid,
    agent_id uuid, agent_ceiling smallint, agent_domains text[], agent_project_id uuid
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE public.api_key k SET last_used_at = now()
    WHERE k.secret_hash = given_hash
      AND (k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute');
    RETURN QUERY
        SELECT k.id, k.tenant_id, k.name, k.scopes::text[], k.ceiling, k.project_id,
               k.agent_id, a.ceiling, a.domains::text[], a.project_id
        FROM public.api_key k
        LEFT JOIN public.agent a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
        WHERE k.secret_hash = given_hash AND k.revoked_at IS NULL
          AND (k.expires_at IS NULL OR k.expires_at > now());
END
$$;
