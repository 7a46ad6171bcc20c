DROP TRIGGER api_key_gate_insert ON api_key;
DROP TRIGGER api_key_gate_update ON api_key;
DROP TRIGGER agent_gate ON agent;
DROP TRIGGER tenant_gate ON tenant;
DROP TRIGGER vector_home_gate ON vector_home;
DROP TRIGGER memory_gate ON memory;
DO $$
BEGIN
    IF to_regclass('public.recall_policy') IS NOT NULL THEN
        DROP TRIGGER IF EXISTS recall_policy_gate ON recall_policy;
    END IF;
END $$;
