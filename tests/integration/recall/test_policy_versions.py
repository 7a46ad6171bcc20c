"""Versions of a policy as the database holds them: proven before they rank, and never changed (SPEC S-06)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import connection

from recall.models import RecallEvent, StoredPolicy
from recall.policies.body import BadPolicy, body_hash
from recall.policies.policy import DEFAULT, PLAIN_RRF, UnknownPolicy
from recall.policies.versions import (
    NotCarriedOut,
    NotForAgents,
    PolicyDraft,
    activate_policy,
    draft_policy,
    find_policy,
    get_version,
    list_versions,
    mark_draft_again,
    mark_shadowing,
    mark_validated,
    policy_in_force,
    retire_policy,
    roll_back,
    stored_id,
)
from security.models import AuditEvent
from tenants.models import Tenant
from tenants.scope import NotFound, Viewer, tenant_scope, unit_of_work
from tests.factories import NOW, make_agent, make_recall_policy, make_tenant
from tests.integration.recall.conftest import ask, remember
from tests.integration.recall.proving import as_person, make_proven, make_run, prove
from tests.isolation.witness import breaking

pytestmark = pytest.mark.spec("S-06")


@pytest.fixture
def ada(database: None) -> Iterator[Viewer]:
    """A person of a tenant whose shadow runs can be told."""
    ada = as_person(make_tenant("ada"))
    with tenant_scope(ada):
        yield ada


def told(tenant: Viewer, prefix: str = "policy.") -> list[tuple[str, str, dict[str, Any]]]:
    """Return what the trail says of policies: action, reason, detail without the hash."""
    with tenant_scope(tenant), unit_of_work():
        events = AuditEvent.objects.filter(action__startswith=prefix).order_by("id")
        rows = list(events.values_list("action", "reason", "detail"))
    return [
        (action, reason, {name: one for name, one in detail.items() if name != "hash"})
        for action, reason, detail in rows
    ]


def refuse(sql: str, *values: Any) -> str:
    """Run SQL as a superuser, who passes every grant and wall; return what a trigger says."""
    with breaking() as connection, pytest.raises(psycopg.errors.InsufficientPrivilege) as refused:
        connection.execute(sql, values)
    return str(refused.value).splitlines()[0]


def test_a_draft_is_the_base_with_its_changes_and_does_not_rank(ada: Viewer) -> None:
    drafted, is_new = draft_policy(
        PolicyDraft(name="acme", changes={"k": 8, "weights": {"fused": 0.3}}, note="more of the channels"),
        now=NOW,
    )

    wanted = replace(DEFAULT, name="acme", k=8, weights=replace(DEFAULT.weights, fused=0.3))
    assert (drafted.label, drafted.state, drafted.based_on, is_new) == (
        "acme@1", "draft", "default@1", True,
    )  # fmt: skip
    assert (drafted.note, drafted.created_by) == ("more of the channels", "person:mara")
    assert drafted.hash == body_hash(wanted)
    assert find_policy("acme@1") == wanted
    assert policy_in_force() == DEFAULT
    assert stored_id("acme@1") == drafted.id
    assert told(ada) == [
        ("policy.draft", "more of the channels", {"policy": "acme@1", "based_on": "default@1"})
    ]


def test_the_same_draft_is_kept_once_and_another_body_is_the_next_version(ada: Viewer) -> None:
    first = draft_policy(PolicyDraft(name="acme", changes={"k": 8}), now=NOW)[0]
    again, is_new = draft_policy(PolicyDraft(name="acme", changes={"k": 8}), now=NOW)
    other = draft_policy(PolicyDraft(name="acme", changes={"k": 9}), now=NOW)[0]
    from_it = draft_policy(PolicyDraft(name="acme", base="acme@1", changes={"explores": False}), now=NOW)[0]
    elsewhere = draft_policy(PolicyDraft(name="beta", base="plain-rrf"), now=NOW)[0]

    assert (again.id, is_new) == (first.id, False)
    assert [one.label for one in (first, other, from_it, elsewhere)] == [
        "acme@1",
        "acme@2",
        "acme@3",
        "beta@1",
    ]
    assert find_policy("acme@3") == replace(DEFAULT, name="acme", version=3, k=8, explores=False)
    assert find_policy("beta@1") == replace(PLAIN_RRF, name="beta")
    assert [one.label for one in list_versions(most=3)] == ["beta@1", "acme@3", "acme@2"]
    assert len(told(ada)) == 4


@pytest.mark.parametrize("label", ["default", "default@1", "plain-rrf@1"])
def test_a_built_in_policy_is_found_by_its_label(ada: Viewer, label: str) -> None:
    assert find_policy(label).name == label.partition("@")[0]
    assert stored_id(label) is None


@pytest.mark.parametrize(
    "label", ["default@2", "acme", "acme@1", "acme@x", "acme@²", "", "@", "acme@99999999999999"]
)
def test_no_policy_is_found_by_any_other_label(ada: Viewer, label: str) -> None:
    with tenant_scope(make_tenant("grace")):
        make_recall_policy(tenant=make_tenant("bo"), name="acme")
    with pytest.raises(UnknownPolicy):
        find_policy(label)


def test_the_name_of_a_built_in_policy_is_no_tenants(ada: Viewer) -> None:
    with pytest.raises(BadPolicy, match="is a built-in policy's"):
        draft_policy(PolicyDraft(name="default", changes={"k": 8}), now=NOW)
    assert list_versions(most=9) == ()


def test_what_nobody_proved_does_not_come_into_force(ada: Viewer) -> None:
    drafted = draft_policy(PolicyDraft(name="acme", changes={"k": 8}), now=NOW)[0]
    with pytest.raises(NotCarriedOut, match="was not proven"):
        activate_policy(drafted.id, now=NOW)
    mark_shadowing(drafted.id)
    with pytest.raises(NotCarriedOut, match="was not proven"):
        activate_policy(drafted.id, now=NOW)

    assert policy_in_force() == DEFAULT
    assert [action for action, *_ in told(ada)] == ["policy.draft"]


@pytest.mark.parametrize(
    "run",
    [
        {"state": "running", "verdict": None},
        {"state": "cancelled", "verdict": None},
        {"verdict": "failed"},
        {"verdict": None},
        {"kind": "engine"},
        {"label": "acme@2"},
        {"label": "beta@1"},
        {"tenant": "grace"},
        {"missing": True},
    ],
    ids=str,
)
def test_only_a_passed_run_of_exactly_this_version_proves_it(ada: Viewer, run: dict[str, Any]) -> None:
    drafted = draft_policy(PolicyDraft(name="acme", changes={"k": 8}), now=NOW)[0]
    of = make_tenant("grace") if run.pop("tenant", None) else ada
    made = uuid4() if run.pop("missing", None) else make_run(of, run.pop("label", "acme@1"), **run)
    mark_shadowing(drafted.id)

    with pytest.raises(NotCarriedOut, match="no run of this version"):
        mark_validated(drafted.id, made, now=NOW)

    assert get_version(drafted.id).state == "shadowing"
    assert mark_validated(drafted.id, make_run(ada, "acme@1"), now=NOW).state == "validated"


def test_a_version_that_is_not_being_tried_is_not_proven(ada: Viewer) -> None:
    drafted = draft_policy(PolicyDraft(name="acme", changes={"k": 8}), now=NOW)[0]
    run = make_run(ada, "acme@1")
    with pytest.raises(NotCarriedOut, match="not being tried"):
        mark_validated(drafted.id, run, now=NOW)
    assert mark_shadowing(drafted.id)
    assert mark_draft_again(drafted.id)
    with pytest.raises(NotCarriedOut, match="not being tried"):
        mark_validated(drafted.id, run, now=NOW)


def test_a_proven_version_stays_proven_when_it_is_tried_again(ada: Viewer) -> None:
    proven = make_proven(ada)

    assert (mark_shadowing(proven.id), mark_draft_again(proven.id)) == (False, False)
    assert get_version(proven.id).state == "validated"


def test_one_version_is_in_force_and_each_recall_names_it(ada: Viewer) -> None:
    remember(ada, "The relay restarts at noon.")
    first, second = make_proven(ada, changes={"k": 8}), make_proven(ada, changes={"k": 9})

    before = ask(ada, "When does the relay restart?")
    activate_policy(first.id, now=NOW, reason="tried for a week")
    during = ask(ada, "When does the relay restart?")
    activate_policy(second.id, now=NOW)
    after = ask(ada, "When does the relay restart?", leave_out=("recency",))
    named = ask(ada, "When does the relay restart?", policy="default")

    labels = ["default@1", "acme@1", "acme@2-recency", "default@1"]
    assert [answer.policy for answer in (before, during, after, named)] == labels
    with unit_of_work():
        assert list(RecallEvent.objects.order_by("id").values_list("policy", flat=True)) == labels
        assert list(RecallEvent.objects.order_by("id").values_list("k", flat=True)) == [5, 8, 9, 5]
    assert [one.state for one in (get_version(first.id), get_version(second.id))] == ["retired", "active"]
    assert told(ada)[-2:] == [
        ("policy.activate", "tried for a week", {"policy": "acme@1", "former": "default@1"}),
        ("policy.activate", "", {"policy": "acme@2", "former": "acme@1"}),
    ]


def test_to_activate_what_is_in_force_changes_nothing(ada: Viewer) -> None:
    proven = make_proven(ada)
    active = activate_policy(proven.id, now=NOW)
    said = told(ada)

    assert activate_policy(proven.id, now=NOW) == active
    assert told(ada) == said


def test_going_back_is_one_call_down_to_the_built_in_policy(ada: Viewer) -> None:
    first, second = make_proven(ada, changes={"k": 8}), make_proven(ada, changes={"k": 9})
    activate_policy(first.id, now=NOW)
    activate_policy(second.id, now=NOW)

    assert roll_back("acme@2", now=NOW, reason="worse answers") == "acme@1"
    with pytest.raises(NotCarriedOut, match="Another policy is in force"):
        roll_back("acme@2", now=NOW)
    assert policy_in_force().label == "acme@1"
    assert roll_back("acme@1", now=NOW) == "default@1"
    assert policy_in_force() == DEFAULT
    with pytest.raises(NotCarriedOut, match="Another policy is in force"):
        roll_back("acme@1", now=NOW)
    assert told(ada, "policy.rollback") == [
        ("policy.rollback", "worse answers", {"policy": "acme@2", "follows": "acme@1"}),
        ("policy.rollback", "", {"policy": "acme@1", "follows": "default@1"}),
    ]


def test_what_was_in_force_once_may_be_again(ada: Viewer) -> None:
    proven = make_proven(ada)
    activate_policy(proven.id, now=NOW)
    assert retire_policy(proven.id, now=NOW, reason="the pilot is over").state == "retired"
    assert policy_in_force() == DEFAULT
    assert retire_policy(proven.id, now=NOW).state == "retired"

    assert activate_policy(proven.id, now=NOW).state == "active"
    assert [action for action, *_ in told(ada)] == [
        "policy.draft", "policy.validate", "policy.activate", "policy.retire", "policy.activate",
    ]  # fmt: skip


def test_what_is_not_in_force_cannot_be_retired(ada: Viewer) -> None:
    proven = make_proven(ada)
    with pytest.raises(NotCarriedOut, match="is not in force"):
        retire_policy(proven.id, now=NOW)
    assert get_version(proven.id).state == "validated"


def test_the_tenants_built_in_policy_ranks_where_none_of_its_own_does(ada: Viewer) -> None:
    with unit_of_work():
        Tenant.objects.update(recall_policy="plain-rrf")
    assert policy_in_force() == PLAIN_RRF
    assert draft_policy(PolicyDraft(name="acme"), now=NOW)[0].based_on == "plain-rrf@1"


def test_no_agent_and_no_task_changes_what_ranks(ada: Viewer) -> None:
    proven, active = make_proven(ada, changes={"k": 8}), make_proven(ada, changes={"k": 9})
    activate_policy(active.id, now=NOW)
    agent = make_agent(tenant=ada, slug="atlas")
    said = told(ada)
    for kind in ("agent", "system"):
        with tenant_scope(replace(ada, actor_kind=kind, agent_id=agent.id)):
            for change in (
                lambda: draft_policy(PolicyDraft(name="evil"), now=NOW),
                lambda: activate_policy(proven.id, now=NOW),
                lambda: retire_policy(active.id, now=NOW),
                lambda: roll_back("acme@2", now=NOW),
            ):
                with pytest.raises(NotForAgents):
                    change()
            with unit_of_work():
                assert database_refuses(proven.id, active.id) == [None, "not_allowed", "not_allowed"]

    assert policy_in_force().label == "acme@2"
    assert told(ada) == said


def database_refuses(proven: Any, active: Any) -> list[Any]:
    """Return what the database answers to who goes past the code."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT ARRAY[candor_draft_policy(gen_random_uuid(), 'evil', '{}', '', '', '', now())::text, "
            "candor_activate_policy(%s, false, now()), candor_retire_policy(%s, now())]",
            [proven, active],
        )
        return list(cursor.fetchone()[0])


