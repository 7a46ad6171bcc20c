"""Nobody forgets, by saying the same words elsewhere, where they may not (SPEC S-04, S-05)."""

from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_project
from tests.http.conftest import Caller, caller
from tests.http.people import person
from tests.http.test_forget import forget, forget_whole
from tests.http.test_origins import taken
from tests.http.test_verdicts import no_broker

__all__ = ["no_broker"]

pytestmark = pytest.mark.spec("S-04", "S-05")

DEED = "The founding deed of the club is kept by the notary in Porto."
WAYS = {
    "the same words": DEED,
    "a piece of them": "The founding deed of the club",
    "shown as one": DEED.upper(),
}


def say_as(tenant: Viewer, asking: Caller, text: str, **more: Any) -> tuple[str, str]:
    """Let somebody capture a shared turn; return the capture and its memory."""
    body = {"text": text, "role": "user", "session": "monday", "shared": True}
    capture = taken(asking, body | more)["id"]
    with tenant_scope(tenant):
        process_capture(UUID(capture), now=timezone.now())
    [made] = caller(tenant).get(f"captures/{capture}").json()["memories"]
    return str(capture), str(made)


@pytest.mark.parametrize("way", WAYS)
def test_what_says_the_same_where_one_may_not_forget_stays_with_its_capture(ada: Viewer, way: str) -> None:
    owner, moon = caller(ada), make_project(tenant=ada, slug="moon")
    eve = person(ada, held={None: ["view"], moon: ["view", "forget"]})
    capture, kept = say_as(ada, owner, DEED)
    _, own = say_as(ada, eve, WAYS[way], project="moon", speaker="Eve", session="tuesday")
    assert forget(eve, kept).status_code == 403

    told = forget_whole(eve, own)

    assert [one["id"] for one in told["goes"]] == [own]
    assert owner.get(f"memories/{kept}").json()["content"] == DEED
    assert owner.get(f"captures/{capture}").json()["text"] == DEED


@pytest.mark.parametrize("way", WAYS)
def test_where_one_may_it_goes(ada: Viewer, way: str) -> None:
    owner, moon = caller(ada), make_project(tenant=ada, slug="moon")
    eve = person(ada, held={None: ["view", "forget"], moon: ["view", "forget"]})
    _, kept = say_as(ada, owner, DEED)
    _, own = say_as(ada, eve, WAYS[way], project="moon", speaker="Eve", session="tuesday")

    told = forget_whole(eve, own)

    assert {one["id"] for one in told["goes"]} == {own, kept}
    assert owner.get(f"memories/{kept}").status_code == 404
