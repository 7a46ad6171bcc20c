"""What other memories and chats export comes in as turns, with words, roles and clocks, and once."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from candor import Candor
from candor.cli import imports
from candor.cli.session import FOUND_FAULTS, OK, USAGE
from candor.imports import FORMATS, Ledger, Turn, Unread
from memories.models import Capture
from tenants.scope import Viewer, pipeline_viewer, tenant_scope, unit_of_work
from tests.client.shell import Run

pytestmark = pytest.mark.spec("I-03")

CHATGPT = [
    {
        "id": "c1", "title": "Move", "create_time": 1771000000.0, "current_node": "d",
        "mapping": {
            "root": {"message": None, "parent": None},
            "s": {"parent": "root", "message": {"author": {"role": "system"}, "content": {"parts": ["Be."]}}},
            "a": {"parent": "s", "message": {"author": {"role": "user"}, "create_time": 1771000001.5,
                  "content": {"content_type": "text", "parts": ["I move to Porto in May."]}}},
            "edited": {"parent": "a", "message": {"author": {"role": "user"}, "content": {"parts": ["No?"]}}},
            "h": {"parent": "a", "message": {"author": {"role": "user"}, "content": {"parts": ["hidden"]},
                  "metadata": {"is_visually_hidden_from_conversation": True}}},
            "b": {"parent": "h", "message": {"author": {"role": "assistant"}, "create_time": None,
                  "content": {"parts": ["Good.", {"asset_pointer": "x"}, "Shall I look for flats?"]}}},
            "c": {"parent": "b", "message": {"author": {"role": "tool"}, "create_time": 1771000003,
                  "content": {"content_type": "execution_output", "text": "3 flats found"}}},
            "d": {"parent": "c", "message": {"author": {"role": "assistant"}, "content": {"parts": [""]}}},
        },
    },
    {"id": "c2"},
    {"id": "c3", "current_node": "x", "mapping": {"x": {"parent": "y"}, "y": {"parent": "x"}}},
]  # fmt: skip
AT_FIVE = "2026-03-01T09:00:05+00:00"
CLAUDE = [
    {
        "uuid": "u1",
        "chat_messages": [
            {"sender": "human", "created_at": "2026-03-01T09:00:00Z", "text": "old form",
             "content": [{"type": "text", "text": "My bike is red."}]},
            {"sender": "assistant", "created_at": AT_FIVE, "text": "A Brompton?", "content": []},
            {"sender": "robot", "text": "?"},
        ],
    }
]  # fmt: skip
MEM0 = {
    "results": [
        {"id": "m1", "memory": "Allergic to penicillin", "user_id": "rui",
         "created_at": "2026-01-02T03:04:05-08:00", "metadata": {"source": "intake"}},
        {"id": "m2", "memory": "Likes tea", "user_id": "with blank"},
        {"id": "m3", "memory": " "},
        "m4",
    ]
}  # fmt: skip
GRAPH = [
    {"type": "entity", "name": "Kubernetes", "entityType": "tool",
     "observations": ["runs on three nodes", "kubernetes was upgraded in May", 7]},
    {"type": "relation", "from": "Rui", "to": "Kubernetes", "relationType": "looks_after"},
    {"type": "note"},
]  # fmt: skip


def read(name: str, path: Path) -> tuple[list[dict[str, Any]], int]:
    found = list(FORMATS[name](path))
    return [dict(one.capture) for one in found if isinstance(one, Turn)], sum(
        isinstance(one, Unread) for one in found
    )


def as_lines(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def as_json(path: Path, told: Any) -> Path:
    path.write_text(json.dumps(told, ensure_ascii=False), "utf-8")
    return path


def captures(tenant: Viewer) -> list[Capture]:
    with tenant_scope(pipeline_viewer(tenant.tenant_id)), unit_of_work():
        return list(Capture.objects.order_by("id"))


def test_chatgpt_is_read_on_the_branch_that_was_shown_with_its_clocks(tmp_path: Path) -> None:
    turns, unread = read("chatgpt", as_json(tmp_path / "conversations.json", CHATGPT))

    assert unread == 1
    assert turns == [
        {"text": "I move to Porto in May.", "role": "user", "session": "chatgpt:c1",
         "clock": "2026-02-13T16:26:41.500000+00:00"},
        {"text": "Good.\nShall I look for flats?", "role": "assistant", "session": "chatgpt:c1",
         "clock": "2026-02-13T16:26:40+00:00"},
        {"text": "3 flats found", "role": "tool", "session": "chatgpt:c1",
         "clock": "2026-02-13T16:26:43+00:00"},
    ]  # fmt: skip
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as packed:
        packed.write(tmp_path / "conversations.json", "export/conversations.json")
    assert read("chatgpt", tmp_path / "export.zip")[0] == read("chatgpt", tmp_path)[0] == turns


def test_claude_mem0_and_a_graph_are_read(tmp_path: Path) -> None:
    assert read("claude", as_json(tmp_path / "claude.json", CLAUDE)) == ([
        {"text": "My bike is red.", "role": "user", "session": "claude:u1",
         "clock": "2026-03-01T09:00:00+00:00"},
        {"text": "A Brompton?", "role": "assistant", "session": "claude:u1", "clock": AT_FIVE},
    ], 1)  # fmt: skip
    mem0 = [
        {"text": "Allergic to penicillin", "role": "tool", "verbatim": True, "person": "rui",
         "clock": "2026-01-02T03:04:05-08:00",
         "metadata": {"mem0": {"id": "m1", "user_id": "rui", "metadata": {"source": "intake"}}}},
        {"text": "Likes tea", "role": "tool", "verbatim": True,
         "metadata": {"mem0": {"id": "m2", "user_id": "with blank"}}},
    ]  # fmt: skip
    assert read("mem0", as_json(tmp_path / "mem0.json", MEM0)) == (mem0, 2)
    assert read("mem0", as_lines(tmp_path / "mem0.jsonl", MEM0["results"])) == (mem0, 2)
    graph, unread = read("mcp-memory", as_lines(tmp_path / "memory.jsonl", GRAPH))
    assert unread == 2
    assert [one["text"] for one in graph] == [
        "Kubernetes: runs on three nodes", "kubernetes was upgraded in May", "Rui looks after Kubernetes.",
    ]  # fmt: skip
    assert {one["role"] for one in graph} == {"tool"}


@pytest.mark.spec("K-13")
def test_what_another_memory_held_comes_in_with_its_clock_and_for_its_person(
    candor: Run,
    ada: Viewer,
    tmp_path: Path,
) -> None:
    file = as_json(tmp_path / "mem0.json", MEM0)

    looked = candor("import", str(file), "--from", "mem0", "--dry-run", "--json")
    assert (looked.code, looked.json["turns"], len(looked.json["unread"])) == (OK, 2, 2)
    assert captures(ada) == []
    done = candor("import", str(file), "--from", "mem0", "--json")

    assert (done.code, done.json["kept"], done.json["failed"]) == (FOUND_FAULTS, 2, 2)
    first, second = captures(ada)
    assert (first.text, first.role, first.person, first.verbatim) == (
        "Allergic to penicillin",
        "tool",
        "rui",
        True,
    )
    assert first.clock.isoformat() == "2026-01-02T11:04:05+00:00"
    assert second.person == ""


def test_it_goes_on_where_it_was_cut_short_and_nothing_is_twice(
    candor: Run,
    ada: Viewer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [{"role": "user", "text": f"Depot {number} opens at six.", "session": "s"} for number in range(25)]
    file = as_lines(tmp_path / "chat.jsonl", [*rows[:10], {"role": "user"}, *rows[10:]])
    monkeypatch.setattr(imports, "PORTION", 4)
    sent: list[int] = []
    real = Candor.create_captures

    def cut(client: Candor) -> Callable[..., Any]:
        def send(captures: Any) -> Any:
            answer = real.__get__(client, Candor)(captures)
            sent.append(len(captures))
            if len(sent) == 3:
                raise KeyboardInterrupt  # it was taken, and nobody noted it
            return answer

        return send

    monkeypatch.setattr(Candor, "create_captures", property(cut))
    assert candor("import", str(file)).code != OK
    assert len(captures(ada)) == 11
    assert len(Ledger(tmp_path / "chat.jsonl.imported").done) == 8
    with (tmp_path / "chat.jsonl.imported").open("a") as ledger:
        ledger.write("import-torn")

    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for name in ("chat.jsonl", "chat.jsonl.imported"):
        (tmp_path / name).rename(moved / name)
    again = candor("import", str(moved / "chat.jsonl"), "--json")

    assert [row.text for row in captures(ada)] == [row["text"] for row in rows]
    assert (again.json["kept"], again.json["failed"]) == (25, 1)
    assert again.json["items"][10]["error"].endswith("is needed")
    assert sum(item["state"] == imports.BEFORE for item in again.json["items"]) == 8
    before = len(sent)
    third = candor("import", str(moved / "chat.jsonl"), "--json")
    assert {item["state"] for item in third.json["items"]} == {imports.BEFORE, None}
    assert len(sent) == before


def test_what_the_service_is_too_busy_for_is_sent_again(
    candor: Run,
    ada: Viewer,
    tmp_path: Path,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = as_lines(
        tmp_path / "chat.jsonl", [{"role": "user", "text": f"Gate {one} is shut."} for one in range(5)]
    )
    settings.TENANT_BACKLOG = 2
    pauses: list[float] = []

    def work(seconds: float) -> None:
        pauses.append(seconds)
        with tenant_scope(pipeline_viewer(ada.tenant_id)), unit_of_work():
            Capture.objects.filter(state="pending").update(state="discarded")

    monkeypatch.setattr(imports.time, "sleep", work)

    done = candor("import", str(file), "--json")

    assert (done.code, done.json["kept"]) == (OK, 5)
    assert len(captures(ada)) == 5
    assert pauses
    assert min(pauses) >= 1.0


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("chatgpt", "{}", "no list of conversations"),
        ("claude", "{", "conversations.json"),
        ("mem0", '{"results": 7}', "no list of memories"),
        ("honcho", "[]", "is none of jsonl"),
    ],
)
def test_a_file_of_another_kind_says_so(
    candor: Run,
    tmp_path: Path,
    name: str,
    text: str,
    says: str,
) -> None:
    file = tmp_path / "file.json"
    file.write_text(text)

    done = candor("import", str(file), "--from", name)

    assert done.code == USAGE
    assert says in " ".join(done.err.split())
