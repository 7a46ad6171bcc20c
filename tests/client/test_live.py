"""The client against the real service over HTTP: what is written is what comes back."""

import asyncio
import re
import threading
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from candor import (
    AsyncCandor,
    BadRequest,
    Candor,
    Changed,
    FieldError,
    File,
    Forbidden,
    InvalidArguments,
    NotFound,
    NotModified,
    Refused,
    Unauthenticated,
    WaitTimedOut,
)
from tenants.scope import Viewer
from tests.files.making import make_pdf
from tests.http.conftest import key_of

Connect = Callable[..., Candor]
SAID = "We decided to keep ninety days of ride data, because the insurer asks for it."


@pytest.mark.spec("I-02")
def test_what_is_captured_is_waited_for_and_recalled(connect: Connect, ada: Viewer, worker: None) -> None:
    client = connect(ada)

    taken = client.capture(SAID, "user", speaker="Priya", session="guide", verbatim=True)
    said = client.wait(taken, timeout=10)
    answer = client.recall("How long do we keep ride data, and why?", k=3)
    context = client.context("How long do we keep ride data?", budget_tokens=500)
    story = client.why(answer.results[0].id)

    assert said.state == "stored"
    assert [result.content for result in answer.results] == [SAID]
    assert SAID in context.text
    assert story.memory.content == SAID
    assert story.capture is not None
    assert story.capture.text == SAID
    assert story.memory.id in said.memories


@pytest.mark.spec("I-02")
def test_both_clients_do_the_same(address: str, ada: Viewer, worker: None) -> None:
    key = key_of(ada)

    async def awaited() -> tuple[list[str], list[str]]:
        async with AsyncCandor(address, key) as client:
            sent = await client.capture_many(
                [{"text": f"The depot {place} opens at six.", "role": "user"} for place in ("Porto", "Braga")]
            )
            for one in sent:
                assert one.taken is not None
                await client.wait(one.taken, timeout=10)
            answer = await client.recall("When does the depot open?", k=5)
            listed = [memory.content async for memory in client.iter_memories(limit=1)]
            return [result.content for result in answer.results], listed

    recalled, listed = asyncio.run(awaited())
    with Candor(address, key) as client:
        answer = client.recall("When does the depot open?", k=5)
        assert [result.content for result in answer.results] == recalled
        assert [memory.content for memory in client.iter_memories()] == listed
    assert len(listed) == 2


@pytest.mark.spec("I-02")
def test_a_list_is_iterated_over_page_by_page(connect: Connect, ada: Viewer) -> None:
    client = connect(ada)
    names = [f"p{number}" for number in range(5)]
    for name in names:
        client.create_project(name, name)

    assert sorted(project.slug for project in client.iter_projects(limit=2)) == names
    assert len(list(islice(client.iter_projects(limit=1), 3))) == 3


@pytest.mark.spec("I-02")
def test_an_error_names_the_field_that_is_wrong(connect: Connect, ada: Viewer) -> None:
    client = connect(ada)

    with pytest.raises(BadRequest) as there:
        client.capture("x", "user", timezone="Mars/Olympus")
    with pytest.raises(InvalidArguments) as here:
        client.capture("x", "robot")  # type: ignore[arg-type]
    with pytest.raises(Refused) as gated:
        client.create_memory(content="ok", kind="finding")

    assert [error.field for error in there.value.errors] == ["timezone"]
    assert there.value.request_id
    assert [error.field for error in here.value.errors] == ["role"]
    assert gated.value.gate


@pytest.mark.spec("I-02")
def test_each_refusal_is_an_error_of_its_own(connect: Connect, ada: Viewer, address: str) -> None:
    reader = connect(ada, scopes=("read",))

    with pytest.raises(NotFound):
        reader.get_memory(uuid4())
    with pytest.raises(Forbidden):
        reader.recall("anything?")
    with pytest.raises(Unauthenticated), Candor(address, "cdr_" + "x" * 40) as stranger:
        stranger.list_memories()


@pytest.mark.spec("I-01")
def test_an_edit_is_refused_when_somebody_else_was_there(connect: Connect, ada: Viewer) -> None:
    client = connect(ada)
    made = client.create_memory(
        content="We found the root cause of the outage: the lease of the gateway expired at midnight.",
        kind="finding",
    ).memory
    read = client.get_memory(made.id)
    assert read.etag is not None

    with pytest.raises(NotModified):
        client.get_memory(made.id, if_none_match=read.etag)
    edited = client.edit_memory(made.id, if_match=read.etag, tags=["gateway"], reason="seen twice")
    with pytest.raises(Changed):
        client.edit_memory(made.id, if_match=read.etag, tags=["lease"], reason="late")

    assert edited.manual_tags == ["gateway"]


