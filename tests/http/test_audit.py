"""The audit over HTTP and in the admin: read by who may, by filter, and verified."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from security.audit.query import write_checkpoints
from security.models import AuditEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import NOW, make_audit_event, make_membership, make_tenant_grant, make_user
from tests.http.conftest import Caller, caller, errors
from tests.integration.security.meddling import meddling

pytestmark = pytest.mark.spec("S-03")


@pytest.fixture(autouse=True)
def book(settings: Any, tmp_path: Path) -> None:
    settings.AUDIT_DIR, settings.AUDIT_KEY, settings.AUDIT_FORMER_KEYS = tmp_path, "ab" * 32, []


def fill(tenant: Viewer) -> list[str]:
    """Write six events of two kinds and return their ids, newest first."""
    made = [
        make_audit_event(
            tenant=tenant, action=("memory.correct", "key.revoke")[number % 2], object_id=f"thing-{number}",
            object_type=("memory", "api_key")[number % 2], classification=number // 2, actor_kind="person",
            actor_id=("grace", "bob")[number // 3], at=NOW.replace(day=number + 1), detail={"n": number},
        )
        for number in range(6)
    ]  # fmt: skip
    return [str(event.id) for event in reversed(made)]


def ids(answer: HttpResponse) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [row["id"] for row in json.loads(answer.content)["results"]]


def asking(tenant: Viewer, **key: Any) -> Caller:
    """Return somebody whose key was made without leaving an event: `caller` writes one."""
    with tenant_scope(tenant), unit_of_work():
        before = AuditEvent.objects.count()
    made = caller(tenant, scopes=["audit"], **key)
    with tenant_scope(tenant), unit_of_work():
        assert AuditEvent.objects.count() == before + 1
    return made


@pytest.mark.spec("T-09")
def test_the_trail_tells_who_did_what_when_and_where_in_the_chain(ada: Viewer) -> None:
    made = fill(ada)

    answer = asking(ada).get("audit?object_id=thing-3").json()

    [event] = answer["results"]
    assert len(event.pop("hash")) == 64
    assert (event, answer["next"]) == (
        {
            "id": made[2],
            "seq": 4,
            "at": "2026-03-04T09:30:00Z",
            "actor_kind": "person",
            "actor_id": "bob",
            "action": "key.revoke",
            "object_type": "api_key",
            "object_id": "thing-3",
            "reason": "",
            "detail": {"n": 3},
            "erased": False,
            "classification": "internal",
        },
        None,
    )


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("action=memory.correct", [1, 3, 5]),
        ("object_type=memory", [1, 3, 5]),
        ("actor=grace", [3, 4, 5]),
        ("since=2026-03-04T00:00:00Z&actor=bob", [0, 1, 2]),
        ("until=2026-03-03T00:00:00Z", [4, 5]),
        ("since=2026-03-02T09:30:00Z&until=2026-03-04T09:30:00Z", [3, 4]),
        ("action=memory.correct&actor=bob", [1]),
        ("action=nothing", []),
    ],
)
def test_filters_hold_together(ada: Viewer, query: str, wanted: list[int]) -> None:
    made = fill(ada)

    assert ids(asking(ada).get(f"audit?{query}")) == [made[place] for place in wanted]


def test_pages_follow_each_other_to_the_end(ada: Viewer) -> None:
    made, reader = fill(ada), asking(ada)
    seen, cursor = [], ""
    while cursor is not None:
        page = reader.get(f"audit?limit=2&until=2026-04-01T00:00:00Z{cursor and f'&cursor={cursor}'}").json()
        seen += [row["id"] for row in page["results"]]
        cursor = page["next"]

    assert seen == made


@pytest.mark.spec("S-01", "T-01")
def test_nobody_reads_above_their_ceiling_nor_another_tenants_trail(ada: Viewer, grace: Viewer) -> None:
    made = fill(ada)
    fill(grace)

    low, all_ = (ids(asking(ada, ceiling=rank).get("audit?until=2026-04-01T00:00:00Z")) for rank in (1, 3))

    assert (low, all_) == (made[2:], made)


def test_the_trail_needs_its_own_scope_and_strict_words(ada: Viewer) -> None:
    assert caller(ada, scopes=["read", "admin"]).get("audit").status_code == 403
    assert errors(asking(ada).get("audit?colour=red&since=yesterday")).keys() == {"colour", "since"}


def test_verify_walks_from_the_last_checkpoint_and_names_a_break(ada: Viewer) -> None:
    fill(ada)
    reader = asking(ada, ceiling=0)

    def told() -> dict[str, Any]:
        answer: dict[str, Any] = reader.get("audit/verify").json()
        return {name: answer[name] for name in answer if name != "hash"}

    whole = {
        "ok": True,
        "after": 0,
        "seq": 7,
        "events": 7,
        "erased": 0,
        "checkpoint": False,
        "complete": True,
        "breaks": [],
    }
    assert told() == whole
    with tenant_scope(ada):
        write_checkpoints(now=NOW)
    make_audit_event(tenant=ada, object_id="after")
    assert told() == {**whole, "after": 7, "seq": 9, "events": 2, "checkpoint": True}
    with meddling() as meddler:
        meddler.run("UPDATE audit_event SET actor_id = 'nobody' WHERE object_id = 'after'")
        broken = told()
        meddler.run("DELETE FROM audit_link WHERE seq >= 5")
        cut = told()

    why = "the event is not the one that was written"
    assert (broken["ok"], broken["breaks"]) == (False, [{"seq": 9, "kind": "altered", "what": why}])
    assert (cut["ok"], [(one["seq"], one["kind"]) for one in cut["breaks"]]) == (False, [(5, "cut")])


def test_verify_names_a_file_of_checkpoints_that_is_gone(ada: Viewer, tmp_path: Path) -> None:
    fill(ada)
    reader = asking(ada)
    with tenant_scope(ada):
        write_checkpoints(now=NOW)
    file = tmp_path / f"{ada.tenant_id}.jsonl"
    told = {}
    for state in ("whole", "empty", "gone"):
        if state != "whole":
            file.write_bytes(b"") if state == "empty" else file.unlink()
        answer = reader.get("audit/verify").json()
        told[state] = (answer["ok"], [(one["seq"], one["kind"]) for one in answer["breaks"]])

    broken = (False, [(8, "checkpoint")])
    assert told == {"whole": (True, []), "empty": broken, "gone": broken}


@pytest.mark.spec("H-05")
@pytest.mark.parametrize(("role", "may"), [("auditor", True), ("operator", True), ("reader", False)])
def test_chosen_events_are_handed_out_in_the_admin_as_lines_and_as_a_table(
    ada: Viewer, role: str, may: bool
) -> None:
    made = fill(ada)
    odd = make_audit_event(tenant=ada, object_id="=1+1", at=NOW, actor_id="eve", reason="a,b\nc")
    user = make_user()
    make_membership(tenant=ada, user=user, role=role, ceiling=1)
    if role == "auditor":
        make_tenant_grant(tenant=ada, user=user, right="export")
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    client.post("/admin/tenant/", {"tenant": str(ada.tenant_id)})

    lines, table = (
        client.post(
            reverse("admin:security_auditevent_changelist"),
            {"action": action, "_selected_action": [*made, str(odd.id)]},
        )
        for action in ("export_json_lines", "export_csv")
    )

    if not may:
        assert (lines.status_code, table.status_code) == (403, 403)
        return
    rows = [json.loads(line) for line in lines.content.decode().strip().split("\n")]
    assert [row["object_id"] for row in rows] == ["thing-0", "thing-1", "=1+1", "thing-2", "thing-3"]
    assert lines["Content-Disposition"] == 'attachment; filename="audit.jsonl"'
    read = list(csv.DictReader(io.StringIO(table.content.decode())))
    assert [(row["object_id"], row["reason"]) for row in read][2] == ("'=1+1", "a,b\nc")
    assert len(read) == 5
