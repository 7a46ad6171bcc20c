"""The context layer: named by the caller, else read; it lifts and never hides (SPEC T-10)."""

from typing import Any

import pytest

from memories.ingestion import notify
from tenants.scope import Viewer
from tests.http.conftest import caller, errors
from tests.http.saying import recall, rows_of, say

pytestmark = pytest.mark.spec("T-10")

PERSONAL = "The harbour gym opens at six."
WORK = "The harbour desk opens at seven."
SOCIAL = "The harbour choir meets at eight."
QUESTION = "When does the harbour open?"


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hint be tried: here nobody works the queue but the tests themselves."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))


def layers(tenant: Viewer, text: str, **more: Any) -> list[str]:
    """Say it, and return the layers of the rows that it became."""
    return [row["layer"] for row in rows_of(tenant, say(tenant, text, **more))]


@pytest.mark.parametrize("layer", ["personal", "work", "social"])
def test_the_layer_that_a_caller_names_is_that_of_all_that_is_made_of_it(ada: Viewer, layer: str) -> None:
    said = say(ada, "I live in Porto. The staging server runs on Debian.", layer=layer)

    assert said["layer"] == layer
    rows = rows_of(ada, said)
    assert len(rows) == 2
    assert {row["layer"] for row in rows} == {layer}


@pytest.mark.parametrize(
    ("text", "more", "layer"),
    [
        ("I live in Porto.", {}, "personal"),
        ("I live in Porto.", {"speaker": ""}, "personal"),
        ("I live in Porto.", {"speaker": "", "session": ""}, "personal"),
        ("I live in Porto.", {"speaker": "", "person": "vera"}, "personal"),
        ("我住在上海。", {}, "personal"),
        ("I prefer green tea.", {}, "personal"),
        ("Tomas lives in Porto.", {}, "work"),
        ("The staging server runs on Debian.", {}, "work"),
        ("The staging server runs on Debian.", {"speaker": "", "person": "vera"}, "work"),
        ("Do I live in Porto?", {}, "work"),
        ("Please send the invoices on Friday.", {}, "work"),
        ("I live in Porto.", {"role": "assistant"}, "work"),
    ],
)
def test_what_a_user_tells_of_themselves_is_personal_and_all_else_is_work(
    ada: Viewer, text: str, more: dict[str, Any], layer: str
) -> None:
    assert layers(ada, text, **more) == [layer]


def test_what_another_is_said_to_like_is_not_the_speakers(ada: Viewer) -> None:
    assert layers(ada, "Tomas prefers green tea.") == ["work"]


def test_a_dry_run_tells_the_layer_and_the_trace_how_many_rows_are_of_it(ada: Viewer) -> None:
    body = {"text": "I live in Porto.", "role": "user", "speaker": "Ines"}

    tried = caller(ada).post("captures?dry_run=true", body).json()
    named = caller(ada).post("captures?dry_run=true", {**body, "layer": "social"}).json()

    assert [one["layer"] for one in tried["memories"]] == ["personal"]
    assert [one["layer"] for one in named["memories"]] == ["social"]
    [read] = [step for step in tried["trace"] if step["step"] == "read"]
    assert read["layers"] == {"personal": 1}


def test_a_layer_that_there_is_none_of_is_refused(ada: Viewer) -> None:
    refused = caller(ada).post("captures", {"text": "I live in Porto.", "role": "user", "layer": "private"})

    assert refused.status_code == 400
    assert set(errors(refused)) == {"layer"}


def test_another_layer_under_one_idempotency_key_is_another_request(ada: Viewer) -> None:
    one = caller(ada)
    body = {"text": "I live in Porto.", "role": "user"}

    first = one.post("captures", body, Idempotency_Key="k")
    again = one.post("captures", body, Idempotency_Key="k")
    other = one.post("captures", {**body, "layer": "social"}, Idempotency_Key="k")

    assert first.json()["id"] == again.json()["id"]
    assert other.status_code == 422


def test_what_is_stored_keeps_its_layer_when_it_is_said_again_in_another(ada: Viewer) -> None:
    [first] = rows_of(ada, say(ada, PERSONAL, layer="personal"))
    [again] = rows_of(ada, say(ada, PERSONAL, layer="work"))

    assert (again["id"], again["layer"]) == (first["id"], "personal")


def test_a_recall_lifts_the_layer_it_names_and_hides_none(ada: Viewer) -> None:
    for text, layer in ((PERSONAL, "personal"), (WORK, "work"), (SOCIAL, "social")):
        say(ada, text, layer=layer)
    unnamed = recall(ada, QUESTION, explain=True)

    assert {row["content"] for row in unnamed} == {PERSONAL, WORK, SOCIAL}
    assert {row["explain"]["layer"] for row in unnamed} == {1.0}
    for text, layer in ((PERSONAL, "personal"), (WORK, "work"), (SOCIAL, "social")):
        found = recall(ada, QUESTION, layer=layer, explain=True)
        assert {row["content"] for row in found} == {PERSONAL, WORK, SOCIAL}
        assert {row["content"]: row["explain"]["layer"] for row in found} == {
            one: 1.05 if one == text else 1.0 for one in (PERSONAL, WORK, SOCIAL)
        }
