"""The curl examples of docs/erasure.md, run as they stand, and its table of scopes."""

import re
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.utils import timezone

from memories.ingestion import notify
from memories.pipeline import process_capture
from recall.answering.post_response import wait_until_counted
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_agent
from tests.http.conftest import key_of
from tests.http.test_docs_examples import ADDRESS, AGENT_SCOPES, Example, examples, keys_missing, run
from tests.http.test_doors import NEEDED

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "erasure.md").read_text()

SAID = "We decided to keep ninety days of ride data, because the insurer asks for it."


@pytest.fixture
def variables(ada: Viewer, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What the shell knows: two keys, and a memory that the agent made and recalled."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    agent = make_agent(tenant=ada, slug="atlas")
    known = {
        "CANDOR": f"{ADDRESS}/api/v1",
        "CANDOR_KEY": key_of(ada, scopes=AGENT_SCOPES, ceiling=2, agent=agent.id),
        "CANDOR_ADMIN_KEY": key_of(ada),
    }
    taken = post(known, "captures", f'{{"role": "user", "session": "guide", "text": "{SAID}"}}').json()
    with tenant_scope(ada):
        process_capture(taken["id"], now=timezone.now())
    found = post(known, "recall", '{"query": "How long do we keep ride data?", "session": "guide"}').json()
    own = '{"role": "user", "person": "customer-7", "text": "I am allergic to latex, please note it."}'
    with tenant_scope(ada):
        process_capture(post(known, "captures", own).json()["id"], now=timezone.now())
    post(known, "recall", '{"query": "What am I allergic to?", "person": "customer-7"}')
    wait_until_counted()
    return known | {"MEMORY": found["results"][0]["id"]}


def post(known: dict[str, str], path: str, body: str) -> HttpResponse:
    headers = "-H 'Authorization: Bearer $CANDOR_KEY' -H 'Content-Type: application/json'"
    return run(f"curl -s $CANDOR/{path} {headers} -d '{body}'", known)


@pytest.mark.spec("S-05", "H-04")
def test_every_command_of_the_page_works_and_answers_as_shown(variables: dict[str, str]) -> None:
    told: list[Example] = examples(PAGE)
    assert len(told) == 6

    for example in told:
        answer = run(example.command, variables)
        assert answer.status_code == 200, (example.command, answer.content)
        assert keys_missing(example.answer, answer.json()) == []
        wanted = {name: example.answer[name] for name in ("archived", "forgotten") if name in example.answer}
        assert {name: answer.json()[name] for name in wanted} == wanted
        variables["HASH"] = answer.json()["hash"]


def test_the_scopes_of_the_page_are_those_of_the_doors() -> None:
    rows = re.findall(r"^\| `POST memories/\{id\}/(\w+)` \| `(\w+)` \|", PAGE, re.MULTILINE)

    assert {f"{name}_memory": scope for name, scope in rows} == {
        name: NEEDED[name] for name in ("archive_memory", "unarchive_memory", "forget_memory")
    }