def test_another_tenants_version_is_not_there(ada: Viewer) -> None:
    proven = make_proven(ada)
    with tenant_scope(as_person(make_tenant("grace"))):
        for change in (
            lambda: get_version(proven.id),
            lambda: activate_policy(proven.id, now=NOW),
            lambda: retire_policy(proven.id, now=NOW),
            lambda: mark_shadowing(proven.id),
            lambda: mark_validated(proven.id, uuid4(), now=NOW),
        ):
            with pytest.raises(NotFound):
                change()
        assert list_versions(most=9) == ()
        assert policy_in_force() == DEFAULT


@pytest.mark.parametrize(
    "change",
    [
        "body = '{}'", "body_hash = ''", "name = 'other'", "version = 7", "note = 'x'", "based_on = 'x'",
        "created_by = 'x'", "created_at = now()", "id = gen_random_uuid()",
    ],
)  # fmt: skip
def test_nobody_changes_what_a_version_is(ada: Viewer, change: str) -> None:
    proven = make_proven(ada)
    assert refuse(f"UPDATE recall_policy SET {change}") == "a version of a recall policy is never changed"
    assert get_version(proven.id) == proven


@pytest.mark.parametrize(
    ("state", "wanted"),
    [
        ("draft", "validated"),
        ("draft", "active"),
        ("draft", "retired"),
        ("shadowing", "active"),
        ("shadowing", "retired"),
        ("validated", "draft"),
        ("validated", "shadowing"),
        ("validated", "retired"),
        ("active", "draft"),
        ("active", "validated"),
        ("retired", "draft"),
        ("retired", "validated"),
    ],
)
def test_a_state_is_reached_by_its_arrows_only_whoever_writes(ada: Viewer, state: str, wanted: str) -> None:
    row = make_recall_policy(tenant=ada)
    if state == "shadowing":
        mark_shadowing(row.id)
    elif state != "draft":
        prove(ada, row.id, "acme@1")
    if state in ("active", "retired"):
        activate_policy(row.id, now=NOW)
    if state == "retired":
        retire_policy(row.id, now=NOW)

    assert refuse("UPDATE recall_policy SET state = %s", wanted) == (
        f"a recall policy does not go from {state} to {wanted}"
    )


