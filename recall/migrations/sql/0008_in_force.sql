-- What the recalls of the tenant in force are answered with by this engine, as a digest: policy, space and shelf of the
-- vectors, what keys for outside may (revoked ones too: that a key ends is no change to prove), and how often classes came
-- down. jsonb has one order of keys, so that its text is canonical. Stored policies are looked for where there are any.
CREATE FUNCTION candor_in_force(given_engine text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    policy jsonb;
    facts jsonb;
BEGIN
    IF to_regclass('public.recall_policy') IS NOT NULL THEN
        EXECUTE 'SELECT jsonb_build_array(p.name, p.version, p.body_hash::text) FROM public.recall_policy p '
                'WHERE p.tenant_id = $1 AND p.state = ''active''' INTO policy USING tenant;
    END IF;
    SELECT jsonb_build_object(
        'engine', given_engine,
        'built_in', (SELECT t.recall_policy FROM tenant t WHERE t.id = tenant),
        'policy', policy,
        'vectors', (SELECT jsonb_build_array(h.space, h.shelf) FROM vector_home h
                    WHERE h.tenant_id = tenant AND h.state = 'active'),
        'lowered', (SELECT g.generation FROM access_gate g WHERE g.tenant_id = tenant),
        'keys', (SELECT jsonb_agg(DISTINCT jsonb_build_object(
                     'scopes', (SELECT array_agg(DISTINCT s ORDER BY s) FROM unnest(k.scopes) AS s),
                     'ceiling', k.ceiling, 'project', k.project_id, 'agent', k.agent_id, 'agent_ceiling', a.ceiling,
                     'agent_project', a.project_id, 'agent_domains', a.domains))
                 FROM api_key k LEFT JOIN agent a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
                 WHERE k.tenant_id = tenant AND k.external)
    ) INTO facts;
    RETURN encode(sha256(convert_to(facts::text, 'UTF8')), 'hex');
END $$;
