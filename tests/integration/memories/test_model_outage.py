"""
The language model out, broken or lying: captures are taken, worked by the rules that stand in, never half.

The model is real code over a real socket; what is spoilt is what the other end answers.
"""

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from memories.ingestion import notify
from memories.ingestion.capture import CaptureView, get_capture
from memories.llms import breaker_states
from memories.llms.breaker import Breaker
from memories.pipeline import process_capture
from security.rest.throttles import BUCKETS
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_tenant
from tests.http.conftest import Caller, caller
from tests.integration.memories.writing import NOW, assert_whole, rows, say, texts
from tests.wire.asking import BACKENDS, BROKEN, KEY, MOVED, WRONG, Spoil, answer, serve
from tests.wire.server import WireServer

pytestmark = pytest.mark.usefixtures("fake_embedder")

SAID = "I moved to Porto on 2026-03-01."
BY_THE_MODEL = "Mara moved to Porto on 2026-03-01."
NOTE = {**MOVED, "sentences": [1]}


def no_sleep(_seconds: float) -> None:
    """Stand in for the pauses between two requests."""


@pytest.fixture(autouse=True)
def nobody_else_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried, and no caller be throttled."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    BUCKETS.forget()


@pytest.fixture(params=["anthropic", "openai"])
def wire(request: pytest.FixtureRequest) -> Iterator[WireServer]:
    with serve(request.param) as server:
        yield server


@pytest.fixture
def ada() -> Viewer:
    return make_tenant("ada")


@pytest.fixture
def use(settings: Any, wire: WireServer) -> Callable[..., None]:
    """Let the model on the wire answer first, with the rules behind it."""
    backend = BACKENDS["anthropic" if "Anthropic" in type(wire).__name__ else "openai"]

    def put(**options: Any) -> None:
        own = {
            "api_key": KEY,
            "model": "claude-m",
            "base_url": wire.base_url,
            "sleep": no_sleep,
            "timeout": 5.0,
        }
        # A breaker of its own: a port comes again, and with it another test's model.
        own |= {"breaker": Breaker("claude-m"), **options}
        settings.LLMS = settings.LLMS | {"default": {"BACKEND": backend, "OPTIONS": own}}

    return put


def post(asking: Caller, text: str = SAID, **more: Any) -> str:
    taken = asking.post(
        "captures", {"text": text, "role": "user", "speaker": "Mara", "clock": NOW.isoformat()} | more
    )
    assert taken.status_code == 202, taken.content
    return str(taken.json()["id"])


def work(tenant: Viewer, capture_id: str) -> CaptureView:
    with tenant_scope(tenant):
        process_capture(UUID(capture_id), now=NOW)
        return get_capture(UUID(capture_id))


def reflected(capture: CaptureView) -> list[tuple[str, str]]:
    return [(entry["verdict"], entry["model"]) for entry in capture.trace if entry["step"] == "reflect"]


def by_the_model(tenant: Viewer) -> list[tuple[str, str]]:
    """Return of each row what was said, and what the model made of it."""
    return [(row.content, row.note) for row in rows(tenant)]


Outcome = tuple[str, list[tuple[str, str]], list[str]]


def fall_back(
    wire: WireServer, use: Callable[..., None], spoilt: dict[str, Spoil], **options: Any
) -> dict[str, Outcome]:
    """Capture the same turn once for each spoilt answer, each as a new tenant; return what became of it."""
    found: dict[str, Outcome] = {}
    for name, spoil in spoilt.items():
        use(**options)
        wire.received.clear()
        wire.script.clear()
        wire.will_answer(*[spoil(wire)] * 4)
        tenant = make_tenant(f"tenant-{len(found)}")
        capture = work(tenant, post(caller(tenant)))
        assert capture.trace[2]["attempts"] == len(wire.received) >= 1, name
        assert_whole(tenant)
        found[name] = (capture.state, reflected(capture), texts(tenant))
    assert wire.complaints == []
    return found


