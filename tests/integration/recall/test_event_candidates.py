"""What an event keeps of what its answer was chosen from: enough to rank it anew by other weights."""

import pytest
from django.db import connection

from recall.answering.answer import Answer
from recall.models import RecallEvent
from recall.policies.policy import DEFAULT
from recall.ranking.event_candidates import MOST, LoggedCandidate, unpack_candidates
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_tenant
from tests.integration.recall.conftest import NOW, ask, remember

pytestmark = pytest.mark.spec("R-13", "R-04")


def kept(viewer: Viewer, answer: Answer) -> list[LoggedCandidate]:
    with tenant_scope(viewer), unit_of_work():
        return unpack_candidates(bytes(RecallEvent.objects.get(id=answer.recall_id).candidates))


def test_candidates_are_kept_in_the_order_of_the_answer_with_what_makes_their_scores() -> None:
    ada = make_tenant("ada")
    for number in range(40):
        remember(
            ada, f"The relay number {number} restarts at noon.", trust=0.5 + number / 100, created_at=NOW
        )

    answer = ask(ada, "When does the relay number 3 restart?", k=5)
    read = kept(ada, answer)

    assert 5 < len(read) <= MOST
    assert [one.memory_id for one in read[:5]] == [result.id for result in answer.results]
    assert [one.score for one in read[:5]] == pytest.approx(
        [result.score for result in answer.results], abs=1e-6
    )
    assert [one.score for one in read] == sorted([one.score for one in read], reverse=True)
    weights = DEFAULT.weights.effective()
    for one in read:
        parts = sum(weights[name] * (part or 0.0) for name, part in one.factors.items() if part is not None)
        assert one.score == pytest.approx(parts * one.multiplier + one.lent, abs=0.005)


def test_what_took_the_last_place_by_luck_stands_before_who_had_it() -> None:
    ada = make_tenant("ada")
    for number in range(12):
        remember(ada, f"The relay number {number} restarts at noon.", created_at=NOW)
    remember(ada, "Whoever restarts a relay tells the port.", usage={"recalled": 9, "verified": 1})

    answers = [ask(ada, "When does the relay number 3 restart?", seed=seed, k=5) for seed in range(12)]
    moved = []
    for answer in answers:
        with tenant_scope(ada), unit_of_work():
            draws = RecallEvent.objects.get(id=answer.recall_id).draws
        read = kept(ada, answer)
        by_id = {str(one.memory_id): one for one in read}
        assert draws["q"].keys() <= by_id.keys()
        assert read[4].memory_id == answer.results[4].id
        by_luck = draws["moved"] and draws["how"] == "played"
        moved += [read[4].score < read[5].score] if by_luck else []

    assert moved
    assert all(moved)


def test_a_full_event_stays_in_one_place() -> None:
    ada = make_tenant("ada")
    for number in range(40):
        remember(ada, f"The relay number {number} restarts at noon.", created_at=NOW)
    remember(ada, "Whoever restarts a relay tells the port.", usage={"recalled": 9, "verified": 1})
    ask(ada, "When does the relay number 3 restart?", k=5)

    with tenant_scope(ada), unit_of_work(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_column_size(e.*), pg_column_size(e.candidates) FROM recall_event e")
        [row] = cursor.fetchall()
    assert row[1] <= 1000
    assert row[0] < 2000
