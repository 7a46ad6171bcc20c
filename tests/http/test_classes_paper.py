"""The curl examples of docs/classes.md, run as they stand, and its table of scopes."""

import re
from pathlib import Path

import pytest
from django.utils import timezone

from memories.ingestion import notify
from memories.pipeline import process_capture
from recall.answering.post_response import wait_until_counted
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_agent
from tests.http.conftest import key_of
from tests.http.test_docs_examples import ADDRESS, AGENT_SCOPES, examples, keys_missing, run
from tests.http.test_doors import NEEDED, OPERATIONS
from tests.http.test_erasure_paper import SAID, post

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "classes.md").read_text()
TOLD = ("former", "followed", "state", "classification", "raised")


@pytest.fixture
def variables(ada: Viewer, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What the shell knows: three keys, and a memory that the agent made and recalled."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    agent = make_agent(tenant=ada, slug="atlas")
    known = {
        "CANDOR": f"{ADDRESS}/api/v1",
        "CANDOR_KEY": key_of(ada, scopes=AGENT_SCOPES, ceiling=2, agent=agent.id),
        "CANDOR_ADMIN_KEY": key_of(ada),
        "CANDOR_SECOND_KEY": key_of(ada),
    }
    taken = post(known, "captures", f'{{"role": "user", "session": "guide", "text": "{SAID}"}}').json()
    with tenant_scope(ada):
        process_capture(taken["id"], now=timezone.now())
    found = post(known, "recall", '{"query": "How long do we keep ride data?", "session": "guide"}').json()
    wait_until_counted()
    return known | {"MEMORY": found["results"][0]["id"]}


@pytest.mark.spec("S-01", "I-01")
def test_every_command_of_the_page_works_and_answers_as_shown(variables: dict[str, str]) -> None:
    told = examples(PAGE)
    assert len(told) == 6
    for example in told:
        answer = run(example.command, variables)
        assert answer.status_code in (200, 202), (example.command, answer.content)
        body = answer.json()
        assert keys_missing(example.answer, body) == []
        assert {name: body[name] for name in TOLD if name in example.answer} == {
            name: example.answer[name] for name in TOLD if name in example.answer
        }
        variables["HASH"] = body.get("hash", variables.get("HASH", ""))
        if isinstance(body.get("downgrade"), dict):
            assert body["downgrade"]["state"] == example.answer["downgrade"]["state"]
            variables["DOWNGRADE"] = body["downgrade"]["id"]


def test_the_page_names_each_endpoint_with_its_scope() -> None:
    rows = re.findall(r"^\| `.*` \| `\w+` \|", PAGE, re.MULTILINE)
    named = {
        (verb, path): row.rsplit("`", 2)[1]
        for row in rows
        for verb, path in re.findall(r"(GET|POST) ([\w/{}]+)`", row)
    }
    needed = {
        (method.upper(), re.sub(r"{\w+}", "{id}", path.removeprefix("/api/v1/"))): NEEDED[name]
        for name, (method, path) in OPERATIONS.items()
        if "downgrade" in name or name == "classify_memory"
    }
    assert named == needed
