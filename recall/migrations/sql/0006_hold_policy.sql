-- Hold a recall policy to its states and its body, whoever writes: what was proven is what goes live (SPEC S-06).
-- draft → shadowing → validated → active → retired; shadowing → draft when it failed, retired → active to go back.
CREATE FUNCTION candor_hold_policy() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF (NEW.state, NEW.validated_by_run, NEW.activated_at, NEW.activated_by, NEW.replaced, NEW.retired_at)
               IS DISTINCT FROM ('draft', NULL::uuid, NULL::timestamptz, '', NULL::uuid, NULL::timestamptz) THEN
            RAISE EXCEPTION 'a recall policy begins as a draft' USING ERRCODE = 'insufficient_privilege';
        END IF;
        RETURN NEW;
    END IF;
    IF (NEW.tenant_id, NEW.id, NEW.name, NEW.version, NEW.body, NEW.body_hash, NEW.based_on, NEW.note, NEW.created_by,
        NEW.created_at)
           IS DISTINCT FROM (OLD.tenant_id, OLD.id, OLD.name, OLD.version, OLD.body, OLD.body_hash, OLD.based_on,
                             OLD.note, OLD.created_by, OLD.created_at) THEN
        RAISE EXCEPTION 'a version of a recall policy is never changed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF NEW.validated_by_run IS DISTINCT FROM OLD.validated_by_run
           AND (OLD.state, NEW.state) IS DISTINCT FROM ('shadowing', 'validated') THEN
        RAISE EXCEPTION 'what proved a recall policy is never changed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF NEW.state <> OLD.state AND NOT (CASE OLD.state
           WHEN 'draft' THEN NEW.state = 'shadowing'
           WHEN 'shadowing' THEN NEW.state = 'draft' OR NEW.state = 'validated' AND NEW.validated_by_run IS NOT NULL
           WHEN 'validated' THEN NEW.state = 'active' AND NEW.activated_at IS NOT NULL
           WHEN 'active' THEN NEW.state = 'retired' AND NEW.retired_at IS NOT NULL
           WHEN 'retired' THEN NEW.state = 'active' AND OLD.activated_at IS NOT NULL
           ELSE false
       END) THEN
        RAISE EXCEPTION 'a recall policy does not go from % to %', OLD.state, NEW.state
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION candor_hold_policy FROM PUBLIC;

CREATE TRIGGER recall_policy_hold BEFORE INSERT OR UPDATE ON recall_policy
FOR EACH ROW EXECUTE FUNCTION candor_hold_policy();

-- Whether a person or an operator is at it: how a tenant's recalls are ranked is no agent's and no task's to change.
CREATE FUNCTION candor_person_acts() RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(split_part(current_setting('candor.actor', true), ':', 1) IN ('person', 'operator'), false)
$$;
REVOKE ALL ON FUNCTION candor_person_acts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_person_acts TO candor_definer;
