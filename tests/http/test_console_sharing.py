"""A person shares a memory and takes it back in the admin (SPEC H-01, M-12, T-05, T-06)."""

import re
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse

from memories.ingestion import notify
from memories.models import Memory
from tenants.models import Agent
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_project
from tests.http.conftest import caller
from tests.http.test_admin import page, text, working
from tests.http.test_console import trail
from tests.http.test_edit import edit, found, written

pytestmark = pytest.mark.spec("H-01", "M-12", "T-05", "T-06")

PAGE: Final = "memories_memory_change"
SHARE, TAKE_BACK, DOMAIN = "deed/share/", "deed/unshare/", "deed/domain/"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


@pytest.fixture
def brook(ada: Viewer) -> Agent:
    """An agent."""
    return make_agent(tenant=ada, slug="brook", domains=["law"])


@pytest.fixture
def memory(ada: Viewer, brook: Agent) -> str:
    """A finding of that agent's, for itself."""
    return written(caller(ada, agent=brook.id))


def seen(client: Client, memory: str) -> str:
    """Return what a page that is looked at now posts with its buttons."""
    marks = set(re.findall(r'name="seen" value="([^"]+)"', page(client, PAGE, memory)))
    assert len(marks) == 1
    return str(marks.pop())


def press(client: Client, memory: str, deed: str, words: str = "", *, mark: str | None = None) -> str:
    """Look at the page, press its button, and return the page that it leads to."""
    posted = {"words": words, "seen": seen(client, memory) if mark is None else mark}
    address = reverse("admin:memories_memory_deed", args=[memory, deed])
    return text(client.post(address, posted, follow=True))


def audience(tenant: Viewer, memory: str) -> tuple[Any, ...]:
    with tenant_scope(tenant), unit_of_work():
        row = Memory.objects.get(pk=memory)
        return (row.shared, row.domain, row.standing)


def test_a_memory_is_shared_and_taken_back_by_buttons(ada: Viewer, memory: str) -> None:
    client = working(ada)
    atlas = caller(ada, agent=make_agent(tenant=ada, slug="atlas", domains=["design"]).id)
    before = page(client, PAGE, memory)
    assert (SHARE in before, TAKE_BACK in before, found(atlas)) == (True, False, [])

    after = press(client, memory, "share", "all need it")

    assert "Shared." in after
    assert (SHARE in after, TAKE_BACK in after, found(atlas)) == (False, True, [memory])
    assert "Taken back." in press(client, memory, "unshare", "not theirs")
    assert found(atlas) == []
    assert sorted(trail(ada, "memory.edit")) == ["all need it", "not theirs"]


def test_its_domain_says_which_agents_read_it(ada: Viewer, memory: str) -> None:
    client = working(ada)
    atlas = caller(ada, agent=make_agent(tenant=ada, slug="atlas", domains=["design"]).id)
    press(client, memory, "share")

    for domain, told, sees in (
        ("law", "Its domain is «law» now.", []),
        ("design", "Its domain is «design» now.", [memory]),
        ("*", "Its domain is «*» now.", [memory]),
        ("", "It has no domain now.", [memory]),
    ):
        assert told in press(client, memory, "domain", domain)
        assert found(atlas) == sees, domain
    assert "Nothing was done: may have at most 200 characters" in press(client, memory, "domain", "x" * 201)
    assert audience(ada, memory) == (True, "", 0)


def test_what_was_changed_since_it_was_looked_at_is_not_shared(ada: Viewer, memory: str) -> None:
    client, person = working(ada), caller(ada)
    stale = seen(client, memory)
    edit(person, memory, importance=5)

    for mark in (stale, ""):
        after = press(client, memory, "share", mark=mark)
        assert "Nothing was done: it was changed meanwhile." in after
    assert audience(ada, memory) == (False, "", 0)
    assert trail(ada, "memory.edit") == [""]
    found(person)  # to be recalled is no change
    assert "Shared." in press(client, memory, "share")


def test_who_may_not_correct_it_sees_no_button_and_shares_nothing(ada: Viewer) -> None:
    moon = make_project(tenant=ada, slug="moon")
    memory = written(caller(ada), project="moon")
    client = working(ada, role="reader", project=moon, rights=("view",))
    shown = page(client, PAGE, memory)
    assert not any(address in shown for address in (SHARE, TAKE_BACK, DOMAIN))

    for deed in ("share", "domain"):
        after = press(client, memory, deed, "law", mark=mark_of(ada, memory))
        assert "Nothing was done: this is not yours to do" in after
    assert audience(ada, memory) == (False, "", 0)


def mark_of(tenant: Viewer, memory: str) -> str:
    with tenant_scope(tenant), unit_of_work():
        return str(Memory.objects.get(pk=memory).updated_at.isoformat())


def test_beside_another_value_of_its_new_readers_it_waits_and_the_page_says_so(
    ada: Viewer, brook: Agent
) -> None:
    state = {"kind": "profile", "entity_key": "lin", "concept_key": "city", "cardinality": "single"}
    agent = caller(ada, agent=brook.id)
    private = written(agent, **state, content="Lin lives in Bern.", value="Bern")
    written(agent, **state, content="Lin lives in Oslo.", value="Oslo", shared=True)

    after = press(working(ada), private, "share")

    assert "Shared. It waits beside another value of its new readers." in after
    assert audience(ada, private) == (True, "", 1)
