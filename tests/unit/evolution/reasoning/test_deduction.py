"""Relations read from sentences of six languages, and what follows from two of them."""

from typing import Final
from uuid import UUID

import pytest

from evolution.reasoning.deduction import Fact, deduce
from evolution.reasoning.relations import read_relation
from memories.candidates import Audience

pytestmark = pytest.mark.spec("E-10")

ALL: Final = Audience(agent_id=None, project_id=None, shared=False, domain="", classification=1)

SAID: Final = (
    ("The Nordlys depot is located in Bergen.", "Bergen is in Norway.", "The Nordlys depot is in Norway."),
    (
        "The Router is part of the Map Module.",
        "The Map Module belongs to the Falcon app.",
        "The Router belongs to the Falcon app.",
    ),
    (
        "Anna Lind is a member of the Falcon team.",
        "The Falcon team belongs to Mobility.",
        "Anna Lind belongs to Mobility.",
    ),
    (
        "The checkout service depends on the ledger service.",
        "The ledger service depends on Postgres.",
        "The checkout service depends on Postgres.",
    ),
    ("Anna Lind lives in Lima.", "Lima is the capital of Peru.", "Anna Lind lives in Peru."),
    (
        "Das Team Falke gehört zur Abteilung Mobilität.",
        "Die Abteilung Mobilität gehört zum Bereich Verkehr.",
        "Das Team Falke gehört zum Bereich Verkehr.",
    ),
    (
        "Le dépôt Nordlys se trouve à Bergen.",
        "Bergen se trouve en Norvège.",
        "Le dépôt Nordlys se trouve en Norvège.",
    ),
    (
        "El equipo Halcón forma parte del departamento Movilidad.",
        "El departamento Movilidad forma parte de la división Transporte.",
        "El equipo Halcón forma parte de la división Transporte.",
    ),
    ("张伟是猎鹰团队的成员。", "猎鹰团队属于出行部门。", "张伟属于出行部门。"),
    (
        "鷹チームはモビリティ部門の一部です。",
        "モビリティ部門は交通本部の一部です。",
        "鷹チームは交通本部の一部です。",
    ),
)


def facts_of(*texts: str) -> list[Fact]:
    read = [read_relation(text) for text in texts]
    assert None not in read
    return [
        Fact(memory_id=UUID(int=at), relation=relation, audience=ALL)
        for at, relation in enumerate(read, start=1)
        if relation is not None
    ]


@pytest.mark.parametrize(("first", "second", "conclusion"), SAID)
def test_two_relations_conclude_a_third_in_their_own_words(first: str, second: str, conclusion: str) -> None:
    assert [one.text for one in deduce(facts_of(first, second))] == [conclusion]


@pytest.mark.parametrize(
    "text",
    [
        "Anna is in a meeting.",
        "The build is in progress.",
        "It is part of the plan.",
        "Anna and Ben are in Bergen.",
        "The Router is not part of the Map Module.",
        "Peter thinks the Router is part of the Map Module.",
        "Peter thinks Router is part of Map Module.",
        "The office is in Bergen since May.",
        "Maybe the office is in Bergen.",
        "Which office is in Bergen?",
        "The office is in Bergen, but not for long.",
        "Das Modul gehört nicht zur App.",
        "L'équipe ne fait pas partie du département.",
        "El equipo no forma parte del departamento.",
        "猎鹰团队不属于出行部门。",
        "如果猎鹰团队属于出行部门",
        "鷹チームは部門の一部ではない。",
        "他属于出行部门。",
        "法内尔是一座位于莫帕尼区的小镇。",
        "Treatment includes raising the pressure.",
    ],
)
def test_a_sentence_with_a_doubt_a_not_or_a_second_clause_is_not_read(text: str) -> None:
    assert read_relation(text) is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Anna works for Nordlys.", "Nordlys is in Bergen."),
        ("The Falcon team is in Bergen.", "Bergen is part of Vestland."),
        ("Mobility includes the Falcon team.", "The Falcon team is in Bergen."),
        ("Ben is in Bergen.", "Ada is in Bergen."),
        ("The Router is part of the Map Module.", "The Map Module is part of the Router."),
    ],
)
def test_what_no_rule_joins_concludes_nothing(first: str, second: str) -> None:
    read = [one for one in (read_relation(first), read_relation(second)) if one is not None]
    facts = [Fact(memory_id=UUID(int=at), relation=one, audience=ALL) for at, one in enumerate(read, start=1)]
    assert deduce(facts) == ()


def test_a_hub_of_many_parts_costs_no_more_than_its_bound() -> None:
    parts = [f"Part {at} is part of Hub." for at in range(300)]
    further = [f"Hub is part of Whole {at}." for at in range(300)]
    drawn = deduce(facts_of(*parts, *further))
    assert {sum(one.subject == f"part{at}" for one in drawn) for at in range(300)} == {25}
