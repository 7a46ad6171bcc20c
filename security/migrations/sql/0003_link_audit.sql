-- Texts as one, each with its length in bytes, so that no two lists of texts read alike (netstrings).
CREATE FUNCTION candor_joined(parts text[]) RETURNS bytea
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT convert_to(string_agg(octet_length(p.part) || ':' || p.part || ',', '' ORDER BY p.place), 'UTF8')
    FROM unnest(parts) WITH ORDINALITY AS p (part, place)
$$;
REVOKE ALL ON FUNCTION candor_joined(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_joined(text[]) TO candor_definer;

-- Put an event at the end of its tenant's chain. The form of what is hashed stands in docs/audit.md; it is made
-- again by security/chain.py and docs/verify_audit.py. Runs inside the definer's trigger, and once to fill. The
-- lock (namespace AUDIT of memories/locks.py) is held to the end of the transaction: nobody sees a fork.
CREATE FUNCTION candor_link_audit(event audit_event) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    tip record;
    link audit_link;
BEGIN
    PERFORM pg_advisory_xact_lock(4, t.lock_number) FROM public.tenant t WHERE t.id = event.tenant_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the tenant of an event has no row' USING ERRCODE = 'foreign_key_violation';
    END IF;
    SELECT l.seq, l.hash INTO tip FROM public.audit_link l
    WHERE l.tenant_id = event.tenant_id ORDER BY l.seq DESC LIMIT 1;
    link.seq := coalesce(tip.seq, 0) + 1;
    link.prev_hash := coalesce(tip.hash, decode(repeat('00', 32), 'hex'));
    link.payload_hash := sha256(public.candor_joined(ARRAY[
        event.salt::text, event.reason, event.detail::text]));
    link.event_hash := sha256(public.candor_joined(ARRAY[
        event.id::text, to_char(event.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        event.actor_kind, event.actor_id, event.action, event.object_type, event.object_id,
        event.classification::text, encode(link.payload_hash, 'hex')]));
    link.hash := sha256(public.candor_joined(ARRAY[
        'candor-audit-1', event.tenant_id::text, link.seq::text, encode(link.prev_hash, 'hex'),
        encode(link.event_hash, 'hex')]));
    INSERT INTO public.audit_link (tenant_id, id, seq, prev_hash, payload_hash, event_hash, hash)
    VALUES (event.tenant_id, event.id, link.seq, link.prev_hash, link.payload_hash, link.event_hash, link.hash);
END $$;
REVOKE ALL ON FUNCTION candor_link_audit(audit_event) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_link_audit(audit_event) TO candor_definer;
