"""Why something was decided is drawn from what was said, and told when it falls (SPEC M-09, E-14)."""

from typing import Any, Final

import pytest

from memories.models import Link
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent
from tests.http.conftest import Caller, caller
from tests.http.test_persons import tell

pytestmark = pytest.mark.spec("M-09", "E-14")

MONDAY, TUESDAY, WEDNESDAY = (f"2026-11-0{day}T09:00:00Z" for day in (2, 3, 4))

ENGLISH: Final = (
    "The database of the shop runs PostgreSQL 13.",
    "We decided to postpone the partitioning, because the database of the shop runs PostgreSQL 13.",
    "The database of the shop was upgraded last night, it runs PostgreSQL 17 now.",
)
CHINESE: Final = (
    "三号仓库的冷柜温度是零下五度。",
    "我们决定把疫苗搬到一号仓库，因为三号仓库的冷柜温度是零下五度。",
    "三号仓库的冷柜温度现在是零下二十度。",
)


@pytest.fixture(autouse=True)
def rules_only(settings: Any) -> None:
    """Ask no model."""
    rules = {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}}
    settings.LLMS = dict.fromkeys(settings.LLMS, rules)


@pytest.fixture
def atlas(ada: Viewer) -> Caller:
    return caller(ada, agent=make_agent(tenant=ada, slug="atlas").id)


def row_of(one: Caller, content: str) -> dict[str, Any]:
    [row] = [row for row in one.get("memories").json()["results"] if row["content"] == content]
    return dict(row)


def reasons(tenant: Viewer) -> set[tuple[str, str, str, str]]:
    """Return (text, type, text it rests on, origin) of every why-link."""
    with tenant_scope(tenant), unit_of_work():
        links = Link.objects.filter(type__in=["because", "evidence"]).select_related("source", "target")
        return {(link.source.content, link.type, link.target.content, link.origin) for link in links}


@pytest.mark.parametrize("said", [ENGLISH, CHINESE], ids=["English", "Chinese"])
def test_a_decision_whose_reason_changed_is_looked_at_first(
    ada: Viewer, atlas: Caller, said: tuple[str, str, str]
) -> None:
    reason, decision, change = said
    tell(ada, atlas, reason, session="mon", clock=MONDAY)
    tell(ada, atlas, "The office plants are watered by Mira.", session="mon", clock=MONDAY)
    tell(ada, atlas, decision, session="tue", clock=TUESDAY)
    assert row_of(atlas, decision)["kind"] == "decision"
    assert reasons(ada) == {(decision, "because", reason, "auto")}
    ground = row_of(caller(ada), reason)["id"]
    before = atlas.post("context", {"query": decision, "session": "x"}).json()["text"]

    tell(ada, atlas, change, session="wed", clock=WEDNESDAY)

    items = caller(ada).get("verify-first?reason=evidence").json()["results"]
    assert [(item["memory"]["content"], item["change"]["evidence"]) for item in items] == [(decision, ground)]
    assert items[0]["change"]["how"] in {"superseded", "doubted"}
    after = atlas.post("context", {"query": decision, "session": "x"}).json()["text"]
    assert "<verify_first>" not in before
    assert "<verify_first>" in after


def test_what_was_recalled_just_before_a_decision_is_its_reason(ada: Viewer, atlas: Caller) -> None:
    said = "The courier from Graz loses one parcel in ten."
    tell(ada, atlas, said, session="mon", clock=MONDAY)
    atlas.post("recall", {"query": "How reliable is the courier from Graz?", "session": "tue"})

    decision = "We decided to stop using the courier from Graz."
    tell(ada, atlas, decision, session="tue", clock=TUESDAY)
    tell(ada, atlas, "We decided to stop using the courier from Linz.", session="other", clock=TUESDAY)

    assert reasons(ada) == {(decision, "because", said, "auto")}


def test_whoever_is_named_as_the_source_of_a_decision_is_linked_to_it(ada: Viewer, atlas: Caller) -> None:
    said = "The pump in hall three needs 40 litres of oil a week."
    tell(ada, atlas, said, session="mon", speaker="Rui", clock=MONDAY)
    tell(ada, atlas, "The pump in hall three needs new seals.", session="mon", speaker="Ines", clock=MONDAY)

    decision = "We decided to replace the pump in hall three; it burns oil, as Rui measured."
    tell(ada, atlas, decision, session="tue", clock=TUESDAY)

    assert (decision, "because", said, "auto") in reasons(ada)
    assert not any("seals" in target for _, _, target, _ in reasons(ada))


def test_what_an_agent_refers_to_is_a_reason_that_it_proposes(ada: Viewer, atlas: Caller) -> None:
    said = "The lease of the Porto office ends in March."
    tell(ada, atlas, said, session="mon", clock=MONDAY)
    known = row_of(atlas, said)["id"]
    stranger = caller(ada, agent=make_agent(tenant=ada, slug="brook").id)
    tell(ada, stranger, "The rent in Porto goes up by a tenth.", session="mon", clock=MONDAY)
    hidden = row_of(stranger, "The rent in Porto goes up by a tenth.")["id"]

    decision = "We decided to look for another office in the north."
    tell(
        ada, atlas, decision, session="tue", clock=TUESDAY, role="assistant",
        references=[known, hidden],
    )  # fmt: skip

    assert reasons(ada) == {(decision, "because", said, "llm")}
