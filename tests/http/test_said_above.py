"""What repeats word for word a higher row that its key could have read becomes of that class (SPEC S-01)."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from memories.ingestion import notify
from memories.models import Memory
from memories.pipeline import process_capture
from tenants.models import Agent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent
from tests.http.conftest import Caller, caller
from tests.http.test_classes import NOTE as TEXT
from tests.http.test_classes import note
from tests.http.test_no_write_down import kept, said

pytestmark = pytest.mark.spec("S-01")

SCOPES_OF_AGENTS = ("capture", "write", "recall", "read")


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Let no hint be tried, and ask no model."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    rules = {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}}
    settings.LLMS = dict.fromkeys(settings.LLMS, rules)


@pytest.fixture
def agent(ada: Viewer) -> Agent:
    """An agent that may know all."""
    return make_agent(tenant=ada)


@pytest.fixture
def atlas(ada: Viewer, agent: Agent) -> Caller:
    """Its key, which may not write down."""
    return caller(ada, agent=agent.id, scopes=SCOPES_OF_AGENTS)


def test_the_same_words_as_a_higher_row_are_kept_as_high(ada: Viewer, atlas: Caller, agent: Agent) -> None:
    note(caller(ada), TEXT, classification="restricted", shared=True)

    taken = said(atlas, "monday", text=f"  {TEXT.upper()}  ")
    inside = said(atlas, "monday", text=f"I looked at it. {TEXT.capitalize()}.", role="user")
    direct = atlas.post("memories", {"content": TEXT, "kind": "finding"}).json()
    low = caller(ada, agent=agent.id, scopes=SCOPES_OF_AGENTS, ceiling=1)
    own = said(low, "monday", text=TEXT)
    downward = caller(ada, agent=agent.id, scopes=(*SCOPES_OF_AGENTS, "declassify"))
    lowered = said(downward, "monday", text=TEXT)

    assert (taken["classification"], taken["raised"]) == (
        "restricted", "The same words are kept as of this class.",
    )  # fmt: skip
    assert kept(ada, taken).classification == 2
    assert kept(ada, taken).trace[0]["reason"] == "the same words are kept as of this class"
    assert direct["memory"]["classification"] == "restricted"
    with tenant_scope(ada):
        process_capture(kept(ada, inside).id, now=timezone.now() + timedelta(seconds=1))
    assert kept(ada, inside).state == "stored"
    # Who could not read it says it of their own knowledge, and who may write down does.
    assert own == {"id": own["id"], "state": "pending", "person": ""}
    assert kept(ada, lowered).classification == 1


def test_the_same_words_within_a_longer_turn_raise_all_of_it(ada: Viewer, atlas: Caller) -> None:
    sentence = "The nightly build failed because the cache volume was full."
    note(caller(ada), sentence, classification="restricted", kind="episode", shared=True)
    taken = said(atlas, "monday", text=f"Priya lives in Porto. {sentence}", role="user")
    assert kept(ada, taken).classification == 1

    with tenant_scope(ada):
        assert process_capture(kept(ada, taken).id, now=timezone.now()) == "stored"

    row = kept(ada, taken)
    with tenant_scope(ada), unit_of_work():
        made = dict(Memory.objects.filter(id__in=row.memory_ids).values_list("content", "classification"))
    assert sentence not in made  # the control: it is a part of what was said, and no row of its own
    assert (row.classification, set(made.values())) == (2, {2})
    assert [step["reason"] for step in row.trace if step["step"] == "class"] == [
        "the same words are kept as of this class"
    ]
