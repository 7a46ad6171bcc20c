"""Memories counted along their axes (SPEC I-05), against a count by hand of what the same key is shown."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import pytest

from memories.storage import AXES, SEVERAL
from tenants.scope import Viewer
from tests.factories import make_agent, make_memory, make_project
from tests.http.conftest import Caller, caller, errors

pytestmark = pytest.mark.spec("I-05")

NOW = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)


@pytest.fixture
def askers(ada: Viewer, grace: Viewer) -> dict[str, Caller]:
    """Memories of many kinds, and some who may see different ones of them."""
    atlas, rui = (make_agent(tenant=ada, slug=slug) for slug in ("atlas", "rui"))
    moon = make_project(tenant=ada, slug="moon")
    for number in range(24):
        make_memory(
            tenant=ada,
            content=f"Fact number {number}.",
            agent=(None, atlas, rui)[number % 3],
            project=moon if number % 4 == 0 else None,
            shared=number % 5 == 0,
            classification=number % 4,
            kind=("finding", "decision", "episode")[number % 3],
            card=("knowledge", "knowledge", "event")[number % 3],
            tags=[["depot", "ramp"], ["ramp"], []][number % 3],
            manual_tags=["depot"] if number % 2 else [],
            entities=[["east"], ["east", "west"], []][number % 3],
            trust=0.05 + number % 8 / 10,
            importance=number % 5 + 1,
            session=f"s{number % 2}",
            speaker="Rui" if number % 2 else "",
            person="vera" if number in (7, 8) else "",
            effective_at=NOW - timedelta(days=11 * number),
        )
    make_memory(tenant=grace, content="Of somebody else.", kind="finding")
    return {
        "all": caller(ada),
        "atlas": caller(ada, agent=atlas.id, projects=()),
        "low": caller(ada, ceiling=1),
        "vera": caller(ada, persons=("vera",)),
        "moon": caller(ada, project=moon.id),
        "grace": caller(grace),
    }


def shown(one: Caller, query: str = "") -> list[dict[str, Any]]:
    """Return all memories that somebody's list shows, page by page."""
    rows, after = [], ""
    while True:
        page = one.get(f"memories?limit=10{query}{after}").json()
        rows += page["results"]
        if page["next"] is None:
            return rows
        after = f"&cursor={page['next']}"


def sliced(one: Caller, *by: str, **more: Any) -> dict[str, Any]:
    """Return the count along some axes."""
    answer = one.get("memories/slice?" + urlencode([*(("by", axis) for axis in by), *more.items()]))
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def as_counter(found: dict[str, Any]) -> Counter[tuple[Any, ...]]:
    """Return the groups as a counter."""
    return Counter({tuple(group["key"].values()): group["count"] for group in found["groups"]})


def by_hand(rows: list[dict[str, Any]], *axes: str) -> Counter[tuple[Any, ...]]:
    """Count rows of the list."""
    return Counter(tuple(_value(row, axis) for axis in axes) for row in rows)


def _value(row: dict[str, Any], axis: str) -> Any:
    return int(row["trust"] * 10 + 1e-9) / 10 if axis == "trust" else row[axis]


@pytest.mark.spec("S-01", "T-07")
@pytest.mark.parametrize(
    "axes", [("kind",), ("classification", "card"), ("session", "speaker", "importance"), ("trust",)]
)
def test_each_is_told_the_count_of_what_their_list_shows(
    askers: dict[str, Caller], axes: tuple[str, ...]
) -> None:
    totals = set()
    for one in askers.values():
        rows, found = shown(one), sliced(one, *axes)
        assert as_counter(found) == by_hand(rows, *axes)
        assert (found["total"], found["truncated"]) == (len(rows), False)
        counts = [group["count"] for group in found["groups"]]
        assert counts == sorted(counts, reverse=True)
        totals.add(found["total"])
    assert len(totals) >= 3


def test_a_memory_counts_once_for_each_tag_and_once_for_none(askers: dict[str, Caller]) -> None:
    rows = shown(askers["all"])
    tags = Counter(tag for row in rows for tag in set(row["tags"] + row["manual_tags"]) or {None})
    entities = Counter(name for row in rows for name in set(row["entities"]) or {None})

    assert as_counter(sliced(askers["all"], "tag")) == {(tag,): count for tag, count in tags.items()}
    assert as_counter(sliced(askers["all"], "entity")) == {(one,): count for one, count in entities.items()}
    assert sliced(askers["all"], "tag")["total"] == len(rows)


def test_times_are_put_together_by_the_days_of_a_zone(askers: dict[str, Caller]) -> None:
    rows = shown(askers["all"])
    times = [datetime.fromisoformat(row["effective_at"]) for row in rows]
    for zone in ("UTC", "Asia/Taipei"):
        local = [at.astimezone(ZoneInfo(zone)) for at in times]
        months = Counter((at.date().replace(day=1).isoformat(),) for at in local)
        days = Counter((at.date().isoformat(),) for at in local)
        assert as_counter(sliced(askers["all"], "effective", timezone=zone)) == months
        assert as_counter(sliced(askers["all"], "effective", every="day", timezone=zone)) == days


def test_what_is_counted_is_narrowed_as_in_the_list(askers: dict[str, Caller]) -> None:
    for query in ("kind=finding", "tag=depot&importance_from=3", "project=moon", "session=s1&trust_to=0.5"):
        rows = shown(askers["all"], f"&{query}")
        answer = askers["all"].get(f"memories/slice?by=kind&by=agent&{query}").json()
        assert rows != []
        assert answer["total"] == len(rows) == sum(group["count"] for group in answer["groups"])


def test_every_axis_can_be_asked_and_few_groups_say_that_there_are_more(askers: dict[str, Caller]) -> None:
    for axis in AXES:
        assert sum(group["count"] for group in sliced(askers["all"], axis)["groups"]) >= 1, axis
    short = sliced(askers["all"], "importance", "session", limit=2)
    whole = sliced(askers["all"], "importance", "session")
    assert (short["truncated"], short["groups"]) == (True, whole["groups"][:2])
    assert {group["key"]["agent"] for group in sliced(askers["all"], "agent")["groups"]} == {
        None,
        "atlas",
        "rui",
    }


def test_what_cannot_be_counted_is_refused(ada: Viewer) -> None:
    one = caller(ada)

    for query, field in (
        ("", "by"), ("by=colour", "by"), ("by=kind&by=card&by=agent&by=session", "by"),
        ("&".join(f"by={axis}" for axis in SEVERAL), "by"), ("by=kind&every=hour", "every"),
        ("by=kind&timezone=Mars", "timezone"), ("by=kind&limit=5000", "limit"),
        ("by=kind&cursor=x", "cursor"),
    ):  # fmt: skip
        assert any(name.startswith(field) for name in errors(one.get(f"memories/slice?{query}"))), query
