"""Free metadata of memories and documents: kept, shown, redacted, bounded, and forgotten (SPEC M-03)."""

from typing import Any

import pytest

from tenants.scope import Viewer
from tests.http.conftest import Caller, caller, errors
from tests.http.erasing import scan
from tests.http.test_forget import alone, forget_whole

pytestmark = pytest.mark.spec("M-03")

__all__ = ["alone"]

FACTS: dict[str, Any] = {"ticket": "OPS-7", "outcome": 0.9, "parts": ["pump", {"torque": 12, "名": "«x»"}]}


def keep(one: Caller, path: str, metadata: Any) -> Any:
    if path == "memories":
        body = {"content": "Root cause: the pump failed because its seal was torn.", "kind": "finding"}
    else:
        body = {"title": "Pumps", "text": "The pump of dock four is inspected every spring by two people."}
    return one.post(path, body | {"metadata": metadata})


def shown(one: Caller, path: str, answer: Any) -> Any:
    body = answer.json()
    return one.get(f"{path}/{body['memory']['id'] if path == 'memories' else body['id']}").json()


@pytest.mark.parametrize("path", ["memories", "documents"])
def test_what_a_client_keeps_beside_a_text_is_shown_as_it_was_sent(ada: Viewer, path: str) -> None:
    person = caller(ada)

    answer = keep(person, path, FACTS)

    assert answer.status_code in (200, 201, 202), answer.content
    assert shown(person, path, answer)["metadata"] == FACTS


@pytest.mark.spec("W-07")
@pytest.mark.parametrize("path", ["memories", "documents"])
def test_a_secret_in_metadata_is_stored_nowhere(ada: Viewer, path: str) -> None:
    person = caller(ada)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2

    answer = keep(person, path, {"notes": [{"key": f"token {secret[:40]}"}]})

    assert answer.status_code in (200, 201, 202)
    assert scan(secret[:40]) == {}


@pytest.mark.spec("S-07")
@pytest.mark.parametrize("path", ["memories", "documents"])
def test_metadata_is_an_object_of_so_many_characters(ada: Viewer, path: str) -> None:
    person = caller(ada)

    for wrong in ([1], "text", {"long": "x" * 10_001}):
        assert "metadata" in errors(keep(person, path, wrong))
    deep: Any = {}
    for _ in range(30):
        deep = {"in": deep}
    assert keep(person, path, deep).status_code == 400


@pytest.mark.parametrize("name", ["said_again", "novelty", "timezone"])
def test_what_the_service_notes_for_itself_may_not_be_sent(ada: Viewer, name: str) -> None:
    person = caller(ada)

    assert "metadata" in errors(keep(person, "memories", {name: "Mars/Olympus"}))
    assert person.get("memories").json()["results"] == []


@pytest.mark.spec("S-05")
def test_metadata_is_forgotten_with_its_memory(ada: Viewer) -> None:
    person = caller(ada)
    memory = keep(person, "memories", {"ticket": "Zomblitar-9"}).json()["memory"]["id"]
    assert "memory" in scan("Zomblitar-9")

    forget_whole(person, memory, reason="asked by letter")

    assert scan("Zomblitar-9") == {}
