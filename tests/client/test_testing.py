"""The recording fake that users of the client test with."""

import asyncio
from datetime import UTC, datetime

import pytest

from candor import BadRequest, File, InvalidArguments, NotFound
from candor.requests import OPERATIONS
from candor.testing import RecordingCandor, example


def test_calls_are_kept_and_answered_as_told() -> None:
    service = RecordingCandor()
    service.answers("recall", results=[{"content": "Rui lives in Porto."}])
    client = service.client()

    answer = client.recall("Where does Rui live?", k=3)
    client.report_uses(recall=answer.recall_id, helpful=[answer.results[0].id])
    client.list_memories(kind=["profile", "finding"], limit=5)
    client.get_memory("019e8292-06d1-7b33-a10c-1f4c2de6a9d4", person="rui")

    assert answer.results[0].content == "Rui lives in Porto."
    assert [call.operation for call in service.calls] == [
        "recall",
        "report_uses",
        "list_memories",
        "get_memory",
    ]
    assert service.calls[0].arguments == {"query": "Where does Rui live?", "k": 3}
    assert service.calls[2].arguments == {"kind": ["profile", "finding"], "limit": "5"}
    assert service.asked("get_memory")[0].headers["candor-person"] == "rui"


def test_a_file_is_kept_as_it_was_given_with_what_is_said_of_it() -> None:
    service = RecordingCandor()
    sent = File('a "new" notice.pdf', b"%PDF-1.7\r\n--x\r\n\x00\xff")
    service.client().upload_document(
        sent,
        tags=["one", "two"],
        shared=True,
        metadata={"sheet": [4]},
        occurred_at=datetime(2026, 2, 1, tzinfo=UTC),
    )
    told = service.calls[-1].arguments
    assert told["file"].content == sent.content
    assert told["file"].name == "a %22new%22 notice.pdf"
    assert (told["tags"], told["shared"], told["metadata"]) == (["one", "two"], "true", '{"sheet": [4]}')
    assert told["occurred_at"] == "2026-02-01T00:00:00+00:00"


def test_the_client_that_is_awaited_has_the_same_fake() -> None:
    service = RecordingCandor()
    service.answers("get_capture", once=True, state="pending")
    service.answers("get_capture", state="stored")

    async def run() -> str:
        async with service.async_client() as client:
            taken = await client.capture("x", "user")
            return str((await client.wait(taken)).state)

    assert asyncio.run(run()) == "stored"
    assert len(service.asked("get_capture")) == 2


def test_failures_are_told_too() -> None:
    service = RecordingCandor()
    service.fails("get_memory", 404)
    service.fails("create_capture", 400, once=True, errors=[{"field": "text", "message": "too long"}])
    client = service.client()

    with pytest.raises(NotFound):
        client.get_memory("019e8292-06d1-7b33-a10c-1f4c2de6a9d4")
    with pytest.raises(BadRequest) as refused:
        client.capture("x", "user")
    assert refused.value.errors[0].field == "text"
    assert client.capture("x", "user").state == "pending"


def test_what_the_service_would_not_know_is_an_error_here() -> None:
    service = RecordingCandor()

    with pytest.raises(KeyError):
        service.answers("recal")
    with pytest.raises(ValueError, match="colour"):
        service.answers("recall", colour="red")
    with pytest.raises(InvalidArguments):
        service.client().capture("x", "robot")  # type: ignore[arg-type]
    assert service.calls == []


def test_every_operation_has_a_smallest_answer() -> None:
    made = 0
    for operation in OPERATIONS.values():
        for model in operation.answers.values():
            if model is not None and model is not str:
                assert set(example(model)) == {
                    name for name, field in model.model_fields.items() if field.is_required()
                }
                made += 1
    assert made > 80
