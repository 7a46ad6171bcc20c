"""`candor_visible_v3` says what SPEC T-07 says: checked against the sentence, written again in Python."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from uuid import UUID

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytestmark = [pytest.mark.spec("T-07", "K-09"), pytest.mark.usefixtures("asking")]

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
MINE, OTHER, THIRD = (UUID(int=number) for number in (1, 2, 3))


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A memory and who looks at it when; the names are the function's own."""

    project_id: UUID | None
    owner_id: UUID | None
    shared: bool
    domain: str
    person: str
    valid_from: datetime | None
    valid_until: datetime | None
    my_projects: tuple[UUID, ...]
    sees_unfiled: bool
    me: UUID | None
    my_domains: tuple[str, ...]
    sees_every_owner: bool
    my_person: str
    sees_every_person: bool
    at: datetime


def is_visible(case: Case) -> bool:
    """Say what T-07, T-08 and K-09 say."""
    in_project = case.sees_unfiled if case.project_id is None else case.project_id in case.my_projects
    own = case.owner_id is None or (case.me is not None and case.owner_id == case.me)
    reaches_me = case.shared and (case.domain in ("", "*") or case.domain in case.my_domains)
    begun = case.valid_from is None or case.valid_from <= case.at
    ended = case.valid_until is not None and case.valid_until <= case.at
    common_or_mine = case.person in ("", case.my_person) or case.sees_every_person
    readable = in_project and (case.sees_every_owner or own or reaches_me) and common_or_mine
    return readable and begun and not ended


def ask(cases: Sequence[Case]) -> list[bool]:
    """Let PostgreSQL judge the cases, as a WHERE would: what is not true is not visible."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT coalesce(candor_visible_v3(c.project_id, c.owner_id, c.shared, c.domain, c.person,
                c.valid_from, c.valid_until, c.my_projects, c.sees_unfiled, c.me, c.my_domains,
                c.sees_every_owner, c.my_person, c.sees_every_person, c.at), false)
            FROM jsonb_array_elements(%s::jsonb) WITH ORDINALITY AS e (j, place),
            jsonb_to_record(e.j) AS c (project_id uuid, owner_id uuid, shared boolean, domain text,
                person text, valid_from timestamptz, valid_until timestamptz, my_projects uuid[],
                sees_unfiled boolean, me uuid, my_domains text[], sees_every_owner boolean, my_person text,
                sees_every_person boolean, at timestamptz)
            ORDER BY e.place
            """,
            [json.dumps([asdict(case) for case in cases], default=str)],
        )
        return [visible for (visible,) in cursor.fetchall()]


def wrong(cases: Sequence[Case]) -> list[Case]:
    """Return the cases that PostgreSQL judges otherwise."""
    return [case for case, visible in zip(cases, ask(cases), strict=True) if visible != is_visible(case)]


def test_every_combination_is_judged_as_the_rule_says() -> None:
    times = (None, NOW - HOUR, NOW, NOW + HOUR)
    cases = [
        Case(
            project_id=project, owner_id=owner, shared=shared, domain=domain,
            person=person, valid_from=start, valid_until=end, my_projects=projects, sees_unfiled=unfiled,
            me=me, my_domains=domains, sees_every_owner=every, my_person=mine, sees_every_person=all_of_them,
            at=NOW,
        )
        for project, owner, shared, domain, start, end, (projects, unfiled), me, domains, every, (
            person, mine, all_of_them,
        ) in product(
            (None, MINE, OTHER), (None, MINE, OTHER), (False, True), ("", "*", "backend", "design"),
            (None, NOW + HOUR), times,
            (((), True), ((MINE, THIRD), True), ((MINE, THIRD), False)),
            (None, MINE), ((), ("backend",)), (False, True),
            (("", "", False), ("", "p", False), ("p", "p", False), ("p", "q", False), ("p", "", False),
             ("p", "", True)),
        )
    ]  # fmt: skip
    assert wrong(cases) == []
    assert 0 < sum(map(is_visible, cases)) < len(cases)


def some(values: st.SearchStrategy[UUID]) -> st.SearchStrategy[UUID | None]:
    """Draw a value or none."""
    return st.none() | values


IDS = st.sampled_from((MINE, OTHER, THIRD))
NAMES = st.sampled_from(("", "*", "backend", "design", "Backend", "back%", "設計"))
PERSONS = st.sampled_from(("", "p", "q", "P", "p%", "*"))
TIMES = st.none() | st.integers(-3, 3).map(lambda hours: NOW + hours * HOUR)
CASES = st.builds(
    Case,
    project_id=some(IDS),
    owner_id=some(IDS),
    shared=st.booleans(),
    domain=NAMES,
    person=PERSONS,
    valid_from=TIMES,
    valid_until=TIMES,
    my_projects=st.lists(IDS, max_size=3).map(tuple),
    sees_unfiled=st.booleans(),
    me=some(IDS),
    my_domains=st.lists(NAMES, max_size=3).map(tuple),
    sees_every_owner=st.booleans(),
    my_person=PERSONS,
    sees_every_person=st.booleans(),
    at=st.integers(-3, 3).map(lambda hours: NOW + hours * HOUR),
)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cases=st.lists(CASES, min_size=1, max_size=40))
def test_any_memory_is_judged_as_the_rule_says(cases: list[Case]) -> None:
    assert wrong(cases) == []
