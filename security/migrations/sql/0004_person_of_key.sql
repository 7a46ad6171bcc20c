-- Whom a key speaks for, with their role and ceiling in the tenant; no row when it speaks for no person, a row
-- without a role when the person has no place in the tenant any more or may not log in. Asked of a key that is in
-- force, before anybody is.
CREATE FUNCTION candor_person_of_key(of_tenant uuid, of_key uuid)
RETURNS TABLE (user_id integer, role text, ceiling smallint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT k.user_id, m.role, m.ceiling
    FROM public.api_key k
    JOIN public.auth_user u ON u.id = k.user_id
    LEFT JOIN public.membership m ON m.tenant_id = k.tenant_id AND m.user_id = k.user_id AND u.is_active
    WHERE k.tenant_id = of_tenant AND k.id = of_key
$$;
