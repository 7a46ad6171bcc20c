"""How the memory does, by day, as far as the asker's ceiling reaches (SPEC H-05)."""

from datetime import UTC, timedelta

import pytest
from django.utils import timezone

from tenants.scope import Viewer
from tests.factories import (
    make_capture,
    make_feedback,
    make_memory,
    make_recall_event,
    make_recalled_memory,
)
from tests.http.conftest import Caller, key_of

pytestmark = pytest.mark.spec("H-05")


def test_a_day_counts_what_came_about_on_it(ada: Viewer, grace: Viewer) -> None:
    now = timezone.now()
    before = now - timedelta(days=2)
    memory = make_memory(tenant=ada, created_at=before)
    make_memory(tenant=ada, created_at=now, classification=3)
    make_memory(tenant=grace, created_at=now)
    held = {"step": "screen", "gate": "injection", "verdict": "quarantine", "reason": "orders"}
    trace = [{"step": "normalise", "verdict": "pass"}, held]
    make_capture(tenant=ada, created_at=before, state="quarantined", trace=trace)
    for took in (10, 20, 400):
        event = make_recall_event(tenant=ada, at=before, took_ms=took)
        make_recalled_memory(tenant=ada, recall=event, memory=memory)
    make_feedback(tenant=ada, recall=event, memory=memory, outcome="helpful", at=before)
    make_recall_event(tenant=ada, at=before, took_ms=None)
    make_recall_event(tenant=ada, at=before, degraded=["semantic"])

    found = Caller(key_of(ada)).get("statistics?days=7").json()
    day = next(one for one in found["days"] if one["day"] == before.astimezone(UTC).date().isoformat())

    assert len(found["days"]) == 7
    assert day == {
        "day": day["day"], "memories": 1, "discarded": 0, "quarantined": 1, "dead": 0, "answered": 3,
        "nothing_known": 1, "degraded": 1, "helpful": 1, "unhelpful": 0, "used": 0, "tokens_in": 0,
        "tokens_out": 0, "p50_ms": 20.0, "p95_ms": 362.0,
    }  # fmt: skip
    assert found["refused"] == [
        {"gate": "injection", "verdict": "quarantine", "reason": "orders", "captures": 1}
    ]
    assert found["missing_channels"] == [{"channel": "semantic", "recalls": 1}]
    assert found["totals"] == {"memories": 2, "current": 2, "superseded": 0, "archived": 0}
    assert found["models"]["tokens_today"] == 0 < found["models"]["tokens_a_day"]
    below = Caller(key_of(ada, ceiling=1)).get("statistics?days=7").json()
    assert below["totals"]["memories"] == 1


def test_a_recall_notes_how_long_it_took(ada: Viewer) -> None:
    api = Caller(key_of(ada))
    api.post("recall", {"query": "Where is the office?"})
    today = api.get("statistics?days=1").json()["days"][0]

    assert today["nothing_known"] == 1
    assert 0 <= today["p50_ms"] == today["p95_ms"] < 60_000


@pytest.mark.parametrize("days", ["0", "91", "x"])
def test_days_out_of_bounds_are_refused(ada: Viewer, days: str) -> None:
    assert Caller(key_of(ada)).get(f"statistics?days={days}").status_code == 400


def test_it_takes_the_scope_of_auditors(ada: Viewer) -> None:
    assert Caller(key_of(ada, scopes=["read", "recall"])).get("statistics").status_code == 403
