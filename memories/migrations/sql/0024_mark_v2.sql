-- Whether who runs this key keeps its sessions apart, so that what is shown in one is not known in another: granted with
-- the scope «sessions», and not claimed by naming one.
CREATE FUNCTION candor_keeps_sessions_apart(tenant uuid, key uuid) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM api_key k WHERE k.tenant_id = candor_keeps_sessions_apart.tenant
                   AND k.id = candor_keeps_sessions_apart.key AND 'sessions' = ANY (k.scopes))
$$;
REVOKE ALL ON FUNCTION candor_keeps_sessions_apart(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_keeps_sessions_apart(uuid, uuid) TO candor_definer;

-- How high has been read, for what is written with this key in a session. A session is named by whose it is, the agent or,
-- of a key without one, the key, and by its name. What was read without a name belongs to every session of whose it is, and
-- what is written without a name to all of them. A name is chosen by who writes: what was read in one session within the
-- last 8 hours counts in the others, too, unless the key's sessions are kept apart.
CREATE FUNCTION candor_mark_v2(tenant uuid, holder uuid, named text, key uuid) RETURNS smallint
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT coalesce(max(s.classification), 0)::smallint FROM session_mark s
    WHERE s.tenant_id = candor_mark_v2.tenant AND s.holder = candor_mark_v2.holder
      AND (candor_mark_v2.named = '' OR s.session IN ('', candor_mark_v2.named)
           OR (s.at > now() - interval '8 hours'
               AND NOT candor_keeps_sessions_apart(candor_mark_v2.tenant, candor_mark_v2.key)))
$$;
REVOKE ALL ON FUNCTION candor_mark_v2(uuid, uuid, text, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION candor_mark_v2(uuid, uuid, text, uuid) TO candor_definer;