def test_what_is_not_worked_on_is_not_waited_for_longer_than_asked(connect: Connect, ada: Viewer) -> None:
    client = connect(ada)
    taken = client.capture("Nobody works this queue.", "user")

    with pytest.raises(WaitTimedOut):
        client.wait(taken, timeout=0.3)


@pytest.mark.spec("W-01")
def test_a_batch_tells_of_each_what_became_of_it(connect: Connect, ada: Viewer) -> None:
    client = connect(ada)
    told: list[tuple[int, int]] = []

    sent = client.capture_many(
        [
            {"text": "The east depot has no ramp.", "role": "user"},
            {"text": "", "role": "user"},
            {"text": "The west depot has one.", "role": "user", "colour": "red"},
            {"text": "The north depot is closed.", "role": "user"},
        ],
        width=2,
        progress=lambda done, of: told.append((done, of)),
    )

    assert [one.taken is not None for one in sent] == [True, False, False, True]
    assert isinstance(sent[1].error, BadRequest)
    assert sent[1].error.errors[0].field == "text"
    assert isinstance(sent[2].error, InvalidArguments)
    assert sent[2].error.errors == (FieldError("colour", "is no argument of a capture"),)
    assert told == [(2, 4), (4, 4)]
    assert len(list(client.iter_captures())) == 2


@pytest.mark.spec("I-02", "T-01")
def test_two_tenants_and_two_persons_see_nothing_of_each_other(
    connect: Connect, ada: Viewer, grace: Viewer, worker: None
) -> None:
    mine, theirs = connect(ada), connect(grace)
    rui, lena = mine.for_person("rui"), mine.for_person("lena")
    secret = "The vault code of the Lisbon office is kept in the blue binder."
    taken = rui.capture(secret, "user", wait=10)
    memory = rui.wait(taken).memories[0]

    assert "blue binder" in rui.context("Where is the vault code kept?").text
    for other in (lena, theirs, theirs.for_person("rui")):
        assert other.recall("Where is the vault code kept?").results == []
        assert "blue binder" not in other.context("Where is the vault code kept?").text
        assert list(other.iter_memories()) == list(other.iter_captures()) == []
        with pytest.raises(NotFound):
            other.get_memory(memory)
        with pytest.raises(NotFound):
            other.why(memory)
        with pytest.raises(NotFound):
            other.wait(taken)


@pytest.mark.spec("I-02", "I-04")
def test_events_are_followed_as_the_page_says(connect: Connect, ada: Viewer, worker: None) -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "events.md"
    [code] = re.findall(r"```python\n(def follow.*?)```", page.read_text(), re.DOTALL)
    written: dict[str, Any] = {}
    exec(code, written)
    client = connect(ada)
    followed = written["follow"](client)

    first = client.wait(client.capture(SAID, "user", session="guide"), timeout=10)
    heard = next(followed)
    later = threading.Timer(0.5, lambda: client.capture("The depot Porto opens at six.", "user"))
    later.start()
    rest = [next(event for event in followed if event.kind == "stored")]
    later.join()

    assert heard.memories[0] in first.memories
    assert rest[0].memories[0] not in first.memories


@pytest.mark.spec("M-11", "I-02")
def test_a_file_is_uploaded_and_one_that_cannot_be_read_says_why(
    connect: Connect, ada: Viewer, worker: None, tmp_path: Path
) -> None:
    client = connect(ada)
    path = tmp_path / "depot 南.pdf"
    path.write_bytes(make_pdf([["The ramp of the east depot bears four tonnes."]], title="Depots"))

    taken = client.upload_document(File.at(path), tags=["ramp", "east"], source="depots")
    document = client.wait_document(taken)

    assert (document.title, document.file_name, document.tags) == ("Depots", "depot 南.pdf", ["ramp", "east"])
    assert [one.text for one in client.iter_passages(document.id)] == [
        "The ramp of the east depot bears four tonnes."
    ]
    assert client.upload_document(File.at(path), source="depots").id == taken.id
    scanned = client.wait_document(client.upload_document(File("scan.pdf", make_pdf([[]]))))
    assert "text recognition" in scanned.refusal
    with pytest.raises(BadRequest, match="no kind"):
        client.upload_document(File("photo.png", b"\x89PNG\x00"))
