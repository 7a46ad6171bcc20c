"""What captures leave of the turns that questions need, against the whole service in this process."""

from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from bench.answering.retrieval import Corpus, measure_losses
from bench.corpora.conversations import AGENT, Conversation, Query, Turn, lanes_of, match_memories
from bench.rig.accounts import Account
from bench.rig.client import Api
from memories.ingestion import notify
from tenants.scope import Viewer
from tests.factories import make_project
from tests.http.benching import Service

TURNS = (
    "We moved the winter workshop of the kiln club to the barn behind the mill in Vestergaard.",
    "Ok, thanks!",
    "The kiln club pays 240 euros a month for the barn, because the mill heats it.",
)


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def test_the_evidence_that_captures_left_behind_is_counted(ada: Viewer) -> None:
    make_project(tenant=ada, slug="talk")
    service = Service(ada)
    began = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    turns = tuple(
        Turn(
            id=str(place), session="talk/1", clock=began + timedelta(seconds=place), speaker="Ines", text=text
        )
        for place, text in enumerate(TURNS)
    )
    queries = tuple(
        Query(text=f"question {gold}", category="single-hop", gold=gold, answer="")
        for gold in (("0",), ("1",), ("1", "2"), ("2",))
    )
    talk = Conversation(name="talk", turns=turns, queries=queries)
    account = Account(tenant="ada", admin="", agents={AGENT: ""})
    (lane,) = lanes_of("http://127.0.0.1:1", account, [talk], verbatim=False)
    captures = {key: service.post("captures", body) for key, body in lane.captures}

    loaded = match_memories(captures)
    gone = measure_losses(Corpus(conversations=[talk], api=cast("Api", service), loaded=loaded), seed=1)

    assert loaded.lost == {"talk/1": "discarded"}
    assert gone == {"evidence_lost": 0.3333, "questions_lost": 0.25, "evidence_unfound": 0.3333}
