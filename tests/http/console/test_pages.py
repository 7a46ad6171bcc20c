"""Every page of the console: for every role, behind every wall, with nothing that could run (SPEC H-05)."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tenants.scope import Viewer
from tests.factories import make_capture, make_membership, make_memory, make_tenant, make_user
from tests.http.conftest import Caller
from tests.http.console.conftest import ROLES, Shown, fill, sit
from tests.http.test_admin import browser, choose

pytestmark = pytest.mark.spec("H-05")

REFUSED = {
    "operator": set(),
    "auditor": {"console-people", "console-keys"},
    "reader": {"console-people", "console-keys", "console-audit", "console-charts", "console-ranking"},
}
"""Pages that the API refuses to a role, with a word of why: the menu does not name them either."""


class Active(HTMLParser):
    """Whatever in a page could run: scripts and styles of its own, and attributes that are code."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag that could run."""
        given = dict(attrs)
        sources = [given.get(name) or "" for name in ("src", "href", "action", "formaction")]
        own = tag == "style" or (
            tag == "script" and not (given.get("src") or "").startswith("/static/console/")
        )
        code = any(name.startswith("on") or name == "style" for name in given)
        foreign = any(re.match(r"(?:[a-z]+:)?//|javascript:", source) for source in sources)
        self.found += [tag] if own or code or foreign else []


@pytest.mark.parametrize("role", ROLES)
def test_every_page_answers_each_role_as_the_api_would(shown: Shown, role: str) -> None:
    client = sit(shown.tenant, role=role)

    answers = {name: client.get(address) for name, address in shown.pages().items()}

    assert {name: one.status_code for name, one in answers.items() if one.status_code not in (200, 403)} == {}
    assert {name for name, one in answers.items() if one.status_code == 403} == REFUSED[role]
    for name, one in answers.items():
        assert name == "console-graph-data" or Active(one.content.decode()).found == [], name
        policy = one.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy, name
        assert "unsafe" not in policy, name
        assert "no-store" in one.headers["Cache-Control"], name


def test_pages_show_what_they_are_of(shown: Shown) -> None:
    client = sit(shown.tenant)
    marked = {
        name for name, address in shown.pages().items() if "Marker" in client.get(address).content.decode()
    }

    assert set(shown.pages()) - marked <= {
        "console-charts", "console-search", "console-playground", "console-write", "console-dead",
        "console-persons", "console-person", "console-audit", "console-health", "console-ranking",
        "console-people", "console-keys", "console-tour", "console-context",
    }  # fmt: skip


def test_a_part_is_fetched_when_its_page_stands(shown: Shown) -> None:
    client, address = sit(shown.tenant), shown.pages()["console-context"]
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()

    assert "Composing the context" in client.get(address).content.decode()
    assert "Marker remembers" in part
    assert "<html" not in part


def test_who_is_not_logged_in_is_led_to_the_login_and_back(shown: Shown) -> None:
    for address in shown.pages().values():
        answer = Client().get(address)
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith(reverse("console-login") + "?next=")


def test_a_page_of_another_tenant_is_not_there(shown: Shown, strange: Shown) -> None:
    client = sit(shown.tenant)
    own, other = shown.pages(), strange.pages()

    for name, address in other.items():
        answer = client.get(address)
        assert "Stranger" not in answer.content.decode(), name
        assert answer.status_code == 404 or address == own[name], name


def test_what_lies_above_the_ceiling_is_shown_nowhere(ada: Viewer) -> None:
    above = fill(ada, "Secretive", rank=3)
    client = sit(ada, ceiling=1)

    for name, address in above.pages().items():
        # Agents and entities' names are of no class of their own or of none but theirs: their rows are not.
        if not name.startswith("console-agent"):
            assert "Secretive" not in client.get(address).content.decode(), name


def test_a_reader_sees_nothing_of_a_project_that_is_closed_to_them(shown: Shown) -> None:
    client = sit(shown.tenant, role="reader", unfiled=())

    for name in ("console-memories", "console-search-asked", "console-quarantine", "console-session"):
        assert "Marker" not in client.get(shown.pages()[name]).content.decode(), name
    assert client.get(shown.pages()["console-memory"]).status_code == 404


