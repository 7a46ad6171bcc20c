"""
The catalogue's audit: which wall is open, asked of PostgreSQL itself and not of our own models.

What may differ from a plain tenant's table is written down here, each entry with its reason; anything else
that differs is reported. The serving process refuses to start on a breach (`tenants.checks`).
"""

import re
from dataclasses import dataclass
from typing import Final

from django.db.backends.utils import CursorWrapper

from tenants.rls.policies import APPEND, EVERY, READ
from tenants.roles import APP_ROLE, DEFINER_ROLE


@dataclass(frozen=True, slots=True)
class Exemption:
    """Why a table has no tenant, and the most that the service may do with it."""

    reason: str
    grants: tuple[str, ...] = ()  #: verbs, or «VERB (column)»


EXEMPT: Final[dict[str, Exemption]] = {
    "auth_group": Exemption("names of Django's groups; no tenant's data", READ),
    "auth_group_permissions": Exemption("Django's own catalogue", READ),
    "auth_permission": Exemption("Django's own catalogue", READ),
    "auth_user": Exemption(
        "people log in before a tenant is chosen; names and password hashes of operators only",
        (*READ, "UPDATE (last_login)", "UPDATE (password)"),
    ),
    "auth_user_groups": Exemption("Django's own catalogue", READ),
    "auth_user_user_permissions": Exemption("Django's own catalogue", READ),
    "django_admin_log": Exemption("it has no tenant, so audit_event is written instead; never granted"),
    "django_content_type": Exemption("Django's own catalogue", READ),
    "django_migrations": Exemption("the owner's book of migrations; never granted"),
    "guardian_groupobjectpermission": Exemption(
        "it has no tenant; grants have tables of their own, never granted"
    ),
    "guardian_userobjectpermission": Exemption(
        "it has no tenant; grants have tables of their own, never granted"
    ),
    "django_session": Exemption(
        "opened before a tenant is chosen; holds a user's id and the chosen tenant's id", EVERY
    ),
}
"""Tables without tenant_id. Anything else without walls is reported."""

APPEND_ONLY: Final = frozenset({"corroboration", "erasure", "lineage"})
"""Tenants' tables whose rows the service may add and read, never change (SPEC S-05, M-08, E-08)."""

READ_ONLY: Final = frozenset(
    {"access_gate", "audit_event", "audit_link", "downgrade", "recall_policy", "session_mark"}
)
"""Tenants' tables that the service may read only: a definer's function writes (SPEC S-01, S-03, S-06)."""

DEFINER_SEES: Final = frozenset({"agent", "api_key", "capture", "membership", "tenant", "webhook"})
"""Tables on which the definer's role may have its own policy: what the functions below rest on."""

DEFINER_HOLDS: Final = frozenset(
    {
        "collection_stat", "contradiction", "embedding", "lineage", "link", "memory", "memory_version",
        "mention", "posting", "summary", "triple", "usage",
        "vocabulary",
        "corroboration", "observation", "verification", "watermark",
        "audit_event", "audit_link",
        "consolidation", "entity", "entity_alias", "erasure", "feedback", "learnt_of_memory", "recall_event",
        "recalled_memory",
        "document", "downgrade", "session_mark",
        "access_gate", "recall_policy", "shadow_run", "vector_home",
        "sleep_run", "sleep_step",
    }
)  # fmt: skip
"""Tables on which the definer's role may have a policy past clearance, within the tenant in force only."""

