"""Free metadata of captures, memories, documents: kept, shown, redacted, bounded, forgotten (SPEC M-03)."""

import re
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memories.ingestion.capture import OWN_NOTES
from memories.models import Capture
from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.http.conftest import Caller, caller, errors
from tests.http.erasing import scan
from tests.http.test_forget import alone, forget_whole

pytestmark = pytest.mark.spec("M-03")

__all__ = ["alone"]

NOTES_READ = frozenset(
    name
    for folder in ("memories", "recall", "evolution")
    for path in (Path(__file__).parents[2] / folder / "sql").glob("*.sql")
    for name in re.findall(r"metadata\s*->>?\s*'(\w+)'", path.read_text(encoding="utf-8"))
)
"""Names under which a statement reads a row's metadata."""

FACTS: dict[str, Any] = {"ticket": "OPS-7", "outcome": 0.9, "parts": ["pump", {"torque": 12, "名": "«x»"}]}


def keep(one: Caller, path: str, metadata: Any) -> Any:
    if path == "memories":
        body = {"content": "Root cause: the pump failed because its seal was torn.", "kind": "finding"}
    elif path == "captures":
        body = {"text": "Root cause: the pump failed because its seal was torn.", "role": "user"}
    else:
        body = {"title": "Pumps", "text": "The pump of dock four is inspected every spring by two people."}
    return one.post(path, body | {"metadata": metadata})


def shown(one: Caller, path: str, answer: Any) -> Any:
    body = answer.json()
    return one.get(f"{path}/{body['memory']['id'] if path == 'memories' else body['id']}").json()


@pytest.mark.parametrize("path", ["captures", "memories", "documents"])
def test_what_a_client_keeps_beside_a_text_is_shown_as_it_was_sent(ada: Viewer, path: str) -> None:
    person = caller(ada)

    answer = keep(person, path, FACTS)

    assert answer.status_code in (200, 201, 202), answer.content
    assert shown(person, path, answer)["metadata"] == FACTS


@pytest.mark.spec("W-07")
@pytest.mark.parametrize("path", ["captures", "memories", "documents"])
def test_a_secret_in_metadata_is_stored_nowhere(ada: Viewer, path: str) -> None:
    person = caller(ada)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2

    answer = keep(person, path, {"notes": [{"key": f"token {secret[:40]}"}]})

    assert answer.status_code in (200, 201, 202)
    assert scan(secret[:40]) == {}


@pytest.mark.spec("S-07")
@pytest.mark.parametrize("path", ["captures", "memories", "documents"])
def test_metadata_is_an_object_of_so_many_characters(ada: Viewer, path: str) -> None:
    person = caller(ada)

    for wrong in ([1], "text", {"long": "x" * 10_001}):
        assert "metadata" in errors(keep(person, path, wrong))
    deep: Any = {}
    for _ in range(30):
        deep = {"in": deep}
    assert keep(person, path, deep).status_code == 400


@pytest.mark.parametrize("name", sorted(OWN_NOTES))
def test_what_the_service_notes_for_itself_may_not_be_sent(ada: Viewer, name: str) -> None:
    person = caller(ada)

    for path in ("captures", "memories"):
        assert "metadata" in errors(keep(person, path, {name: "Mars/Olympus"}))
    assert person.get("captures").json()["results"] == []
    assert person.get("memories").json()["results"] == []


@pytest.mark.spec("R-12", "S-07")
@pytest.mark.parametrize("name", sorted(NOTES_READ))
def test_no_metadata_makes_an_answer_fail(ada: Viewer, name: str) -> None:
    """Of before a name was refused, too: a word under `echo` emptied every recall that met its row."""
    person = caller(ada)
    odd: list[Any] = ["yes", "", "1e999", 10**30, -1, 0.5, True, None, ["a"], {"a": 1}]
    for number, value in enumerate(odd):
        body = {"text": f"The pump of dock {number} was inspected in spring.", "role": "user", "shared": True}
        capture = person.post("captures", body | {"session": f"dock {number}"}).json()["id"]
        with tenant_scope(ada):
            with unit_of_work():
                # A zone was never let be any other text.
                kept = {name: "UTC" if name == "timezone" else value}
                Capture.objects.filter(id=capture).update(metadata=kept)
            process_capture(UUID(capture), now=timezone.now())

    found = person.post("recall", {"query": "Which pump was inspected in spring?", "k": 20}).json()

    assert found["degraded"] == []
    assert len(found["results"]) + sum(len(one["restatements"]) for one in found["results"]) == len(odd)
    assert person.post("context", {"query": "Which pump was inspected?"}).status_code == 200


def test_what_the_service_reads_of_metadata_is_its_own_or_has_its_type_looked_at() -> None:
    assert not NOTES_READ - OWN_NOTES - {"outcome", "title"}


def test_what_is_made_of_a_capture_has_its_metadata_and_is_forgotten_with_it(ada: Viewer) -> None:
    person = caller(ada)
    capture = keep(person, "captures", {"ticket": "Zomblitar-9"}).json()["id"]
    with tenant_scope(ada):
        process_capture(UUID(capture), now=timezone.now())
    memories = person.get(f"captures/{capture}").json()["memories"]

    assert [person.get(f"memories/{one}").json()["metadata"] for one in memories] == [
        {"ticket": "Zomblitar-9"}
    ]

    forget_whole(person, memories[0], reason="asked by letter")

    assert scan("Zomblitar-9") == {}


def test_the_same_key_with_other_metadata_is_another_request(ada: Viewer) -> None:
    person = caller(ada)
    body = {"text": "The pump of dock four is inspected by two people.", "role": "user"}
    answers = [
        person.post("captures", body | more, Idempotency_Key="once")
        for more in ({"metadata": FACTS}, {"metadata": FACTS}, {})
    ]

    assert [answer.status_code for answer in answers] == [202, 202, 422]


@pytest.mark.spec("S-05")
def test_metadata_is_forgotten_with_its_memory(ada: Viewer) -> None:
    person = caller(ada)
    memory = keep(person, "memories", {"ticket": "Zomblitar-9"}).json()["memory"]["id"]
    assert "memory" in scan("Zomblitar-9")

    forget_whole(person, memory, reason="asked by letter")

    assert scan("Zomblitar-9") == {}
