"""A turn, the right answer to it, and both adapters on the wire: what the tests of every provider share."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from memories.llms.anthropic import AnthropicModel
from memories.llms.base import Note, Reflection, Turn
from memories.llms.openai import OpenAIModel
from memories.llms.remote import RemoteModel
from tests.wire.anthropic_server import AnthropicServer
from tests.wire.openai_server import OpenAIServer
from tests.wire.server import Reply, WireServer

KEY = "sk-wire-test"
LISBON = ZoneInfo("Europe/Lisbon")
CLOCK = datetime(2026, 3, 5, 10, 30, tzinfo=LISBON)
TURN = Turn(
    text="Morning! I moved to Porto on 2026-03-01. Ticket 7f6c3a52-1d7e-4b57-9a7e-0d4f5a1c2b3d is mine.",
    original="Morning! I moved to Porto on Sunday. Ticket 7f6c3a52-1d7e-4b57-9a7e-0d4f5a1c2b3d is mine.",
    role="user",
    speaker="Mara",
    clock=CLOCK,
    zone=LISBON,
    mentions=(),
    occurred_at=CLOCK,
)
MOVED: dict[str, Any] = {
    "kind": "profile",
    "content": "Mara moved to Porto on 2026-03-01.",
    "value": "Porto",
    "keywords": ["porto", "moved"],
    "entities": ["Mara", "Porto"],
    "concept_key": "Residence",
    "entity_key": "Mara",
    "cardinality": "single",
    "importance": 4,
    "occurred_at": "2026-03-01",
    "confidence": 0.95,
    "assigned_by": None,
    "change": "explicit",
    "sentences": [2],
    "because": [],
    "verdicts": [],
}
NOTE = Note(
    kind="profile",
    content="Mara moved to Porto on 2026-03-01.",
    value="porto",
    keywords=("porto", "moved"),
    entities=("Mara", "Porto"),
    concept_key="residence",
    entity_key="mara",
    cardinality="single",
    importance=4,
    occurred_at=datetime(2026, 3, 1, tzinfo=LISBON),
    occurred_resolved=True,
    confidence=0.95,
    provenance="user_stated",
    assigned_by=None,
    change="explicit",
    span=(9, 40),
)

BACKENDS = {
    "anthropic": "memories.llms.anthropic.AnthropicModel",
    "openai": "memories.llms.openai.OpenAIModel",
}


def serve(provider: str) -> WireServer:
    """Return a server of the provider's, not yet listening."""
    return AnthropicServer(api_key=KEY) if provider == "anthropic" else OpenAIServer(api_key=KEY)


def answer(*notes: dict[str, Any]) -> dict[str, Any]:
    """Return an answer with these notes."""
    return {"notes": list(notes), "why_none": None if notes else "only a greeting"}


class Asked:
    """A model on the wire, and the pauses it took instead of sleeping."""

    def __init__(self, wire: WireServer, **options: Any) -> None:
        self.pauses: list[float] = []
        own: dict[str, Any] = {
            "base_url": wire.base_url,
            "timeout": 5.0,
            "sleep": self.pauses.append,
        } | options
        self.model: RemoteModel
        if isinstance(wire, AnthropicServer):
            self.model = AnthropicModel(api_key=wire.api_key, **own)
        else:
            self.model = OpenAIModel(api_key=wire.api_key, **own)

    def extract(self, turn: Turn = TURN) -> Reflection:
        """Ask once, and close."""
        try:
            return self.model.extract(turn)
        finally:
            self.model.close()


Spoil = Callable[[WireServer], Reply]


def _said(**changes: Any) -> Spoil:
    return lambda wire: wire.message(answer({**MOVED, **changes}))


WRONG: dict[str, Spoil] = {
    "no JSON": lambda wire: wire.message("Sure! Here are the notes."),
    "half of the JSON": lambda wire: wire.message(str(answer(MOVED)).replace("'", '"')[:-20]),
    "not a number": _said(confidence=float("nan")),
    "a note without a field": lambda wire: wire.message(
        answer({field: value for field, value in MOVED.items() if field != "kind"})
    ),
    "a field nobody asked for": _said(trust=1.0),
    "a field beside the notes": lambda wire: wire.message({**answer(MOVED), "tenant_id": "grace"}),
    "provenance claimed": _said(provenance="user_correction"),
    "a kind that is not extracted": _said(kind="meta"),
    "importance out of range": _said(importance=6),
    "confidence out of range": _said(confidence=1.2),
    "confidence as a word": _said(confidence="high"),
    "empty content": _said(content="  "),
    "content too long": _said(content="x" * 4001),
    "too many notes": lambda wire: wire.message(answer(*[MOVED] * 41)),
    "a sentence that is not there": _said(sentences=[4]),
    "sentence zero": _said(sentences=[0]),
    "no sentence at all": _said(sentences=[]),
    "an id from elsewhere": _said(content="See 00000000-1111-4222-8333-444444444444."),
    "an id from elsewhere as a value": _said(value="00000000-1111-4222-8333-444444444444"),
    "an id from elsewhere as a keyword": _said(keywords=["00000000111142228333444444444444"]),
    "a date that is none": _said(occurred_at="last Sunday"),
    "one wrong note among right ones": lambda wire: wire.message(answer(MOVED, {**MOVED, "importance": 9})),
    "a list": lambda wire: wire.message([MOVED]),
    "nothing": lambda wire: wire.message(""),
    "refused": lambda wire: wire.refusal(),
    "cut off": lambda wire: wire.cut_off(answer(MOVED)),
}
"""Answers of a provider that works, and of a model that does not."""

BROKEN: dict[str, Spoil] = {
    "a body of HTML": lambda _: Reply(
        body=b"<html>proxy login</html>", headers={"content-type": "text/html"}
    ),
    "a truncated body": lambda wire: Reply(body=wire.message(answer(MOVED)).body[:-30]),
    "a body nested too deep": lambda _: Reply(body=b"[" * 200_000),
    "another API's body": lambda _: Reply(body=b'{"object": "list", "data": []}'),
    "an error shaped as success": lambda _: Reply(body=b'{"type": "error", "error": {"type": "api_error"}}'),
    "10 MB": lambda wire: Reply(body=wire.message(answer(MOVED)).body + b" " * 10_000_000),
    "an answer without end": lambda wire: Reply(
        body=wire.message(answer(MOVED)).body + b" " * 65_536, is_endless=True
    ),
    "packed bytes": lambda _: Reply(body=b"\x1f\x8b", headers={"content-encoding": "gzip"}),
}
"""Answers that are no messages: something on the way, or the provider itself, is broken."""
