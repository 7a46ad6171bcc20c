"""Row security: the one maker of policy text, the migration operations that apply it, the audit."""

from tenants.rls.audit import Breach, audit
from tenants.rls.operations import (
    CapByClearance,
    DefinerFunction,
    IsolateByPerson,
    IsolateByTenant,
    LetDefinerHold,
    LetDefinerSee,
    ReferWithTenant,
    TenantKey,
    as_definer,
)
from tenants.rls.policies import (
    APPEND,
    EDIT,
    EVERY,
    READ,
    clearance_policy,
    definer_own_policy,
    isolate_table,
    person_policy,
    tenant_policy,
)

__all__ = [
    "APPEND",
    "EDIT",
    "EVERY",
    "READ",
    "Breach",
    "CapByClearance",
    "DefinerFunction",
    "IsolateByPerson",
    "IsolateByTenant",
    "LetDefinerHold",
    "LetDefinerSee",
    "ReferWithTenant",
    "TenantKey",
    "as_definer",
    "audit",
    "clearance_policy",
    "definer_own_policy",
    "isolate_table",
    "person_policy",
    "tenant_policy",
]