def test_a_script_in_a_memory_is_shown_as_words(ada: Viewer) -> None:
    evil = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
    start, end = len(evil), 2 * len(evil)
    marks = [{"start": start, "end": end, "kind": "point", "value": evil, "certainty": 0.9}]
    memory = make_memory(tenant=ada, content=evil * 3, annotations=marks)
    held = [{"step": "screen", "verdict": "quarantine", "gate": "x", "reason": evil,
             "findings": [{"reason": evil, "span": [start, end]}]}]  # fmt: skip
    now = timezone.now()
    make_capture(tenant=ada, text=evil * 3, state="quarantined", trace=held, created_at=now)
    client = sit(ada)

    pages = [
        reverse(name) for name in ("console", "console-memories", "console-quarantine", "console-charts")
    ]
    for address in (reverse("console-memory", args=[memory.id]), *pages):
        page = client.get(address).content.decode()
        assert Active(page).found == []
        assert "&lt;script&gt;" in page or "&lt;img" in page


def test_who_has_several_tenants_chooses_one(ada: Viewer, grace: Viewer) -> None:
    user = make_user("both")
    for tenant in (ada, grace):
        make_membership(tenant=tenant, user=user, role="operator", ceiling=3)
        make_memory(tenant=tenant, content=f"A word of {tenant.tenant_id}")
    client = browser(user)

    assert client.get("/console/").headers["Location"].startswith(reverse("console-tenant"))
    offered = client.get(reverse("console-tenant")).content.decode()
    assert str(ada.tenant_id) in offered
    assert str(grace.tenant_id) in offered
    client.post(reverse("console-tenant"), {"tenant": str(grace.tenant_id)})
    page = client.get("/console/").content.decode()

    assert str(grace.tenant_id) in page
    assert str(ada.tenant_id) not in page
    assert (
        client.post(reverse("console-tenant"), {"tenant": str(make_tenant("x").tenant_id)}).status_code == 404
    )
    choose(client, ada)  # the admin's choice is the same one
    assert f"A word of {ada.tenant_id}" in client.get("/console/").content.decode()


def test_a_cookie_opens_nothing_of_the_api(shown: Shown) -> None:
    client = sit(shown.tenant)

    assert client.get("/api/v1/memories").status_code == 401
    assert client.get("/api/v1/memories", headers={"Candor-Person": "u-1"}).status_code == 401


def test_lists_go_on_where_the_page_ends(ada: Viewer) -> None:
    for number in range(30):
        make_memory(tenant=ada, content=f"Entry {number:02}")
    client = sit(ada)
    first = client.get(reverse("console-memories")).content.decode()
    older = re.search(r'href="(\?cursor=[^"]+)"', first)
    assert older is not None
    second = client.get(reverse("console-memories") + older[1]).content.decode()

    found = [set(re.findall(r"Entry \d\d", page)) for page in (first, second)]
    assert not found[0] & found[1]
    assert len(found[0] | found[1]) == 30


def test_forms_offer_what_the_api_takes(ada: Viewer) -> None:
    from console.frame import CHOICES

    schemas = Caller().get("schema").json()["components"]["schemas"]

    assert list(CHOICES["classes"]) == schemas["ClassName"]["enum"]
    assert set(CHOICES["standings"]) == set(schemas["StandingEnum"]["enum"])
    assert set(CHOICES["reasons"]) == set(schemas["ReasonEnum"]["enum"])
    assert set(CHOICES["entity_types"]) == set(schemas["EntityType"]["enum"])


def test_a_refusal_says_what_is_wrong(ada: Viewer) -> None:
    client = sit(ada)
    answer = client.get(reverse("console-search") + "?q=x&trust_from=much")

    assert answer.status_code == 400
    assert "trust_from" in answer.content.decode()


def test_the_graph_tells_its_nodes_and_links(shown: Shown) -> None:
    answer: Any = sit(shown.tenant).get(shown.pages()["console-graph-data"])

    assert [node["id"] for node in json.loads(answer.content)["nodes"]] == [str(shown.memory.id)]


def test_an_empty_tenant_is_told_what_to_do_first(ada: Viewer) -> None:
    assert "Set up an agent" in sit(ada).get("/console/").content.decode()
