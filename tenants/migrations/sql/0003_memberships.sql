-- The tenants a person belongs to: what the admin's chooser offers, before any tenant is in force.
CREATE FUNCTION candor_memberships(person integer)
RETURNS TABLE (tenant_id uuid, slug text, name text, role text, ceiling smallint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT t.id, t.slug, t.name, m.role, m.ceiling
    FROM public.membership m JOIN public.tenant t ON t.id = m.tenant_id
    WHERE m.user_id = person
    ORDER BY t.slug
$$;
