"""SQL files with named statements."""

from pathlib import Path

import pytest

from tenants.sql import Queries, load_queries


def test_a_statement_comes_without_its_comments_so_that_no_value_is_put_into_one(tmp_path: Path) -> None:
    file = tmp_path / "queries.sql"
    file.write_text(
        "-- find --\n-- Rows near %(text)s.\nSELECT id\n  -- the tenant's own\nFROM memory;\n\n"
        "-- drop_it --\nDELETE FROM memory WHERE id = %(id)s;\n"
    )

    assert load_queries(file) == {
        "find": "SELECT id\nFROM memory",
        "drop_it": "DELETE FROM memory WHERE id = %(id)s",
    }


@pytest.mark.parametrize("text", ["-- a --\nSELECT 1;\n-- a --\nSELECT 2;\n", "-- a --\n-- nothing\n"])
def test_a_name_that_stands_twice_or_says_nothing_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "queries.sql"
    file.write_text(text)

    with pytest.raises(ValueError, match=r"queries\.sql: the statement a stands twice or is empty"):
        load_queries(file)


def test_a_name_that_stands_in_two_files_is_refused(tmp_path: Path) -> None:
    files = [tmp_path / "one.sql", tmp_path / "two.sql"]
    for file in files:
        file.write_text("-- find --\nSELECT 1;\n")

    with pytest.raises(ValueError, match=r"two\.sql: find stands in another file, too"):
        Queries(*files)
