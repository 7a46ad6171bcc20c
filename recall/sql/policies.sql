-- draft_policy --
-- Keep a draft; the id of it, or of the one that was there already. NULL: who is in force may not.
SELECT candor_draft_policy(%(id)s::uuid, %(called)s::text, %(body)s::jsonb, %(hash)s::text, %(based_on)s::text,
                           %(note)s::text, %(now)s::timestamptz) AS id;

-- shadow_policy --
-- Try a draft, or make it a draft again when it failed; the state it has then.
SELECT candor_shadow_policy(%(id)s::uuid, %(failed)s::boolean) AS verdict;

-- policy_validated --
-- Have a policy proven by a shadow run; what came of it.
SELECT candor_policy_validated(%(id)s::uuid, %(run)s::uuid) AS verdict;

-- activate_policy --
-- Rank by a policy from now on; what came of it.
SELECT candor_activate_policy(%(id)s::uuid, %(back)s::boolean, %(now)s::timestamptz) AS verdict;

-- retire_policy --
-- Take a policy out of force; what came of it.
SELECT candor_retire_policy(%(id)s::uuid, %(now)s::timestamptz) AS verdict;

-- policy_in_force --
-- Name, version and body of the tenant's own policy in force (NULL: none), and the name of the built-in one.
SELECT t.recall_policy, p.name AS policy_name, p.version AS policy_version, p.body::text AS policy_body
FROM tenant t LEFT JOIN recall_policy p ON p.tenant_id = t.id AND p.state = 'active'
WHERE t.id = %(tenant)s;
