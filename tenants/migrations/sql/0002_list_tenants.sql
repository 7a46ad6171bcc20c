-- Every tenant's id, slug and zone: what the beat and the operator's commands go through.
CREATE FUNCTION candor_list_tenants()
RETURNS TABLE (tenant_id uuid, slug text, time_zone text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT t.id, t.slug, t.time_zone FROM public.tenant t ORDER BY t.slug
$$;