DEFINER_FUNCTIONS: Final[dict[str, str]] = {
    "candor_ask_downgrade(uuid, uuid, smallint, text, text, timestamp with time zone, "
    "timestamp with time zone)": "a class comes down by a person's word, and by no grant of the service",
    "candor_decide_downgrade(uuid, boolean, uuid, smallint, text, text, timestamp with time zone)": (
        "the same, by a second person's word"
    ),
    "candor_activate_policy(uuid, boolean, timestamp with time zone)": (
        "what ranks recalls is proven or was in force before, and by no grant of the service"
    ),
    "candor_draft_policy(uuid, text, jsonb, text, text, text, timestamp with time zone)": (
        "a version is written once, by a person's word"
    ),
    "candor_policy_validated(uuid, uuid)": "a version is proven by a passed run of it, and by nobody's word",
    "candor_retire_policy(uuid, timestamp with time zone)": "the same, out of force",
    "candor_shadow_policy(uuid, boolean)": "a version is tried as it is written; states only",
    "candor_authenticate_v2(bytea, text)": "the same, and whether the gate lets keys for outside in",
    "candor_authenticate_v3(bytea, text)": "the same, and what the key was granted to say",
    "candor_authenticate_v4(bytea, text)": "the same, and which end users the key may name",
    "candor_close_gate(text, timestamp with time zone)": "the gate goes its steps by no grant of the service",
    "candor_gate_follow()": "the gate shuts when what is in force changes; runs as a trigger only",
    "candor_has_persons()": "whether any row is an end user's own, for who may not see it; a yes or no",
    "candor_in_force(text)": "what is in force is told as a digest, whatever who asks may see of it",
    "candor_note_visibility()": "that a class has moved is noted whoever moved it; runs as a trigger only",
    "candor_open_gate(text, text, timestamp with time zone)": "the same; it asks who may, too",
    "candor_validate_gate(uuid, text, timestamp with time zone)": "the same, by a shadow run that passed",
    "candor_keep_up()": "what a session writes is as high as what it read; runs as a trigger only",
    "candor_mark_raised()": "how high a session has read follows what it was shown; runs as a trigger only",
    "candor_mark_read(uuid, uuid, text, smallint)": "how high a session has read by any door; it only rises",
    "candor_mark_read_v2(uuid, uuid, text, text, text, smallint)": "the same, for a person, by which read",
    "candor_end_session(uuid, uuid, text, text, smallint)": "what a session was shown is forgotten with it",
    "candor_mark_session()": "how high a session has read is kept with it; runs as a trigger only",
    "candor_written_class(uuid, uuid, text, smallint)": "the same for what is written without a capture",
    "candor_written_class_v2(uuid, uuid, uuid, text, text, jsonb, smallint)": "the same, with what is cited",
    "candor_raise_downgrades()": "that a row was to be lowered follows its class; runs as a trigger only",
    "candor_append_audit(jsonb)": "the trail is written for who is in force, and by no grant of the service",
    "candor_applied_migrations()": "readiness compares what is migrated with what should be; names only",
    "candor_blank_queries(uuid[])": "the service may only add recalls; it blanks what was asked",
    "candor_blank_queries_v2(uuid[])": "the same, with what was asked for besides the words",
    "candor_erase_memories(uuid[])": "the service cannot delete a memory but whole and with its receipt",
    "candor_authenticate(bytea)": "a key says which tenant is asking, so nobody is in force yet",
    "candor_claim_due(integer, integer)": "the sweeper finds due captures of every tenant; ids only",
    "candor_claim_due_v2(integer, integer)": "the same, in turns; the code of before calls the first",
    "candor_claim_due_v3(integer, integer)": "the same, in turns by cost; the code before calls the second",
    "candor_due_webhooks(integer)": "the courier finds webhooks of every tenant with news; ids only",
    "candor_retain_recalls(uuid[])": "the service only adds questions; a rule of the tenant lets old ones go",
    "candor_retain_nights(integer)": "the same of what nights did",
    "candor_queue_state()": "readiness and metrics count what waits, of every tenant; numbers and ages only",
    "candor_chain_audit()": "an event takes its place in the chain at the commit; runs as a trigger only",
    "candor_check_lineage()": "a derived row's source may lie above its writer; runs as a trigger only",
    "candor_hold_lineage()": "what rests on a row is held to its trust and class; runs as a trigger only",
    "candor_hold_lineage_late()": "the same at the commit, for rows that came after; runs as a trigger only",
    "candor_hold_memory()": "a lowered trust or raised class reaches all that rests on it; a trigger only",
    "candor_raise_doubts()": "what is known of a row's watermark follows its class; runs as a trigger only",
    "candor_raise_recalled()": "what was shown of a row follows its class; runs as a trigger only",
    "candor_settle_trust(uuid[])": "trust may rise by this closed form of what stands beside a row only",
    "candor_list_tenants()": "the beat and the operator's commands go through the tenants",
    "candor_person_of_key(uuid, uuid)": "a key's person is known before anybody is in force; one key's only",
    "candor_memberships(integer)": "the admin offers a person their tenants before one is in force",
}
"""Functions that run as their owner: with DEFINER_SEES, the whole exemption from the tenants' walls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """One thing about one table or function that leaves a wall open."""

    subject: str  #: «Table …» or «Function …»
    fault: str


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy as PostgreSQL prints it."""

    name: str
    permissive: str  #: true or false
    verb: str  #: * for all
    roles: str  #: by comma
    using: str | None
    check: str | None


