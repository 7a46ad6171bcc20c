-- Whether the tenant in force has rows that are some end user's own (SPEC K-09): where it has, what is hidden from a viewer
-- cannot be listed by that viewer, so recall holds rows against what is visible (docs/decisions/0022, 0057).
CREATE FUNCTION candor_has_persons() RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN EXISTS (SELECT FROM public.memory m
                   WHERE m.tenant_id = nullif(current_setting('candor.tenant', true), '')::uuid AND m.person <> '');
END $$;
