"""SQL files of named statements."""

from pathlib import Path

import pytest

from memories.queries import load_queries


def test_statements_are_found_by_name(tmp_path: Path) -> None:
    file = tmp_path / "q.sql"
    file.write_text("-- Head.\n\n-- one --\n-- The first.\nSELECT 1;\n\n-- two --\nSELECT 2\n")

    assert load_queries(file) == {"one": "-- The first.\nSELECT 1", "two": "SELECT 2"}


@pytest.mark.parametrize("text", ["-- a --\nSELECT 1;\n-- a --\nSELECT 2;\n", "-- a --\n\n-- b --\nSELECT 1"])
def test_a_name_given_twice_or_to_nothing_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "q.sql"
    file.write_text(text)

    with pytest.raises(ValueError, match=r"q\.sql: the statement a stands twice or is empty"):
        load_queries(file)