@dataclass(frozen=True, slots=True)
class CatalogueRelation:
    """What the catalogue says of a relation."""

    schema: str
    name: str
    kind: str
    enabled: bool
    forced: bool
    has_tenant: bool
    has_class: bool
    has_person: bool
    policies: list[list[str | None]] | None
    grants: list[str] | None  #: what the service may do, however it came by it


_RELATIONS = """
SELECT n.nspname, c.relname, c.relkind::text, c.relrowsecurity, c.relforcerowsecurity,
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id'
               AND a.atttypid = 'uuid'::regtype AND a.attnotnull AND NOT a.attisdropped),
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'classification'
               AND NOT a.attisdropped),
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'person'
               AND NOT a.attisdropped),
       (SELECT array_agg(ARRAY[p.polname, p.polpermissive::text, p.polcmd::text,
                   (SELECT string_agg(coalesce(r.rolname, 'PUBLIC'), ',' ORDER BY r.rolname)
                    FROM unnest(p.polroles) AS o (oid) LEFT JOIN pg_roles r ON r.oid = o.oid),
                   pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)]::text[])
        FROM pg_policy p WHERE p.polrelid = c.oid),
       (SELECT array_agg(DISTINCT g.verb)
        FROM (SELECT a.grantee, a.privilege_type AS verb
              FROM aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
              UNION ALL
              SELECT a.grantee, a.privilege_type || ' (' || t.attname || ')'
              FROM pg_attribute t, aclexplode(t.attacl) a WHERE t.attrelid = c.oid AND t.attnum > 0) g
        WHERE CASE WHEN g.grantee = 0 THEN true ELSE pg_has_role(%(role)s, g.grantee, 'MEMBER') END)
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND NOT EXISTS (SELECT FROM pg_depend d
                  WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
ORDER BY n.nspname, c.relname
"""

_FUNCTIONS = """
SELECT p.proname || '(' || oidvectortypes(p.proargtypes) || ')', pg_get_userbyid(p.proowner),
       EXISTS (SELECT FROM unnest(p.proconfig) AS s (setting)
               WHERE s.setting = 'search_path=pg_catalog, public, pg_temp'),
       EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a WHERE a.grantee = 0)
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE p.prosecdef AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
ORDER BY 1
"""


def audit(cursor: CursorWrapper) -> list[Breach]:
    """Walk the catalogue and return every open wall; an empty list means that all stand."""
    cursor.execute(_RELATIONS, {"role": APP_ROLE})
    relations = [CatalogueRelation(*row) for row in cursor.fetchall()]
    cursor.execute(_FUNCTIONS)
    return [
        *(_breach("Table", one.name, fault) for one in relations for fault in _judge_relation(one)),
        *(_breach("Function", row[0], fault) for row in cursor.fetchall() for fault in _judge_function(*row)),
    ]


def _breach(sort: str, name: str, fault: str) -> Breach:
    return Breach(subject=f"{sort} «{name}»", fault=fault)


