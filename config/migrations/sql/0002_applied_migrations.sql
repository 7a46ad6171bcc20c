-- What has been migrated, for the readiness check: the service has no other way to see it, and no way to write it.
CREATE FUNCTION candor_applied_migrations()
RETURNS TABLE (app text, name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT m.app::text, m.name::text FROM public.django_migrations m
$$;