@pytest.fixture
def by_the_rules(settings: Any) -> Outcome:
    """Return what becomes of the turn when the rules stand in."""
    settings.LLMS = settings.LLMS | {"default": settings.LLMS["fallback"]}
    alone = make_tenant("alone")
    state = say(alone, SAID, speaker="Mara").state
    assert (state, len(rows(alone))) == ("stored", 1)
    return state, [("unavailable", "claude-m"), ("pass", "rules")], texts(alone)


OUTAGES: dict[str, Spoil] = {
    "timeout": lambda wire: replace(wire.message(answer(NOTE)), wait_seconds=30.0),
    "429": lambda wire: wire.error(429),
    "429 for an hour": lambda wire: wire.error(429, headers={"retry-after": "3600"}),
    "500": lambda wire: wire.error(500),
    "connection reset": lambda wire: replace(wire.message(answer(NOTE)), is_reset=True),
    "slow drip": lambda wire: replace(wire.message(answer(NOTE)), drip="body"),
    "key revoked": lambda wire: wire.error(401),
    "request refused": lambda wire: wire.error(400),
    "refusal": lambda wire: wire.refusal(),
    "cut off": lambda wire: wire.cut_off(answer(NOTE)),
} | BROKEN  # fmt: skip


@pytest.mark.spec("O-04", "W-08")
def test_in_an_outage_captures_are_taken_and_the_rules_do_the_work(
    wire: WireServer, use: Callable[..., None], by_the_rules: Outcome
) -> None:
    assert fall_back(wire, use, OUTAGES, timeout=0.1) == dict.fromkeys(OUTAGES, by_the_rules)


@pytest.mark.spec("W-08")
def test_a_wrong_answer_is_never_stored_not_even_the_right_half_of_it(
    wire: WireServer, use: Callable[..., None], by_the_rules: Outcome
) -> None:
    assert fall_back(wire, use, WRONG) == dict.fromkeys(WRONG, by_the_rules)


@pytest.mark.spec("W-08", "W-20")
def test_a_fault_that_is_mended_when_told_leaves_the_models_note_and_both_costs(
    ada: Viewer, wire: WireServer, use: Callable[..., None]
) -> None:
    use(model="claude-haiku-5-5")
    wire.will_answer(wire.message(answer({**NOTE, "sentences": [7]})), wire.message(answer(NOTE)))

    capture = work(ada, post(caller(ada)))

    assert (capture.state, by_the_model(ada)) == ("stored", [(SAID, BY_THE_MODEL)])
    told = {
        name: capture.trace[2][name] for name in ("model", "verdict", "attempts", "tokens_in", "tokens_out")
    }
    assert told == {
        "model": "claude-haiku-5-5",
        "verdict": "pass",
        "attempts": 2,
        "tokens_in": 2820,
        "tokens_out": 180,
    }
    assert wire.told(wire.received[1])[-1] == (
        "Your last answer could not be used: a note cites a sentence number that the turn does not have. "
        "Answer again for the turn above, as the schema asks."
    )
    assert_whole(ada)


@pytest.mark.spec("W-08", "T-01")
def test_another_tenants_row_named_by_a_model_is_refused(
    ada: Viewer, wire: WireServer, use: Callable[..., None]
) -> None:
    use()
    grace = make_tenant("grace")
    wire.will_answer(wire.message(answer(NOTE)))
    work(grace, post(caller(grace)))
    (hers,) = rows(grace)
    wire.will_answer(*[wire.message(answer({**NOTE, "content": f"Mara moved, see {hers.id}."}))] * 2)

    capture = work(ada, post(caller(ada)))

    assert reflected(capture) == [("unavailable", "claude-m"), ("pass", "rules")]
    assert str(hers.id) not in json.dumps([capture.trace, texts(ada)], default=str)
    assert by_the_model(grace) == [(SAID, BY_THE_MODEL)]