def _judge_relation(one: CatalogueRelation) -> list[str]:
    if one.kind in "vmf":
        return ["views and foreign tables answer past row security; drop it"]
    if one.schema != "public":
        return [f"it stands in the schema {one.schema}, which nothing guards"]
    grants = set(one.grants or ())
    if one.name in EXEMPT:
        return _judge_grants(grants, EXEMPT[one.name].grants)
    if not one.has_tenant and one.name != "tenant":
        return ["it has no NOT NULL tenant_id and no written exemption"]
    faults = [] if one.enabled else ["row security is off"]
    if not one.forced:
        faults.append("row security is not forced on the owner")
    allowed = READ if one.name in READ_ONLY else APPEND if one.name in APPEND_ONLY else EVERY
    return [*faults, *_judge_policies(one), *_judge_grants({verb.split()[0] for verb in grants}, allowed)]


def _judge_grants(found: set[str], allowed: tuple[str, ...]) -> list[str]:
    return [f"{APP_ROLE} holds {verb} on it" for verb in sorted(found - set(allowed))]


def _judge_policies(one: CatalogueRelation) -> list[str]:
    """Return what is wrong with a table's policies; each must be the maker's, to the letter."""
    found = {str(row[0]): Policy(*row) for row in one.policies or ()}  # type: ignore[arg-type]
    wanted = {"candor_tenant": _tenant_policy("id" if one.name == "tenant" else "tenant_id")}
    if one.has_class:
        wanted["candor_clearance"] = _clearance_policy()
    if one.has_person:
        wanted["candor_person"] = _person_policy()
    if one.name in DEFINER_SEES and "candor_definer" in found:
        wanted["candor_definer"] = Policy("candor_definer", "true", "*", DEFINER_ROLE, "true", None)
    if one.name in DEFINER_HOLDS and "candor_definer_own" in found:
        own = _printed("tenant_id", "=", "candor.tenant", "uuid")
        wanted["candor_definer_own"] = Policy("candor_definer_own", "true", "*", DEFINER_ROLE, own, own)
    strangers = [f"policy {name} is not one of the maker's" for name in sorted(found.keys() - wanted.keys())]
    missing = [f"policy {name} is missing" for name in wanted if name not in found]
    differing = [
        f"policy {name} differs from the maker's"
        for name, policy in wanted.items()
        if name in found and not _same(found[name], policy)
    ]
    return [*strangers, *missing, *differing]


def _tenant_policy(column: str) -> Policy:
    own = _printed(column, "=", "candor.tenant", "uuid")
    return Policy("candor_tenant", "true", "*", APP_ROLE, own, own)


def _clearance_policy() -> Policy:
    within = _printed("classification", "<=", "candor.clearance", "smallint")
    return Policy("candor_clearance", "false", "*", APP_ROLE, within, within)


def _person_policy() -> Policy:
    within = (
        "((person = ''::text) OR (person = ( SELECT current_setting('candor.person'::text, true))) "
        "OR ( SELECT (current_setting('candor.every_person'::text, true) = 'on'::text)))"
    )
    return Policy("candor_person", "false", "*", APP_ROLE, within, within)


def _printed(column: str, sign: str, setting: str, cast: str) -> str:
    """Return a comparison with a setting as PostgreSQL prints it."""
    value = f"(NULLIF(current_setting('{setting}'::text, true), ''::text))::{cast}"
    return f"({column} {sign} ( SELECT {value}))"


_ALIAS = re.compile(r' AS "?[a-z_]+"?(?=\))')
"""The name that PostgreSQL gives the subquery's column when it prints it; versions differ in it."""


def _same(found: Policy, wanted: Policy) -> bool:
    bare = Policy(
        found.name,
        found.permissive,
        found.verb,
        found.roles,
        found.using and _ALIAS.sub("", found.using),
        found.check and _ALIAS.sub("", found.check),
    )
    return bare == wanted


def _judge_function(signature: str, owner: str, is_pinned: bool, is_public: bool) -> list[str]:
    faults = {
        "it runs as its owner and is not on the written list": signature not in DEFINER_FUNCTIONS,
        f"it belongs to {owner}, not to {DEFINER_ROLE}": owner != DEFINER_ROLE,
        "its search_path is not pinned": not is_pinned,
        "everybody may execute it": is_public,
    }
    return [fault for fault, holds in faults.items() if holds]
