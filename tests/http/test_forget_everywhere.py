"""
What is forgotten is in no table, no cache, no log and no file: a scan of the bytes (SPEC S-05).

One word is planted wherever a client may put a text; what is made of it is derived; then it is forgotten by
the public door. Each step of forgetting is left out once: the scan must find what it left. What stays by
decision (names of sessions and speakers, keys of repetition) has a word of its own: docs/erasure.md.
"""

import logging
import os
import time
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.core.cache import cache
from django.db import connections

from evolution.erasure import memory as erase
from recall.questions.vectors import keep_vector, kept_vector
from security.audit.query import verify, write_checkpoints
from tenants.scope import Viewer, tenant_scope
from tests.factories import NOW, SPACE, make_embedding
from tests.http.conftest import Caller, caller
from tests.http.erasing import analyse, scan, scan_cache, scan_files, scan_statistics
from tests.http.test_forget import alone, ask, forget_whole, kept, night, note, process, say
from tests.isolation.witness import breaking

pytestmark = pytest.mark.spec("S-05", "S-03")

__all__ = ["alone"]  # a fixture for every test here, too

WORD = "Zelbraxum"
TURN = f"I work with {WORD} on the lock gates, and {WORD} lives in Harlingen."
QUESTION = f"Where does {WORD} live?"
PAPER = "The old harbour has four gates. They were built of oak and are painted every spring."
STAYING = "Monquertal"
"""Stands in the names that forgetting does not search; so the scan is seen to look there."""


@pytest.fixture
def book(settings: Any, tmp_path: Path) -> Path:
    """Checkpoints in a folder that is looked through, too."""
    settings.AUDIT_DIR, settings.AUDIT_KEY, settings.AUDIT_FORMER_KEYS = tmp_path, "ab" * 32, []
    return tmp_path


def plant(tenant: Viewer, person: Caller) -> list[str]:
    """Say the word wherever there is a place for it; return the memories that have it."""
    ask(person, QUESTION)  # before anything was known of it
    named = {"session": f"on {STAYING}", "speaker": "Grace", "key": f"{STAYING}-1"}
    references = [f"ticket {WORD}-7", f"https://example.org/{WORD}"]
    found = say(tenant, person, TURN, references=references, **named)
    found.append(
        note(person, f"The gate of {WORD} stuck because its hinge was dry.", tags=[WORD], keywords=[WORD])
    )
    found.append(
        note(person, f"The gate of {WORD} stuck again because its hinge had rusted.", tags=["gates"])
    )
    paper = {"title": f"On {WORD}", "source": WORD, "text": f"{WORD} kept the gates of the old harbour."}
    document = person.post("documents", paper).json()["id"]
    process(tenant)
    found += person.get(f"documents/{document}/passages").json()["results"][0]["memories"]
    wish = {"content": f"The gate of {WORD} stuck because it had rusted.", "cause": "hearsay"}
    corrected = person.post(f"memories/{found[-2]}/correct", wish | {"check": f"ask {WORD}"})
    assert corrected.status_code in (200, 201), corrected.content
    make_embedding(tenant=tenant, memory=kept(tenant, found[0]), space="former")
    ask(person, QUESTION)
    assert person.post("context", {"query": QUESTION, "session": "monday"}).status_code == 200
    keep_vector(tenant.tenant_id, np.ones(3, np.float32), space=SPACE, query=QUESTION)
    night(tenant)
    return [
        row["id"] for row in person.get("memories?limit=100").json()["results"] if has_word(tenant, row["id"])
    ]


def has_word(tenant: Viewer, memory: str) -> bool:
    return WORD.lower() in kept(tenant, memory).content.lower()


def forget_all(person: Caller, memories: list[str]) -> None:
    for memory in memories:
        if person.get(f"memories/{memory}").status_code == 200:
            forget_whole(person, memory, reason="asked by letter")


def left(tenant: Viewer, *folders: Path) -> dict[str, Any]:
    """Return where the word still stands, by sort of place; nothing where it does not."""
    found: dict[str, Any] = {
        "tables": scan(WORD), "cache": scan_cache(WORD), "files": scan_files(WORD, *folders),
        "statistics": scan_statistics(WORD),
    }  # fmt: skip
    if kept_vector(tenant.tenant_id, space=SPACE, query=QUESTION) is not None:
        found["vector"] = True
    return {place: what for place, what in found.items() if what}


def test_no_byte_is_left_in_any_table_cache_log_or_file(
    ada: Viewer, book: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="")
    caplog.set_level(logging.INFO, logger="asyncio")
    person = caller(ada)
    memories = plant(ada, person)
    before = set(scan(WORD))
    # The control: the scan finds it wherever it went.
    assert {
        "capture", "document", "entity", "memory", "mention", "posting", "recall_event",
        "summary", "vocabulary",
    } <= before  # fmt: skip

    analyse()
    forget_all(person, memories)
    with tenant_scope(ada):
        write_checkpoints(now=NOW)
        report = verify()

    assert left(ada, book) == {}
    assert WORD.lower() not in caplog.text.lower()
    assert report.breaks == []
    assert {"capture", "recall_event"} >= set(scan(STAYING)) - {"session_mark", "sleep_run"} != set()
    night(ada)
    assert left(ada, book) == {}


