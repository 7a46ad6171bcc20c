"""A fleet's labels as a model: the adapters of the service ask it over a real socket."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from bench.corpora.labels import SURENESS, Labels
from bench.models.stand_in import KEY, MODEL, StandIn
from memories.deciders.base import Choice
from memories.deciders.decisions import DecisionsModel
from memories.deciders.systemone import SystemOneModel
from memories.llms.anthropic import AnthropicModel
from memories.llms.base import Turn
from memories.llms.openai import OpenAIModel
from memories.llms.opinions import DOES, Briefing, ShownRow

BERLIN = ZoneInfo("Europe/Berlin")
TEXTS = {
    "c1": "The gateway listens on port 8080.",
    "c2": "On the gateway it is port 8080.",
    "c3": "The gateway moved to port 7443.",
    "c4": "The spare gateway listens on port 8081.",
    "c5": "Hello everybody!",
}
PORT = {"kind": "profile", "entity": "gateway", "concept": "port"}
LABELS: list[dict[str, Any]] = [
    {"id": "c1", "expect": "keep", "facts": [PORT | {"value": "8080"}]},
    {"id": "c2", "expect": "duplicate", "facts": [PORT | {"value": "8080"}], "duplicate_of": "c1"},
    {"id": "c3", "expect": "update", "facts": [PORT | {"value": "7443"}], "supersedes": "c1"},
    {
        "id": "c4", "expect": "near_miss", "near_miss_of": "c1",
        "facts": [PORT | {"entity": "spare gateway", "value": "8081"}],
    },
    {"id": "c5", "expect": "junk", "facts": []},
]  # fmt: skip
RELATIONS = [
    ("c2", "c1", "same"),
    ("c3", "c1", "replaces"),
    ("c3", "c2", "replaces"),
    ("c4", "c1", "adds"),
    ("c5", "c1", "unrelated"),
]


def clock(name: str) -> datetime:
    return datetime(2026, 3, int(name[1:]), 10, tzinfo=BERLIN)


@pytest.fixture
def server() -> Iterator[StandIn]:
    said = [{"id": name, "text": text, "clock": clock(name).isoformat()} for name, text in TEXTS.items()]
    with StandIn(Labels(said, LABELS)) as standing:
        yield standing
        assert standing.refused == []


def shown(handle: str, name: str) -> ShownRow:
    row = UUID(int=int(name[1:]))
    return ShownRow(handle=handle, id=row, version=1, text=TEXTS[name], said_at=clock(name))


def turn(name: str, *known: str) -> Turn:
    rows = tuple(shown(f"m{place}", one) for place, one in enumerate(known, start=1))
    return Turn(
        text=TEXTS[name], original=TEXTS[name], role="user", speaker="Ines", clock=clock(name), zone=BERLIN,
        mentions=(), occurred_at=clock(name), briefing=Briefing(rows=rows),
    )  # fmt: skip


@pytest.mark.parametrize("backend", [OpenAIModel, AnthropicModel])
def test_language_models_read_and_judge_as_the_labels_say(server: StandIn, backend: Any) -> None:
    path = "/v1" if backend is OpenAIModel else ""
    model = backend(model=MODEL, api_key=KEY, base_url=f"{server.address}{path}")

    [note] = model.extract(turn("c3", "c1", "c4", "c2")).notes
    nothing = model.extract(turn("c5", "c1")).notes
    model.close()

    assert (note.entity_key, note.concept_key, note.value, note.change) == (
        "gateway", "port", "7443", "explicit"
    )  # fmt: skip
    assert [(one.row.int, one.does, one.confidence) for one in note.opinions] == [
        (1, "replaces", SURENESS),
        (2, "replaces", SURENESS),
    ]
    assert nothing == ()


@pytest.mark.parametrize("backend", [DecisionsModel, SystemOneModel])
@pytest.mark.parametrize(("then", "first", "relation"), RELATIONS)
def test_decision_models_judge_as_the_labels_say(
    server: StandIn, backend: Any, then: str, first: str, relation: str
) -> None:
    model = backend(model=MODEL, api_key=KEY, base_url=f"{server.address}/v1")
    earlier, later = (
        json.dumps({"said": clock(name).isoformat(), "text": TEXTS[name]}) for name in (first, then)
    )

    found, spent = model.decide(later, [Choice(name="m1", instructions=f"Of {earlier}?", answers=DOES)])
    model.close()

    assert max(found["m1"], key=lambda word: found["m1"][word]) == relation
    assert spent.tokens_in > 0
