"""What cognee's archives, Zep's graphs and Letta's agents hold comes in, with roles, clocks and persons."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from candor.cli.session import FOUND_FAULTS, USAGE
from candor.imports import FORMATS, Turn, Unread
from tests.client.shell import Run

pytestmark = pytest.mark.spec("I-03")

SAID = "2026-01-02T03:04:05Z"
OF_RUI = {"user_id": "rui", "session_id": "chat-1"}
COGX = {
    "manifest.json": {"cogx_version": "0.1", "source_system": "mem0"},
    "entities.jsonl": [
        {"kind": "entity", "external_id": "e1", "name": "Rui Costa", "description": "Drives tram 18."},
        {"kind": "entity", "external_id": "e2", "name": "Porto"},
    ],
    "episodes.jsonl": [
        {"kind": "episode", "external_id": "t1", "scope": OF_RUI, "created_at": SAID, "turns": [
            {"role": "user", "content": "I moved to Porto.", "occurred_at": "2026-01-02T03:00:00Z"},
            {"role": "assistant", "content": "Noted: you live in Porto."},
            {"role": "tool", "content": "3 flats found"},
            {"role": "user", "content": " "},
        ]},
    ],
    "memories.jsonl": [
        {"kind": "memory", "external_id": "m1", "content": "Is allergic to nuts", "scope": {"user_id": "rui"},
         "created_at": "2026-02-01T00:00:00Z"},
    ],
    "memory_blocks.jsonl": [
        {"kind": "memory_block", "external_id": "b1", "label": "human", "value": "Likes tea."},
    ],
    "documents.jsonl": [{"kind": "document", "external_id": "d1", "content": "The depot opens at six."}],
    "facts.jsonl": [
        {"kind": "fact", "external_id": "f1", "subject_ref": "e1", "predicate": "lives_in",
         "object_ref": "e2", "valid_at": "2026-01-02T00:00:00Z"},
        {"kind": "fact", "external_id": "f2", "subject_ref": "e1", "predicate": "lives_in",
         "object_ref": "Faro", "invalid_at": "2026-01-01T00:00:00Z"},
        {"kind": "raw_node"},
        {"kind": "fact", "external_id": "f3", "subject_ref": "e1"},
    ],
}  # fmt: skip
ZEP = {
    "nodes": [{"uuid": "n1", "name": "Rui", "summary": "Rui eats no fish."}, {"uuid": "n2", "name": " "}],
    "episodes": [
        {"uuid": "p1", "content": "I eat no fish.", "role": "user", "user_id": "rui", "group_id": "g1",
         "created_at": SAID},
        {"uuid": "p2"},
    ],
    "edges": [
        {"uuid": "x1", "source_node_uuid": "n1", "target_node_uuid": "n9", "name": "AVOIDS",
         "fact": "Rui avoids fish.", "valid_at": SAID},
        {"uuid": "x2", "source": "n1", "target": "fish", "name": "EATS", "expired_at": SAID},
    ],
}  # fmt: skip
LETTA = {
    "blocks": [{"id": "b1", "label": "human", "value": "Name: Rui"}],
    "agents": [
        {"name": "atlas", "block_ids": ["b1", "b7"], "messages": [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": [{"type": "text", "text": "I live in Porto."}], "created_at": SAID},
            {"role": "assistant", "content": None, "text": "Noted."},
        ], "passages": [{"id": "s1", "text": "The tram runs every ten minutes."}]},
    ],
}  # fmt: skip


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    folder.mkdir()
    for name, records in COGX.items():
        rows = records if isinstance(records, list) else [records]
        lines = [json.dumps(one) for one in rows]
        (folder / name).write_text("\n".join(lines), "utf-8")
    return folder


def read(format_: str, path: Path) -> tuple[list[dict[str, Any]], list[str]]:
    read_ = list(FORMATS[format_](path))
    return (
        [dict(one.capture) for one in read_ if isinstance(one, Turn)],
        [one.why for one in read_ if isinstance(one, Unread)],
    )


def told(turn: dict[str, Any]) -> tuple[Any, ...]:
    return turn["role"], turn["text"], turn.get("clock"), turn.get("session")


def test_an_archive_of_cognee_is_read_by_its_folder_or_its_manifest(archive: Path) -> None:
    turns, unread = read("cogx", archive)

    rui = {"person": "rui"}
    tools = {"role": "tool", "verbatim": True}
    assert turns == [
        {"text": "Rui Costa: Drives tram 18.", **tools, "metadata": {"cogx": {"id": "e1"}}},
        {"text": "The depot opens at six.", **tools, "metadata": {"cogx": {"id": "d1"}}},
        {"text": "I moved to Porto.", "role": "user", **rui, "session": "chat-1",
         "clock": "2026-01-02T03:00:00+00:00"},
        {"text": "Noted: you live in Porto.", "role": "assistant", **rui, "session": "chat-1",
         "clock": "2026-01-02T03:04:05+00:00"},
        {"text": "3 flats found", "role": "tool", **rui, "session": "chat-1",
         "clock": "2026-01-02T03:04:05+00:00"},
        {"text": "Is allergic to nuts", **tools, **rui, "clock": "2026-02-01T00:00:00+00:00",
         "metadata": {"cogx": {"id": "m1"}}},
        {"text": "human: Likes tea.", **tools, "metadata": {"cogx": {"id": "b1"}}},
        {"text": "Rui Costa lives in Porto.", **tools, "clock": "2026-01-02T00:00:00+00:00",
         "metadata": {"cogx": {"id": "f1"}}},
    ]  # fmt: skip
    assert unread == [
        "has no text", "held until 2026-01-01T00:00:00+00:00", "is of no kind that is known: «raw_node»",
        "has no text",
    ]  # fmt: skip
    assert read("cogx", archive / "manifest.json")[0] == turns


def test_a_graph_of_zep_and_an_agent_of_letta_are_read(tmp_path: Path) -> None:
    for name, export in (("zep.json", ZEP), ("atlas.af", LETTA)):
        (tmp_path / name).write_text(json.dumps(export), "utf-8")
    at = "2026-01-02T03:04:05+00:00"

    turns, unread = read("zep", tmp_path / "zep.json")
    assert [(*told(one), one.get("person")) for one in turns] == [
        ("tool", "Rui eats no fish.", None, None, None),
        ("user", "I eat no fish.", at, "g1", "rui"),
        ("tool", "Rui avoids fish.", at, None, None),
    ]  # fmt: skip
    assert unread == ["has no name", "has no text", f"held until {at}"]

    turns, unread = read("letta", tmp_path / "atlas.af")
    assert [told(one) for one in turns] == [
        ("tool", "human: Name: Rui", None, None),
        ("user", "I live in Porto.", at, "letta atlas"),
        ("assistant", "Noted.", None, "letta atlas"),
        ("tool", "The tram runs every ten minutes.", None, None),
    ]  # fmt: skip
    assert unread == []


def test_a_bank_of_hindsight_comes_as_what_was_retained(tmp_path: Path) -> None:
    long = "".join(f"The tram of line {number} leaves the depot at six.\n" for number in range(600))
    retained = {"event_date": SAID, "context": "stand-up", "content": "left out"}
    documents = [
        {"id": "talk-1", "original_text": "Rui lives in Porto. He eats no fish.", "retain_params": retained,
         "created_at": "2026-05-01T00:00:00Z", "tags": ["rui"], "chunks": [], "facts": [
            {"text": "Rui lives in Porto.", "fact_type": "world"}]},
        {"id": "b", "original_text": None, "retain_params": None, "created_at": SAID, "facts": [
            {"text": "Rui plays the cello.", "fact_type": "world", "mentioned_at": "2026-03-01T00:00:00Z"},
            {"text": " "}]},
        {"id": "c", "original_text": "", "facts": []},
        {"id": "d", "original_text": long, "created_at": SAID},
    ]  # fmt: skip
    bank = tmp_path / "rui.zip"
    with zipfile.ZipFile(bank, "w") as packed:
        for number, document in enumerate(documents):
            packed.writestr(f"documents/{number:06d}.json", json.dumps(document))
        packed.writestr("documents/000009.json", "{torn")
        packed.writestr("observations.json", json.dumps([{"text": "Rui is a musician."}]))
        packed.writestr("manifest.json", json.dumps({"schema_version": 1, "source_bank_id": "rui"}))

    turns, unread = read("hindsight", bank)

    at = "2026-01-02T03:04:05+00:00"
    note = {"bank": "rui", "document": "talk-1", "tags": ["rui"], "context": "stand-up"}
    assert turns[:2] == [
        {"text": "Rui lives in Porto. He eats no fish.", "role": "tool", "clock": at,
         "session": "hindsight:rui:talk-1", "metadata": {"hindsight": note}},
        {"text": "Rui plays the cello.", "role": "tool", "verbatim": True,
         "clock": "2026-03-01T00:00:00+00:00", "session": "hindsight:rui:b",
         "metadata": {"hindsight": {"bank": "rui", "document": "b"}}},
    ]  # fmt: skip
    assert len(turns) == 4
    assert "".join(turn["text"] for turn in turns[2:]) == long
    assert [why.partition(":")[0] for why in unread] == ["has no text and no fact", "cannot be read"]


@pytest.mark.parametrize(
    ("manifest", "why"),
    [
        (None, "no transfer of Hindsight"),
        ({"schema_version": 2, "source_bank_id": "rui"}, "schema 2"),
        ([], "no transfer of Hindsight"),
    ],
)
def test_what_is_no_bank_of_hindsight_is_refused(
    tmp_path: Path, candor: Run, manifest: Any, why: str
) -> None:
    with zipfile.ZipFile(tmp_path / "bank.zip", "w") as packed:
        packed.writestr("other.txt" if manifest is None else "manifest.json", json.dumps(manifest))
    (tmp_path / "torn.zip").write_bytes(b"PK\x03\x04")

    done = candor("import", str(tmp_path / "bank.zip"), "--from", "hindsight")
    torn = candor("import", str(tmp_path / "torn.zip"), "--from", "hindsight")

    assert (done.code, torn.code) == (USAGE, USAGE)
    assert why in done.err
    assert "no zip file" in torn.err


def test_a_long_document_of_an_archive_comes_in_parts(archive: Path) -> None:
    long = "The depot opens at six.\n" * 1_000
    (archive / "documents.jsonl").write_text(json.dumps({"kind": "document", "content": long}), "utf-8")

    turns, _ = read("cogx", archive)

    parts = [turn["text"] for turn in turns if turn["text"].startswith("The depot")]
    assert (len(parts), "".join(parts)) == (2, long)


def test_it_comes_in_by_the_command_and_what_is_none_is_refused(
    archive: Path, tmp_path: Path, candor: Run
) -> None:
    done = candor("import", str(archive), "--from", "cogx", "--json")
    again = candor("import", str(archive), "--from", "cogx", "--json")
    assert done.out.count('"pending"') == 8, done.out
    assert again.out.count('"here before"') == 8, again.out

    (archive / "manifest.json").write_text('{"cogx_version": "1.0"}')
    newer = candor("import", str(archive), "--from", "cogx")
    nothing = candor("import", str(tmp_path), "--from", "cogx")
    (tmp_path / "list.json").write_text("[]")
    no_object = candor("import", str(tmp_path / "list.json"), "--from", "zep")
    assert [one.code for one in (newer, nothing, no_object)] == [USAGE] * 3
    assert "version 1.0" in newer.err
    assert "no COGX archive" in nothing.err
    assert "no JSON object" in no_object.err
    assert done.code == again.code == FOUND_FAULTS


def test_memories_go_out_as_an_archive_and_come_in_again(
    tmp_path: Path, candor: Run, worker: None, connect: Any, ada: Any
) -> None:
    client = connect(ada)
    for text, more in (
        ("The budget of the Graz office is 40000 euros.", {}),
        ("Likes tea.", {"person": "rui"}),
    ):
        client.wait(client.capture(text, "user", session="s", **more), timeout=60)
    folder = tmp_path / "out"

    done = candor("export", "--cogx", str(folder), "--json")
    again = candor("export", "--cogx", str(folder))
    both = candor("export", "--cogx", str(tmp_path / "x"), "-o", str(tmp_path / "y"))

    assert done.json == {"folder": str(folder), "fact": 1, "memory": 1}
    [fact] = [json.loads(line) for line in (folder / "facts.jsonl").read_text("utf-8").split("\n") if line]
    assert (fact["subject_ref"], fact["predicate"], fact["fact_text"]) == (
        "graz office", "budget", "The budget of the Graz office is 40000 euros.",
    )  # fmt: skip
    assert json.loads((folder / "manifest.json").read_text("utf-8"))["counts"] == {"fact": 1, "memory": 1}
    assert (again.code, both.code) == (USAGE, USAGE)
    assert "is not empty" in again.err
    turns, unread = read("cogx", folder)
    assert sorted((one["text"], one.get("person")) for one in turns) == [
        ("Likes tea.", "rui"), ("The budget of the Graz office is 40000 euros.", None),
    ]  # fmt: skip
    assert unread == []