def test_what_proved_a_version_is_set_once(ada: Viewer) -> None:
    make_proven(ada)
    assert refuse("UPDATE recall_policy SET validated_by_run = gen_random_uuid()") == (
        "what proved a recall policy is never changed"
    )


def test_a_version_begins_as_a_draft_whoever_writes_it(ada: Viewer) -> None:
    make_proven(ada)
    copied = "tenant_id, id, name, version, body, body_hash, state, based_on, note, created_by, created_at"
    assert refuse(
        f"INSERT INTO recall_policy ({copied}, activated_by) SELECT tenant_id, gen_random_uuid(), name, 9, "
        "body, body_hash, 'validated', based_on, note, created_by, created_at, '' FROM recall_policy"
    ) == "a recall policy begins as a draft"  # fmt: skip


def test_the_service_itself_writes_no_version(ada: Viewer) -> None:
    make_recall_policy(tenant=ada)
    for write in (
        lambda: StoredPolicy.objects.update(state="active"),
        lambda: StoredPolicy.objects.all().delete(),
        lambda: StoredPolicy(
            name="x",
            version=1,
            body={},
            body_hash="",
            state="draft",
            based_on="",
            created_by="",
            created_at=NOW,
        ).save(force_insert=True),
    ):
        with pytest.raises(Exception, match="permission denied"), unit_of_work():
            write()