@pytest.mark.parametrize("step", ["erase_rows", "blank_traces", "drop_vectors"])
def test_a_step_of_forgetting_that_is_left_out_is_found_by_the_scan(
    ada: Viewer, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    person = caller(ada)
    memories = plant(ada, person)
    monkeypatch.setattr(erase, step, lambda *_given, **_named: Counter())

    forget_all(person, memories)

    assert left(ada) != {}


def test_two_memories_with_one_word_are_forgotten_one_by_one_with_all_that_asked_for_it(ada: Viewer) -> None:
    """What was asked and named with a word that both have goes with the last of them, whichever was shown."""
    person = caller(ada)
    one = note(person, f"The gate stuck because the hinge of the {WORD} was dry in March.")
    for question in (f"Why did the {WORD} stick?", f"hinge {WORD.lower()}s"):
        assert ask(person, question) == [one]
    paper = {"title": "Notes on gates", "text": PAPER}
    person.post("documents", paper | {"metadata": {"about": [WORD]}})
    process(ada)
    other = note(person, f"Root cause: the pump of the {WORD} failed because its seal was torn in May.")
    assert set(ask(person, f"pump or hinge of the {WORD}")) >= {one, other}
    person.post("recall", {"query": f"{WORD} tomorrow", "tags": [WORD], "channels": ["tag"]})
    before = left(ada)["tables"]
    assert {"recall_event", "memory", "document"} <= set(before)

    forget_whole(person, one, reason="asked by letter")
    assert "memory" in left(ada)["tables"]  # the control: the other one is there, word and all
    forget_whole(person, other, reason="asked by letter")

    assert left(ada) == {}


@pytest.mark.parametrize("shown_first", [True, False])
def test_what_showed_it_and_asked_with_its_words_goes_though_another_memory_has_them(
    ada: Viewer, shown_first: bool
) -> None:
    person = caller(ada)
    memories = [
        note(person, f"The {part} stuck because the {WORD} was {state}.")
        for part, state in (("hinge", "dry"), ("pump", "torn"))
    ]
    ask(person, f"What of the {WORD}?")
    ask(person, "Is there anything in the harbour?")  # shares no word

    forget_whole(person, memories[0 if shown_first else 1], reason="asked by letter")

    assert "recall_event" not in scan(WORD)
    assert set(scan("anything in the harbour")) == {"recall_event"}


def test_statistics_hold_no_word_of_what_is_there_and_those_of_a_column_that_keeps_them_do(
    ada: Viewer,
) -> None:
    person = caller(ada)
    plant(ada, person)
    analyse()
    assert scan_statistics(WORD) == []
    with breaking() as superuser:
        superuser.execute("ALTER TABLE posting ALTER COLUMN term SET STATISTICS -1")
        superuser.execute("ALTER TABLE memory ALTER COLUMN tags SET STATISTICS -1")
        try:
            analyse()
            kept = scan_statistics(WORD)
        finally:
            superuser.execute("SELECT candor_hide_statistics()")

    assert kept == ["memory.tags", "posting.term"]
    assert scan_statistics(WORD) == []


def test_the_scan_finds_a_word_in_the_cache_and_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "one.log").write_text(f"… {WORD.lower()} …")
    cache.set("scanned", f"«{WORD}»", 5)
    try:
        assert [key for key in scan_cache(WORD) if "scanned" in key] != []
    finally:
        cache.delete("scanned")
    assert scan_files(WORD, tmp_path) == [str(tmp_path / "deep" / "one.log")]


@pytest.mark.usefixtures("database")
@pytest.mark.skipif("CANDOR_TEST_HOME" not in os.environ, reason="the server's log is not ours to read")
def test_what_fails_in_the_database_is_not_written_into_its_log_with_what_was_said() -> None:
    ours, others = (f"w{uuid4().hex}" for _ in range(2))  # others at each run: what is in the log stays there
    with connections["default"].cursor() as cursor, pytest.raises(Exception, match="division by zero"):
        cursor.execute(f"SELECT 1 / 0 AS {ours}")
    # The control: any other login's statement is written down; by then ours would be, too.
    with breaking() as other, pytest.raises(Exception, match="division by zero"):
        other.execute(f"SELECT 1 / 0 AS {others}")
    until = time.monotonic() + 10
    while not (found := scan_files(others)) and time.monotonic() < until:
        time.sleep(0.1)

    assert [Path(name).name for name in found] == ["postgres.log"]
    assert scan_files(ours) == []
