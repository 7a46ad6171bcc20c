"""Which clusters become patterns, in which words, and who may stand for whom."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest

from evolution.consolidation import plan as consolidation_plan
from evolution.consolidation.plan import Job, Known, Origin, Plan, origin_of
from evolution.consolidation.spelling import Spelling
from memories.candidates.candidate import Audience

pytestmark = pytest.mark.spec("E-03")

ALL = Audience(agent_id=None, project_id=None, shared=True, domain="", classification=1)
WORDS = frozenset("abcd")
AGENT = UUID(int=9)


def plan(findings: Sequence[Known]) -> list[Job]:
    """Return the jobs of a plan in which nothing is too wide."""
    planned = consolidation_plan.plan(findings)
    assert planned.too_wide == 0
    return list(planned.jobs)


def known(number: int, **given: Any) -> Known:
    """Return a finding of its own session, trusted 0.95."""
    columns: dict[str, Any] = {
        "audience": ALL, "keywords": WORDS, "trust": 0.95, "provenance": "user_stated",
        "origins": frozenset({Origin(agent_id=None, session=f"s{number}")}),
    }  # fmt: skip
    return Known(id=UUID(int=number), **columns | given)


def ids(*numbers: int) -> tuple[UUID, ...]:
    return tuple(UUID(int=number) for number in numbers)


def test_three_of_two_origins_become_a_pattern() -> None:
    same = frozenset({Origin(agent_id=None, session="s")})

    assert plan([known(1, origins=same), known(2, origins=same), known(3)]) == [Job(findings=ids(1, 2, 3))]
    assert plan([known(number, origins=same) for number in (1, 2, 3)]) == []
    assert plan([known(1), known(2)]) == []


def test_one_more_joins_the_pattern_that_stands_for_the_others() -> None:
    pattern = UUID(int=50)
    under = [known(number, pattern_id=pattern, trust=0.7) for number in (1, 2, 3)]

    assert plan(under) == []
    assert plan([*under, known(4)]) == [Job(findings=ids(4), pattern_id=pattern)]


def test_what_joins_two_patterns_goes_to_the_one_with_the_oldest_finding() -> None:
    one, other = UUID(int=50), UUID(int=51)
    left = [known(n, pattern_id=one, keywords=frozenset("abc")) for n in (1, 2)]
    right = [known(n, pattern_id=other, keywords=frozenset("xyz")) for n in (3, 4)]
    bridge = known(5, keywords=frozenset("abcxyz"))

    assert plan([*left, *right, bridge]) == [Job(findings=ids(5), pattern_id=one)]


@pytest.mark.spec("M-08")
def test_what_is_trusted_far_less_stands_apart() -> None:
    """It would retire what is better."""
    weak = [known(number, trust=0.6) for number in (4, 5, 6)]

    assert plan([*map(known, (1, 2, 3)), *weak]) == [Job(findings=ids(1, 2, 3)), Job(findings=ids(4, 5, 6))]
    assert plan([*map(known, (1, 2)), *weak[:2]]) == []


@pytest.mark.spec("R-06")
def test_a_guess_does_not_hold_statements_together() -> None:
    said = [known(1, keywords=frozenset("abc"), trust=0.4), known(2, keywords=frozenset("xyz"), trust=0.4),
            known(3, keywords=frozenset("xyz"), trust=0.4)]  # fmt: skip
    bridge = known(4, keywords=frozenset("abcxyz"), trust=0.4, provenance="agent_inferred")

    assert plan([*said, bridge]) == []
    assert plan([*said, known(4, keywords=frozenset("abcxyz"), trust=0.4)]) == [Job(findings=ids(1, 2, 3, 4))]


def test_a_cluster_too_wide_to_be_one_matter_is_left_as_it_is() -> None:
    crowd = [known(number) for number in range(501)]

    assert consolidation_plan.plan(crowd) == Plan(jobs=(), too_wide=501)
    assert len(plan(crowd[:500])[0].findings) == 500


@pytest.mark.spec("E-03", "E-08")
def test_an_agent_is_one_origin_in_whichever_role_and_session_and_each_person_another() -> None:
    own, rui = f"agent:{AGENT}", "speaker:rui"
    row = {"agent_id": AGENT, "session": "s", "document_id": None, "provenance": "extracted", "voice": own}
    said = [
        row,
        row | {"session": "t"},
        row | {"provenance": "user_relayed"},
        row | {"provenance": "agent_inferred"},
        row | {"document_id": UUID(int=3)},
    ]

    assert {origin_of(one) for one in said} == {Origin(agent_id=AGENT, guessed=True)}
    assert {origin_of(row | {"voice": rui, "session": name}) for name in "st"} == {Origin(voice=rui)}


def test_an_origin_of_before_is_a_document_a_session_or_an_agents_guessing() -> None:
    row = {"agent_id": AGENT, "session": "s", "document_id": None, "provenance": "measured", "voice": ""}

    assert origin_of(row) == Origin(agent_id=AGENT, session="s")
    assert origin_of(row | {"document_id": UUID(int=3)}) == Origin(agent_id=None, document_id=UUID(int=3))
    assert origin_of(row | {"provenance": "agent_inferred"}) == Origin(agent_id=AGENT, guessed=True)


@pytest.mark.spec("M-12")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["JWT"], ["JSON Web Token"]),
        (["jwts"], ["json", "web", "token"]),
        (["json-web-token", "k8s"], ["jwt", "kubernetes"]),
        (["deploys"], ["deploy"]),
        (["EP"], ["edge", "proxies"]),
        (["edge proxy"], ["ep"]),
    ],
)
def test_words_that_mean_the_same_are_one_keyword(one: list[str], other: list[str]) -> None:
    spelling = Spelling({"ep": "edge proxy"})

    assert spelling.canonical(one) == spelling.canonical(other)
    assert len(spelling.canonical(one)) == len({*one} - {""})


def test_other_words_stay_what_they_are() -> None:
    assert Spelling().canonical(["web", "token", "Zürich", "支付"]) == {"web", "token", "zürich", "支付"}
