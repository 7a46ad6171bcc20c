"""«Unavailable» is not «empty»: channels that really fail or are slow, over HTTP (SPEC R-12)."""

from dataclasses import replace
from typing import Any

import pytest

from recall import shared_cache
from recall.answering import answer as answering
from recall.answering.post_response import wait_until_counted
from recall.channels import health
from recall.channels.health import WINDOW, read_conditions
from recall.channels.registry import CHANNELS
from recall.policies.policy import DEFAULT, POLICIES
from tenants.models import Tenant
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.http.conftest import Caller, caller, problem
from tests.integration.recall.channel_proofs import FORBIDDEN, PROOFS, asleep, spoilt

pytestmark = pytest.mark.spec("R-12", "O-04")

WALK = pytest.mark.parametrize("name", CHANNELS)
QUESTION = "When does the relay called kestrul restart tomorrow?"
"""Every channel has something to look for in it."""

SLOW_MS, NAP_SECONDS = 40.0, 0.06


@pytest.fixture(autouse=True)
def cache_that_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start with a cache that nobody found out of order."""
    monkeypatch.setattr(shared_cache, "_quiet_until", 0.0)


@pytest.fixture
def asking(ada: Viewer) -> Caller:
    """Give somebody to ask a tenant that has what every channel finds."""
    for proof in PROOFS.values():
        proof.lay_both(ada)
    return caller(ada)


def ask(asking: Caller, **more: Any) -> dict[str, Any]:
    """Return the answer, after what follows it."""
    answer = asking.post("recall", {"query": QUESTION, "seed": 1, **more})
    wait_until_counted()
    assert answer.status_code == 200, answer.content
    return answer.json()  # type: ignore[attr-defined, no-any-return]


@WALK
def test_a_channel_that_fails_is_named_with_its_reason_and_the_rest_answers(
    asking: Caller, name: str
) -> None:
    with spoilt(name, by=FORBIDDEN):
        answer = ask(asking)

    assert answer["degraded"] == [name]
    assert answer["channels"][name] == {"took_part": False, "count": 0, "reason": "no_answer"}
    assert answer["results"] != []
    assert {one["reason"] for other, one in answer["channels"].items() if other != name} <= {
        None,
        "nothing_to_ask",
    }


@WALK
def test_a_channel_asked_alone_that_fails_is_unavailable_and_not_empty(asking: Caller, name: str) -> None:
    with spoilt(name, by=FORBIDDEN):
        silent = asking.post("recall", {"query": QUESTION, "channels": [name]})

    assert silent.status_code == 503
    assert problem(silent)["type"] == "urn:candor:problem:recall-unavailable"


def test_when_all_fail_the_recall_is_unavailable_and_well_again_with_them(asking: Caller) -> None:
    with spoilt(*CHANNELS, by=FORBIDDEN):
        silent = asking.post("recall", {"query": QUESTION})

    assert silent.status_code == 503
    assert ask(asking)["degraded"] == []


def test_the_second_stage_starts_from_the_seeds_that_are_left(asking: Caller) -> None:
    with spoilt("lexical", by=FORBIDDEN):
        answer = ask(asking, channels=["graph"])

    assert answer["degraded"] == ["lexical"]
    assert answer["channels"]["graph"]["took_part"] is True


def test_a_channel_that_failed_is_left_out_of_the_next_recall_and_its_reason_is_told(asking: Caller) -> None:
    with spoilt("tag", by=FORBIDDEN):
        ask(asking)

    assert ask(asking)["channels"]["tag"] == {"took_part": False, "count": 0, "reason": "quarantined"}


def test_a_channel_that_passes_its_deadline_does_not_fail_the_recall(
    asking: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "DEADLINE_MS", 400)
    monkeypatch.setitem(CHANNELS, "tag", replace(CHANNELS["tag"], deadline_ms=100))

    with spoilt("tag", by=asleep(2)):
        answer = ask(asking)

    assert answer["degraded"] == ["tag"]
    assert answer["results"] != []


@pytest.fixture
def watched(ada: Viewer, asking: Caller, monkeypatch: pytest.MonkeyPatch) -> Caller:
    """Have the channels of this tenant probed after every recall, with a limit that a short nap passes."""
    brisk = replace(DEFAULT, name="brisk", slow_ms=SLOW_MS, probe_every=1)
    monkeypatch.setitem(POLICIES, "brisk", brisk)
    with tenant_scope(ada), unit_of_work():
        Tenant.objects.update(recall_policy="brisk")
    return asking


def test_a_slow_channel_is_left_out_and_back_as_soon_as_it_is_fast(watched: Caller) -> None:
    name = "fuzzy"
    only = {"channels": [name, "lexical"]}
    with spoilt(name, by=asleep(NAP_SECONDS)):
        states = [ask(watched, **only)["channels"][name]["reason"] for _ in range(WINDOW + 1)]
    assert states == [None] * WINDOW + ["quarantined"]

    later = [ask(watched, **only)["channels"][name]["reason"] for _ in range(WINDOW + 1)]
    assert later[-1] is None
    assert "quarantined" in later


def test_probes_are_one_in_so_many_and_measure_every_channel_the_question_feeds(
    ada: Viewer, asking: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(POLICIES, "default", replace(DEFAULT, probe_every=3))
    seen = []
    for _ in range(7):
        ask(asking)
        seen.append(sorted({len(one.latencies) for one in read_conditions(ada.tenant_id).values()}))

    assert seen == [[], [], [1], [1], [1], [2], [2]]
    assert read_conditions(ada.tenant_id).keys() == CHANNELS.keys()


def test_without_the_cache_every_channel_counts_as_healthy(
    asking: Caller, settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with spoilt("tag", by=FORBIDDEN):
        ask(asking)
    monkeypatch.setattr(health, "FRESH_SECONDS", 0.0)
    nobody = {"LOCATION": f"unix://{tmp_path}/nobody.sock?db=0"}
    settings.CACHES = {"default": settings.CACHES["default"] | nobody}

    answer = ask(asking)

    assert (answer["degraded"], answer["channels"]["tag"]["reason"] != "quarantined") == ([], True)
