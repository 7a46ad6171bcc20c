"""`manage.py fit_reader`: the reader is made by a command, from data that are there (SPEC K-06)."""

from io import StringIO
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from memories.domain.kinds import MODES
from memories.extraction.reader import fitting
from memories.extraction.reader.fitting import FOLDER, read_rows
from memories.extraction.reader.local import FILE, HEADS, KINDS_READ
from memories.reconciliation.arbiters.fitting import FOLDER as PAIRS

LEAST_ROWS = 2_400
LARGEST = 300_000
"""The issue's own: rows it is fitted on at least, bytes of its file at most."""


@pytest.fixture
def few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with some rows and pairs, to be fitted in a few steps."""
    monkeypatch.setattr(fitting, "STEPS", 3)
    monkeypatch.setattr(fitting, "DIRECTIONS", 8)
    for folder, sources, most in (
        ("rows", (FOLDER / "pl.jsonl", FOLDER / "tr.jsonl"), 30),  # what is left out is not all there is
        ("pairs", (PAIRS / "de.jsonl",), 10),
    ):
        (tmp_path / folder).mkdir()
        with (tmp_path / folder / "some.jsonl").open("w", encoding="utf-8") as file:
            for source in sources:
                with source.open(encoding="utf-8") as lines:
                    file.writelines(islice(lines, 0, 7 * most, 7))
    return tmp_path


def fit(folder: Path, name: str, **more: object) -> str:
    out = StringIO()
    call_command(
        "fit_reader", rows=folder / "rows", pairs=folder / "pairs", to=folder / f"{name}.npz",
        card=folder / f"{name}.md", stdout=out, **more,
    )  # fmt: skip
    return out.getvalue()


@pytest.mark.spec("K-06")
def test_the_same_rows_and_seed_make_the_same_file_and_another_seed_another(few: Path) -> None:
    told = fit(few, "one")
    fit(few, "two")
    fit(few, "three", seed=1)

    one, two, three = ((few / f"{name}.npz").read_bytes() for name in ("one", "two", "three"))
    assert one == two != three
    assert "60 rows, 10 plain statements" in told
    assert (few / "one.md").read_text(encoding="utf-8") in told
    with np.load(few / "one.npz") as made, np.load(FILE) as shipped:
        assert set(made) == set(shipped)


@pytest.mark.spec("K-06")
def test_what_ships_is_small_and_fitted_on_every_answer_in_ten_languages_and_more() -> None:
    rows = read_rows()

    assert FILE.stat().st_size <= LARGEST
    assert len(rows) >= LEAST_ROWS
    assert {"en", "zh", "de", "fr", "es", "pt", "ja", "it", "nl", "ko", "pl", "tr", "ru", "ar"} == {
        row.lang for row in rows
    }
    assert len({row.id for row in rows}) == len(rows) == len({(row.lang, row.role, row.text) for row in rows})
    assert {head: {row.answers[head] for row in rows} for head in HEADS} == {
        "class": {"courtesy", "content"}, "mode": set(MODES), "kind": set(KINDS_READ),
    }  # fmt: skip
    assert {row.answers["kind"] for row in rows if row.is_courtesy} == {"statement"}


@pytest.mark.parametrize(("line", "named"), [("{", "line 61"), ('{"id": "x"}', "line 61")])
def test_a_line_that_cannot_be_read_is_named_and_nothing_is_written(few: Path, line: str, named: str) -> None:
    with (few / "rows" / "some.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")

    with pytest.raises(CommandError, match=named):
        fit(few, "one")

    assert not (few / "one.npz").exists()
