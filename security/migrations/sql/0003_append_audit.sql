-- Add events to the trail of the tenant in force, done by the actor in force: a list of {id, at, action,
-- object_type, object_id, reason, detail, classification}. Nobody writes above their own clearance.
CREATE FUNCTION candor_append_audit(events jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tenant uuid := nullif(current_setting('candor.tenant', true), '')::uuid;
    clearance smallint := nullif(current_setting('candor.clearance', true), '')::smallint;
    actor text := nullif(current_setting('candor.actor', true), '');
BEGIN
    IF tenant IS NULL OR clearance IS NULL OR actor IS NULL THEN
        RAISE EXCEPTION 'nobody is in force who could have done it' USING ERRCODE = 'insufficient_privilege';
    END IF;
    INSERT INTO public.audit_event (tenant_id, id, at, actor_kind, actor_id, action, object_type, object_id, reason,
                                    detail, classification)
    SELECT tenant, e.id, e.at, split_part(actor, ':', 1), substr(actor, strpos(actor, ':') + 1), e.action,
           e.object_type, e.object_id, e.reason, e.detail, least(e.classification, clearance)
    FROM jsonb_array_elements(events) WITH ORDINALITY AS one (event, place)
    CROSS JOIN LATERAL jsonb_to_record(one.event) AS e (
        id uuid, at timestamptz, action text, object_type text, object_id text, reason text, detail jsonb,
        classification smallint)
    ORDER BY one.place;
END $$;
