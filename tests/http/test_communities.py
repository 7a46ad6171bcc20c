"""What a memory is about: entities that are spoken of together, as far as the asker may see (SPEC E-04)."""

from typing import Any, Final

import pytest

from tenants.scope import Viewer
from tests.http.conftest import caller
from tests.http.saying import say

pytestmark = [pytest.mark.usefixtures("no_broker", "rules_only"), pytest.mark.spec("E-04")]

HARBOUR: Final = (
    "Mirela Fodor inspected the Nordlys ferry in Bergen.",
    "The Nordlys ferry left Bergen with Mirela Fodor on board.",
    "Bergen wants the Nordlys ferry back by Friday.",
)
BAKERY: Final = (
    "Otto Brandt buys rye at the Kestrel Mill in Graz.",
    "The Kestrel Mill in Graz closes early.",
    "Otto Brandt trusts the Kestrel Mill.",
)


def tell(tenant: Viewer, texts: tuple[str, ...], **more: Any) -> None:
    for text in texts:
        say(tenant, text, session=text, **more)


def communities(tenant: Viewer, **key: Any) -> list[dict[str, Any]]:
    answer = caller(tenant, **key).get("communities")
    assert answer.status_code == 200, answer.content
    return list(answer.json()["results"])


def names(community: dict[str, Any]) -> set[str]:
    return {one["name"] for one in community["members"]}


def test_what_is_spoken_of_together_is_one_community_told_in_its_own_sentences(ada: Viewer) -> None:
    tell(ada, HARBOUR)
    tell(ada, BAKERY)

    told = communities(ada)

    assert [names(one) for one in told] == [
        {"Graz", "Kestrel Mill", "Otto Brandt"}, {"Bergen", "Mirela Fodor", "Nordlys"}
    ]  # fmt: skip
    for one, said in zip(told, (BAKERY, HARBOUR), strict=True):
        assert one["memories"] >= 2 < one["member_count"] == 3
        assert {sentence["text"] for sentence in one["sentences"]} <= set(said)
        assert set(one["name"].split(", ")) == names(one)
    answer = caller(ada).get("communities").json()
    assert (answer["looked_through"], answer["is_whole"]) == (6, True)


def test_what_was_said_once_or_of_two_things_is_no_community(ada: Viewer) -> None:
    tell(ada, (HARBOUR[0], "Otto Brandt went to Graz.", "Otto Brandt likes Graz."))
    assert communities(ada) == []


def test_nobody_learns_that_two_things_belong_together_which_only_others_said(
    ada: Viewer, grace: Viewer
) -> None:
    tell(ada, HARBOUR, classification="restricted")
    tell(ada, BAKERY, person="ines")
    tell(grace, BAKERY)

    assert known(communities(ada, persons=("vera",))) == {"Bergen", "Mirela Fodor", "Nordlys"}
    assert communities(ada, ceiling=1, persons=("vera",)) == []
    assert "Graz" in known(communities(ada, persons=("ines",)))
    assert known(communities(grace)) == {"Graz", "Kestrel Mill", "Otto Brandt"}
    [one] = communities(ada, persons=("vera",))
    assert one["classification"] == "restricted"


def known(found: list[dict[str, Any]]) -> set[str]:
    return {name for one in found for name in names(one)}


def test_what_holds_no_more_makes_no_community(ada: Viewer) -> None:
    tell(ada, HARBOUR)
    person = caller(ada)
    for row in person.get("memories?limit=100").json()["results"]:
        person.post(f"memories/{row['id']}/archive", {"reason": "over"})
    assert communities(ada) == []
