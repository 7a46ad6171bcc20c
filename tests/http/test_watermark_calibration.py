"""Watermarks against what became of the facts: too wide is narrowed, what missed is replaced (SPEC E-09)."""

from typing import Any

import pytest

from memories.models import Watermark
from security.models import AuditEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent
from tests.http.conftest import Caller, caller
from tests.http.test_watermarks import FILE, FLAG, observed, prints, queue, rows, written

pytestmark = [pytest.mark.spec("E-09"), pytest.mark.usefixtures("no_broker")]

PART = {"kind": "git", "ref": "main", "scope": "services"}
SMALLER = {"kind": "git", "ref": "main", "scope": "services/api"}
INSIDE = {"kind": "file", "path": "services/api/limits.toml"}
LIMIT = {
    "content": "On main, services/api/limits.toml allows 40 requests a second.", "kind": "working_state",
    "entity_key": "services/api", "concept_key": "request limit", "value": "40",
}  # fmt: skip


def answer(asking: Caller, verdict: str, **more: str) -> None:
    (item,) = queue(asking)
    answered = asking.post(f"verify-first/{item['id']}/answer", {"verdict": verdict, **more})
    assert answered.status_code == 200, answered.content


def false_alarm(asking: Caller, handle: dict[str, str], value: str) -> None:
    assert observed(asking, (handle, value))["moved"] == 1
    answer(asking, "confirm")


def matrix(asking: Caller, kind: str) -> dict[str, Any]:
    found = asking.get("watermarks/calibration").json()["kinds"]
    return next(dict(one) for one in found if one["kind"] == kind)


def bound(tenant: Viewer) -> list[tuple[str, str, str]]:
    return [(row.kind, row.name, row.scope) for row in rows(tenant, Watermark)]


def actions(tenant: Viewer, action: str) -> int:
    with tenant_scope(tenant), unit_of_work():
        return AuditEvent.objects.filter(action=action).count()


def test_what_was_seen_stands_against_what_had_changed(speaking: Caller) -> None:
    written(speaking, prints((FILE, "f1")))
    false_alarm(speaking, FILE, "f2")
    observed(speaking, (FILE, "f3"))
    answer(speaking, "correct", content="The port of the staging server in deploy/staging.toml is 9090.")

    found = matrix(speaking, "file")

    assert (found["moved_changed"], found["moved_held"], found["false_alarms"]) == (1, 1, 0.5)
    assert matrix(speaking, "flag") == {
        "kind": "flag", "moved_changed": 0, "moved_held": 0, "still_changed": 0, "still_held": 0,
        "unknown": 0, "false_alarms": None, "misses": None,
    }  # fmt: skip


@pytest.mark.parametrize("narrower", [SMALLER, INSIDE], ids=["a smaller part", "one file in it"])
def test_two_false_alarms_bind_a_fact_to_the_part_that_it_names(
    ada: Viewer, speaking: Caller, narrower: dict[str, str]
) -> None:
    written(speaking, prints((PART, "t1")), **LIMIT)
    false_alarm(speaking, PART, "t2")
    assert observed(speaking, (PART, "t2"), (narrower, "n1"))["narrowed"] == 0  # one may be chance
    false_alarm(speaking, PART, "t3")
    noisy = speaking.get("watermarks/calibration").json()["noisy"]
    assert noisy == [{"handle": PART, "facts": 1, "false_alarms": 2}]

    report = observed(speaking, (PART, "t3"), (narrower, "n1"))

    assert (report["verified"], report["narrowed"]) == (1, 1)
    assert bound(ada) == [
        (narrower["kind"], narrower.get("path") or narrower["ref"], narrower.get("scope", ""))
    ]
    assert actions(ada, "watermark.narrow") == 1
    assert (
        observed(speaking, (PART, "t4"), (narrower, "n1"))["moved"] == 0
    )  # what was too wide is watched no more
    assert observed(speaking, (narrower, "n2"))["moved"] == 1
    assert speaking.get("watermarks/calibration").json()["noisy"] == []


def test_what_the_fact_does_not_name_or_lies_elsewhere_narrows_nothing(ada: Viewer, speaking: Caller) -> None:
    written(speaking, prints((PART, "t1")), **LIMIT)
    for value in ("t2", "t3"):
        false_alarm(speaking, PART, value)
    unnamed = {"kind": "file", "path": "services/api/hosts.toml"}

    report = observed(speaking, (PART, "t3"), (unnamed, "n1"), (FILE, "f1"), (FLAG, "on"))

    assert report["narrowed"] == 0
    assert bound(ada) == [("git", "main", "services")]


def test_a_change_that_its_handle_did_not_show_binds_what_comes_after_to_another(
    ada: Viewer, speaking: Caller
) -> None:
    written(speaking, prints((FILE, "f1")))
    observed(speaking, (FILE, "f1"))
    both = "The port of the staging server in deploy/staging.toml, by the flag new-checkout, is 9090."

    written(speaking, prints((FILE, "f1"), (FLAG, "on")), content=both, value="9090")

    assert [one for one in bound(ada) if one[0] == "flag"] == [("flag", "new-checkout", "")]
    assert matrix(speaking, "file")["still_changed"] == 1
    assert matrix(speaking, "file")["misses"] == 1.0
    assert actions(ada, "watermark.rebind") == 1


def test_a_handle_that_moved_unreported_missed_nothing(ada: Viewer, speaking: Caller) -> None:
    written(speaking, prints((FILE, "f1")))
    observed(speaking, (FILE, "f1"))

    written(
        speaking, prints((FILE, "f2")), value="9090",
        content="The port of the staging server in deploy/staging.toml is 9090.",
    )  # fmt: skip

    assert bound(ada) == [("file", "deploy/staging.toml", "")] * 2
    assert matrix(speaking, "file")["misses"] == 0.0
    assert actions(ada, "watermark.rebind") == 0


def test_what_one_may_not_see_is_counted_for_nobody_else(
    ada: Viewer, grace: Viewer, speaking: Caller
) -> None:
    written(speaking, prints((FILE, "f1")), classification="restricted")
    false_alarm(speaking, FILE, "f2")
    other = caller(ada, agent=make_agent(tenant=ada, slug="other").id, ceiling=1)

    assert matrix(speaking, "file")["moved_held"] == 1
    assert matrix(other, "file")["moved_held"] == 0
    assert matrix(caller(grace), "file")["moved_held"] == 0
