"""A context that says what its asker has already (SPEC C-01)."""

from typing import Any

import pytest
from django.http import HttpResponse

from recall.answering.post_response import wait_until_counted
from recall.models import RecallEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.http.conftest import Caller, caller
from tests.http.test_context import ASKED, PORTO
from tests.http.test_recall import FRANKFURT, remember

pytestmark = pytest.mark.spec("C-01", "C-02")

LATER = {"now": "2026-03-03T18:30:00+01:00"}


def ask(one: Caller, etag: str = "", **asked: Any) -> HttpResponse:
    headers = {"If_None_Match": etag} if etag else {}
    answer = one.post("context", {**ASKED, **asked}, **headers)
    wait_until_counted()
    return answer


def shared_by(one: str, other: str) -> str:
    """Return how both begin."""
    ends = (place for place, (mine, theirs) in enumerate(zip(one, other, strict=False)) if mine != theirs)
    return one[: next(ends, min(len(one), len(other)))]


def test_what_has_not_changed_is_said_to_be_so_whatever_the_clock_says(ada: Viewer) -> None:
    remember(ada, FRANKFURT)
    one = caller(ada)
    first = ask(one)

    again, whole = ask(one, first["ETag"], **LATER), ask(one, **LATER)

    assert first["ETag"] == f'"{first.json()["fingerprint"]}"' == whole["ETag"]
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert ask(one, f'"x", W/{first["ETag"]}').status_code == 304
    assert ask(one, '"x"').status_code == ask(one, "*").status_code == 200
    with tenant_scope(ada), unit_of_work():
        assert RecallEvent.objects.count() == 6  # what was told is on record, sent again or not


def test_two_that_say_the_same_differ_in_their_clock_alone(ada: Viewer) -> None:
    for number in range(8):
        remember(ada, f"{FRANKFURT} Rack {number} has its own power.")
    one = caller(ada)

    before, after = (ask(one, budget_tokens=4000, **more).json()["text"] for more in ({}, LATER))

    shared = shared_by(before, after)
    assert before != after
    assert before[len(shared) :].count("\n") == 1
    assert "<current_time" in shared
    assert len(shared.encode()) / len(before.encode()) >= 0.95


@pytest.mark.spec("S-01")
def test_what_has_changed_is_told_and_what_is_hidden_changes_nothing(ada: Viewer) -> None:
    remember(ada, FRANKFURT)
    low, etag = caller(ada, ceiling=1), ""
    etag = ask(low)["ETag"]

    remember(ada, "The staging server stands in a vault below Frankfurt.", classification=2)
    assert ask(low, etag).status_code == 304
    remember(ada, PORTO)
    changed = ask(low, etag)
    assert (changed.status_code, changed["ETag"] != etag) == (200, True)
    assert "Porto" in changed.json()["text"]
