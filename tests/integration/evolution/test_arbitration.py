"""The night's part of arbitration: what trust decides, no more than twenty, and never for the weaker one."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evolution.maintenance.arbitration import reconcile
from evolution.steps.contract import Night
from memories.models import Contradiction, Memory
from memories.storage.contradictions import ContradictionFilter, list_contradictions, resolve_contradiction
from security.models import AuditEvent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_contradiction, make_memory, make_tenant
from tests.integration.memories.writing import FAKE, NOW, assert_whole, person, rows, write

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("H-02")]

LATER = NOW + timedelta(days=90)


@pytest.fixture
def ada(settings: Any) -> Viewer:
    settings.EMBEDDERS = FAKE
    return person(make_tenant("ada"))


def sleep(tenant: Viewer, **night: Any) -> dict[str, int]:
    with tenant_scope(tenant):
        return reconcile(Night(tenant_id=tenant.tenant_id, now=LATER, **night)).counts


def lives(viewer: Viewer, town: str, *, days: float = 0) -> Any:
    return write(
        viewer, f"Ann lives in {town}.", "profile", entity_key="ann", concept_key="residence", value=town,
        now=NOW + timedelta(days=days),
    )  # fmt: skip


def contest(viewer: Viewer, *, weaker: str | None = None, trust: float = 0.5) -> None:
    """Let Ann move from Bern to Basel with nobody saying so; let one of the two lose trust since."""
    lives(viewer, "Bern")
    assert lives(viewer, "Basel", days=60).decision == "arbitrate"
    if weaker:
        with tenant_scope(viewer), unit_of_work():
            Memory.objects.filter(value=weaker).update(trust=trust)


def standing(viewer: Viewer) -> dict[str, int]:
    return {str(row.value): row.standing for row in rows(viewer)}


def put_questions(tenant: Viewer, how_many: int) -> list[Any]:
    """Put open questions between pairs of live memories, a day apart, each with a gap of 0.35."""
    return [
        make_contradiction(
            tenant=tenant, entity_key=f"server {at}", concept_key="place", trust_gap=0.35,
            older=make_memory(tenant=tenant, kind="working_state", trust=0.6, cardinality="multi"),
            newer=make_memory(tenant=tenant, kind="working_state", trust=0.95, cardinality="multi"),
            opened_at=NOW + timedelta(days=at),
        )
        for at in range(how_many)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("weaker", "expected", "verdict"),
    [
        ("Bern", {"Bern": 2, "Basel": 0}, "accept_new"),
        ("Basel", {"Bern": 0, "Basel": 2}, "keep_old"),
    ],
)
def test_a_gap_that_opened_since_settles_the_question_for_whoever_is_trusted_more(
    ada: Viewer, weaker: str, expected: dict[str, int], verdict: str
) -> None:
    contest(ada, weaker=weaker)

    assert sleep(ada) == {"settled": 1, "waiting": 0}
    assert standing(ada) == expected
    with tenant_scope(ada), unit_of_work():
        [question] = Contradiction.objects.all()
        event = AuditEvent.objects.get(action="contradiction.resolve")
    assert (question.verdict, question.resolved_by, abs(question.trust_gap)) == (verdict, "trust_gap", 0.45)
    assert "trusted far more" in question.reason
    assert (event.detail, event.reason) == ({"verdict": verdict, "by": "trust_gap"}, question.reason)
    assert_whole(ada)


def test_a_smaller_gap_is_left_to_a_person(ada: Viewer) -> None:
    contest(ada, weaker="Bern", trust=0.66)

    assert sleep(ada) == {"settled": 0, "waiting": 1}
    assert standing(ada) == {"Bern": 1, "Basel": 0}


def test_a_dry_run_settles_nothing(ada: Viewer) -> None:
    contest(ada, weaker="Bern")

    assert sleep(ada, dry_run=True) == {"settled": 1, "waiting": 0}
    assert standing(ada) == {"Bern": 1, "Basel": 0}


@pytest.mark.spec("E-04")
def test_twenty_are_settled_in_a_cycle_the_oldest_first(ada: Viewer) -> None:
    questions = put_questions(ada, 23)

    assert sleep(ada) == {"settled": 20, "waiting": 3}
    with tenant_scope(ada), unit_of_work():
        left = set(Contradiction.objects.filter(resolved_at=None).values_list("id", flat=True))
    assert left == {question.id for question in questions[20:]}
    assert [sleep(ada), sleep(ada)] == [{"settled": 3, "waiting": 0}, {"settled": 0, "waiting": 0}]


@pytest.mark.parametrize("side", ["older", "newer"])
def test_a_question_about_what_is_archived_is_left_alone(ada: Viewer, side: str) -> None:
    [question] = put_questions(ada, 1)
    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id=getattr(question, f"{side}_id")).update(archived_at=NOW)

    assert sleep(ada) == {"settled": 0, "waiting": 1}


@pytest.mark.parametrize("verdict", ["keep_old", "accept_new"])
def test_what_the_night_or_a_person_decided_is_not_asked_again(ada: Viewer, verdict: str) -> None:
    contest(ada, weaker="Bern" if verdict == "accept_new" else "Basel")
    sleep(ada)
    loser = "Bern" if verdict == "accept_new" else "Basel"

    again = lives(ada, loser, days=120)

    with tenant_scope(ada):
        assert list_contradictions(ContradictionFilter(), most=9) == ()
    assert again.decision == "restate"
    assert sleep(ada) == {"settled": 0, "waiting": 0}


@pytest.mark.spec("M-05")
def test_after_both_hold_neither_value_is_asked_about_again(ada: Viewer) -> None:
    contest(ada)
    with tenant_scope(ada):
        [question] = list_contradictions(ContradictionFilter(), most=9)
        resolve_contradiction(question.id, "coexist", now=LATER)

    decisions = [
        lives(ada, town, days=130 + at).decision for at, town in enumerate(("Bern", "Basel", "Chur"))
    ]

    assert decisions == ["reinforce", "reinforce", "create"]
    assert {row.cardinality for row in rows(ada)} == {"multi"}
    assert sleep(ada) == {"settled": 0, "waiting": 0}


ORIGINS = {"user_stated": 0.95, "measured": 0.95, "agent_chat": 0.8, "extracted": 0.6, "agent_inferred": 0.4}


@pytest.mark.spec("M-07", "M-08", "W-12")
@settings(
    max_examples=12, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(ORIGINS)), st.floats(0.1, 1.0), st.sampled_from(sorted(ORIGINS)),
                  st.floats(0.1, 1.0)),
        min_size=1, max_size=3,
    )
)  # fmt: skip
def test_the_night_never_lets_the_less_trusted_take_the_others_place(
    ada: Viewer, pairs: list[tuple[str, float, str, float]]
) -> None:
    for older, sure, newer, surer in pairs:
        make_contradiction(
            tenant=ada,
            older=make_memory(tenant=ada, provenance=older, trust=round(sure * ORIGINS[older], 3)),
            newer=make_memory(tenant=ada, provenance=newer, trust=round(surer * ORIGINS[newer], 3)),
        )

    sleep(ada)

    known = {row.id: row for row in rows(ada)}
    lost = [row for row in known.values() if row.standing == 2]
    assert [row for row in lost if row.trust > known[row.superseded_by_id].trust - 0.3 + 1e-9] == []
    with tenant_scope(ada), unit_of_work():
        guessed = Contradiction.objects.filter(
            newer__provenance="agent_inferred", verdict="accept_new"
        ).exclude(older__provenance="agent_inferred")
        assert list(guessed) == []