@pytest.mark.spec("M-08", "W-17")
def test_what_a_model_claims_is_held_to_who_spoke(
    ada: Viewer, wire: WireServer, use: Callable[..., None]
) -> None:
    use()
    task = {"kind": "task", "content": "Mara ships the report.", "assigned_by": "the CEO", "value": "ship"}
    wire.will_answer(wire.message(answer({**NOTE, **task, "concept_key": "report", "occurred_at": None})))

    work(ada, post(caller(ada), "I could ship the report next, that seems useful.", role="assistant"))

    (row,) = rows(ada)
    assert (row.provenance, row.assigned_by, row.content, row.note) == (
        "agent_inferred",
        None,
        "I could ship the report next, that seems useful.",
        "Guess, not assigned: Mara ships the report.",
    )
    assert row.trust <= 0.40


@pytest.mark.spec("O-04")
def test_a_backlog_is_worked_through_an_outage_and_the_model_returns_by_itself(
    ada: Viewer, wire: WireServer, use: Callable[..., None]
) -> None:
    now = [0.0]
    breaker = Breaker("claude-m", pause_seconds=30.0, clock=lambda: now[0])
    use(breaker=breaker, most_requests=2)
    asking = caller(ada)
    backlog = [post(asking, f"I moved to room {number} on 2026-03-01.") for number in range(6)]
    wire.will_answer(*[wire.error(503)] * 5)

    during = [work(ada, capture_id) for capture_id in backlog[:5]]

    assert (len(wire.received), breaker_states()["claude-m"]) == (5, "open")
    assert [reflected(capture) for capture in during] == [
        [("unavailable", "claude-m"), ("pass", "rules")]
    ] * 5
    assert during[-1].trace[2]["reason"] == (
        "ModelUnavailable: claude-m is left alone: it failed several times in a row"
    )
    now[0] += 30.0
    wire.will_answer(wire.message(answer(NOTE)))
    after = work(ada, backlog[5])
    assert (reflected(after), breaker.state) == ([("pass", "claude-m")], "closed")
    assert {capture.state for capture in during} | {after.state} == {"stored"}
    assert len(wire.received) == 6
    assert_whole(ada)


ECHO = "the merger with Acme"


@pytest.mark.spec("O-04", "T-01")
@pytest.mark.parametrize("status", [400, 401, 500])
def test_what_a_provider_says_about_an_error_reaches_no_answer_and_no_log(
    ada: Viewer, wire: WireServer, use: Callable[..., None], status: int, caplog: pytest.LogCaptureFixture
) -> None:
    """It may repeat the request: another's secret to whoever reads the trace, the tenant's text in a log."""
    caplog.set_level(logging.DEBUG)
    use()
    wire.will_answer(*[wire.error(status, text=f"quoted by the provider: {ECHO} {KEY}")] * 8)
    asking = caller(ada)
    text = f"We decided against {ECHO} because its price was too high."

    capture_id = post(asking, text)
    work(ada, capture_id)

    shown = asking.get(f"captures/{capture_id}").json()
    told = asking.post("captures?dry_run=true", {"text": text, "role": "user", "clock": NOW.isoformat()})
    assert (told.status_code, shown["state"]) == (200, "stored")
    assert "quoted by the provider" not in told.content.decode() + json.dumps(shown)
    spoken = " ".join([*caplog.messages, caplog.text])
    assert [secret for secret in (ECHO, KEY, "quoted by") if secret in spoken] == []


@pytest.mark.spec("K-03")
def test_a_turn_the_model_finds_nothing_in_is_a_statement_and_what_that_cost_is_told(
    ada: Viewer, wire: WireServer, use: Callable[..., None]
) -> None:
    use(model="claude-haiku-5-5")
    wire.will_answer(wire.message(answer()))

    capture = work(ada, post(caller(ada)))

    assert (capture.state, [(row.kind, row.content) for row in rows(ada)]) == (
        "stored",
        [("statement", SAID)],
    )
    [cost] = [entry for entry in capture.trace if entry["step"] == "reflect"]
    assert cost["tokens_in"] == 1410
