-- The key with this hash, when it is in force, and for one from outside why its tenant's gate does not let it in; NULL: it
-- does. Crosses tenants because nobody is in force yet. Such a key is stored hashed once more: candor_authenticate, which
-- knows of no gate and is what the code of before asks, does not find it, nor does this function if its mark is taken off.
CREATE FUNCTION candor_authenticate_v2(given_hash bytea, given_engine text)
RETURNS TABLE (
    key_id uuid, tenant_id uuid, scopes text[], ceiling smallint, project_id uuid, agent_id uuid,
    agent_ceiling smallint, agent_domains text[], agent_project_id uuid, external boolean, shut text
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    k api_key;
BEGIN
    SELECT * INTO k FROM api_key r
    WHERE r.secret_hash IN (given_hash, sha256(given_hash)) AND r.external = (r.secret_hash = sha256(given_hash))
      AND r.revoked_at IS NULL AND (r.expires_at IS NULL OR r.expires_at > now());
    IF NOT FOUND THEN
        RETURN;
    END IF;
    UPDATE api_key r SET last_used_at = now()
    WHERE r.tenant_id = k.tenant_id AND r.id = k.id
      AND (r.last_used_at IS NULL OR r.last_used_at < now() - interval '1 minute');
    RETURN QUERY
        SELECT k.id, k.tenant_id, k.scopes::text[], k.ceiling, k.project_id, k.agent_id, a.ceiling, a.domains::text[],
               a.project_id, k.external,
               CASE WHEN k.external THEN candor_gate_shut(k.tenant_id, given_engine) END
        FROM (SELECT) AS one LEFT JOIN agent a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id;
END $$;
