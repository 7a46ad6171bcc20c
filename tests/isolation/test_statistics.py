"""No statistics are kept of columns that may hold what was said (SPEC S-05), tables of tomorrow included."""

from typing import Any

import pytest

from tests.isolation.witness import breaking

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("S-05")]

KEEPING = "SELECT relation || '.' || attribute FROM candor_spoken_columns() WHERE target <> 0 ORDER BY 1"


def ask(sql: str) -> list[Any]:
    with breaking() as superuser:
        return [row[0] for row in superuser.execute(sql).fetchall()]


def test_every_column_that_may_hold_words_keeps_no_statistics() -> None:
    columns = ask("SELECT relation || '.' || attribute FROM candor_spoken_columns()")

    assert {"memory.content", "posting.term", "recall_event.query", "embedding_shelf_0.vector"} <= set(
        columns
    )
    assert ask(KEEPING) == []
    assert ask("SELECT stxname FROM pg_statistic_ext") == []


def test_a_table_that_was_forgotten_is_named_and_hidden_by_the_next_call() -> None:
    with breaking() as superuser:
        superuser.execute("CREATE TABLE lately (id uuid, note text, tags text[], state text)")
        try:
            superuser.execute("CREATE INDEX lately_lower ON lately (id, lower(note))")
            superuser.execute("INSERT INTO lately SELECT gen_random_uuid(), 'word', ARRAY['word'], 'open'")
            superuser.execute("INSERT INTO lately SELECT id, note, tags, state FROM lately")
            superuser.execute("ANALYZE lately")
            named = ask(KEEPING)
            superuser.execute("SELECT candor_hide_statistics()")
            after = ask(KEEPING)
            superuser.execute("ANALYZE lately")
            kept = ask(
                "SELECT DISTINCT a.attname::text FROM pg_statistic s JOIN pg_attribute a "
                "ON a.attrelid = s.starelid AND a.attnum = s.staattnum "
                "WHERE s.starelid IN ('lately'::regclass, 'lately_lower'::regclass) ORDER BY 1"
            )
        finally:
            superuser.execute("DROP TABLE lately")

    assert named == ["lately.note", "lately.tags", "lately_lower.lower"]
    assert (after, kept) == ([], ["id", "state"])
