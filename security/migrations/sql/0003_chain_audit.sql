-- Chain an event when its transaction commits. Not before: the lock is then held while the commit is written and
-- no longer, and nobody who holds it waits for a lock of another kind.
CREATE FUNCTION candor_chain_audit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    bound text := current_setting('candor.tenant', true);
BEGIN
    IF bound IS DISTINCT FROM NEW.tenant_id::text THEN
        PERFORM set_config('candor.tenant', NEW.tenant_id::text, true);
    END IF;
    PERFORM public.candor_link_audit(NEW);
    IF bound IS DISTINCT FROM NEW.tenant_id::text THEN
        PERFORM set_config('candor.tenant', coalesce(bound, ''), true);
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER audit_event_chain AFTER INSERT ON audit_event
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION candor_chain_audit();
