"""A model on the wire that judges: what it is told, and what it answers."""

from dataclasses import dataclass
from typing import Any

from memories.llms.breaker import Breaker
from tenants.scope import Viewer
from tests.http.conftest import caller
from tests.wire.asking import BACKENDS, KEY, MOVED, answer
from tests.wire.server import Reply, WireServer

MODEL = "claude-m"

FIRST = "The nightly export starts at two."
THEN = "Exports begin at half past three now."
QUESTION = "When does the nightly export start?"
LATER = "2026-04-20T09:00:00+00:00"
ASKED = "2026-04-27T09:00:00+00:00"

LUNDI = "La réunion du comité a lieu le lundi en salle Verne."
JEUDI = "La réunion du comité a lieu le jeudi en salle Colette désormais."
"""Of these the local arbiter says that the second replaces the first."""

NOTE: dict[str, Any] = {
    **MOVED,
    "kind": "episode", "content": "What was said.", "value": None, "keywords": [], "entities": [],
    "concept_key": None, "entity_key": None, "cardinality": None, "occurred_at": None, "change": "none",
    "sentences": [1],
}  # fmt: skip
"""A note on the first sentence of a turn, of an event that no key finds."""


def does(what: str, row: str = "m1", *, sure: float = 0.95) -> dict[str, Any]:
    """Return what a note does to a row."""
    return {"row": row, "does": what, "confidence": sure, "why": "said"}


@dataclass(frozen=True)
class Judge:
    """A language model on the wire, in force."""

    wire: WireServer

    def will_say(self, *verdicts: dict[str, Any], **changes: Any) -> None:
        """Let the next turn have one note, with these verdicts."""
        note = {**NOTE, "verdicts": list(verdicts), **changes}
        self.wire.will_answer(self.wire.message(answer(note)))

    def will_answer(self, *replies: Reply) -> None:
        """Let the next requests be answered so."""
        self.wire.will_answer(*replies)

    @property
    def asked(self) -> list[str]:
        """Return the turns it was told, with all that stood beside them."""
        return ["\n".join(self.wire.told(one)) for one in self.wire.received]


def no_sleep(_seconds: float) -> None:
    """Stand in for the pauses between two requests."""


def use_model(settings: Any, wire: WireServer, **options: Any) -> Judge:
    """Let the model on the wire read and judge, with the rules behind it."""
    backend = BACKENDS["anthropic" if "Anthropic" in type(wire).__name__ else "openai"]
    own = {
        "api_key": KEY, "model": MODEL, "base_url": wire.base_url, "sleep": no_sleep, "timeout": 5.0,
        "breaker": Breaker(MODEL), **options,
    }  # fmt: skip
    settings.LLMS = settings.LLMS | {"default": {"BACKEND": backend, "OPTIONS": own}}
    return Judge(wire)


def now_of(tenant: Viewer, row: dict[str, Any]) -> dict[str, Any]:
    """Return a memory as it is shown now."""
    return dict(caller(tenant).get(f"memories/{row['id']}").json())


def judged(capture: dict[str, Any]) -> list[tuple[str, str, str, bool]]:
    """Return the verdicts that a capture's trace tells: on which row, what, by whom, whether it acts."""
    return [
        (one["id"], one["does"], one["judge"], one["acts"])
        for step in capture["trace"]
        for one in step.get("verdicts", ())
    ]


def step_of(capture: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the first step of this name of a capture's trace."""
    return next(step for step in capture["trace"] if step["step"] == name)


def questions(tenant: Viewer) -> list[dict[str, Any]]:
    """Return the contradictions that wait for an answer."""
    return list(caller(tenant).get("contradictions?state=open").json()["results"])
