"""`manage.py calibrate_embedder` and `manage.py judge_pairs`, with the fake embedder."""

import json
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from memories.calibration import get_calibration, read_table, use_folder

NOUNS = ("pump", "valve", "rotor", "cable", "switch", "frame", "motor", "brake", "wheel", "screen")
VERBS = ("leaks", "stalls", "rattles", "overheats", "sticks")


@pytest.fixture(autouse=True)
def _fake(settings: Settings) -> Iterator[None]:
    settings.EMBEDDERS = {"default": {"BACKEND": "memories.embedders.fake.FakeEmbedder", "OPTIONS": {}}}
    yield
    use_folder(None)


def labelled() -> list[dict[str, Any]]:
    """Return 100 pairs: the same with one word more, and pairs that share no word."""
    same = [
        {"a": f"the {noun} {verb} under load", "b": f"the {noun} {verb} under load daily", "same": 1}
        for noun in NOUNS
        for verb in VERBS
    ]
    other = [{**pair, "b": f"invoice {number} unpaid", "same": 0} for number, pair in enumerate(same)]
    return same + other


def write_pairs(folder: Path, pairs: Iterable[Any]) -> Path:
    path = folder / "pairs.jsonl"
    path.write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    return path


def calibrate(path: Path, *options: str) -> tuple[str, str]:
    """Run the command and return what it printed and reported."""
    out, reported = StringIO(), StringIO()
    call_command("calibrate_embedder", "--pairs", str(path), *options, stdout=out, stderr=reported)
    return out.getvalue(), reported.getvalue()


@pytest.mark.spec("W-13")
def test_a_table_is_fitted_shown_written_and_found(tmp_path: Path, settings: Settings) -> None:
    settings.CALIBRATIONS = str(tmp_path / "tables")
    path = write_pairs(tmp_path, labelled())

    out, reported = calibrate(path, "--space", "my-model")

    file = tmp_path / "tables" / "my-model.passage-passage.json"
    use_folder(tmp_path / "tables")
    table = get_calibration("my-model", "passage-passage")
    assert table == read_table(file)
    assert table.similarity([0.1, 0.95]).tolist() == pytest.approx([0.1, 0.95], abs=0.1)
    assert f"Written to {file}" in out
    assert "measured on 25 pairs" in out
    assert "expected calibration error 0.0" in out
    assert "from 0.85: 12 pairs, precision 1.000" in out
    assert reported.splitlines()[-1] == "embedded 150 of 150 texts"
    assert json.loads(file.read_text())["pairs"] == 100


@pytest.mark.parametrize("pairing", ["query-passage", "query-turn"])
def test_the_pairing_is_kept_and_names_the_file(tmp_path: Path, pairing: str) -> None:
    calibrate(write_pairs(tmp_path, labelled()), "--pairing", pairing, "--write", str(tmp_path))

    table = read_table(tmp_path / f"fake-words.{pairing}.json")
    assert (table.space, table.pairing) == ("fake-words", pairing)


def test_a_dry_run_shows_the_same_and_writes_nothing(tmp_path: Path) -> None:
    path = write_pairs(tmp_path, labelled())

    out, _ = calibrate(path, "--dry-run")

    assert out.startswith("Similarity table of fake-words, passage-passage:\n  cosine   similarity\n")
    assert out.endswith("Nothing written: a dry run.\n")
    assert [file.name for file in tmp_path.iterdir()] == ["pairs.jsonl"]


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([{"a": "x", "same": 1}], "Line 1 has no text «b»."),
        ([{"a": "x", "b": " ", "same": 1}], "Line 1 has no text «b»."),
        ([*labelled()[:2], ["a", "b", 1]], "Line 3 is no object with a, b and same."),
        ([{"a": "x", "b": "y"}], "Line 1 has no «same» from 0 (unrelated) to 1 (the same)."),
        ([{"a": "x", "b": "y", "same": 2}], "Line 1 has no «same» from 0 (unrelated) to 1 (the same)."),
        (labelled()[:39], "39 pairs are too few: give 40 at least, better some hundred."),
        (labelled()[:50], "Only 0 pairs are labelled 0 (unrelated): give 10 at least."),
        (labelled()[41:], "Only 9 pairs are labelled 1 (the same): give 10 at least."),
    ],
)
def test_pairs_that_make_no_table_are_refused_with_what_is_wrong(
    tmp_path: Path, pairs: list[Any], message: str
) -> None:
    with pytest.raises(CommandError) as refusal:
        calibrate(write_pairs(tmp_path, pairs), "--dry-run")

    assert str(refusal.value) == message


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    path = write_pairs(tmp_path, labelled())
    path.write_text(path.read_text() + "\n{broken\n")

    with pytest.raises(CommandError, match=r"^Line 102 is no JSON\.$"):
        calibrate(path, "--dry-run")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "Nowhere to write: give --write PATH, set CANDOR_CALIBRATIONS, or try --dry-run."),
        (("--dry-run", "--alias", "other"), "settings.EMBEDDERS has no «other», only default."),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_embedded(
    tmp_path: Path, settings: Settings, options: tuple[str, ...], message: str
) -> None:
    settings.CALIBRATIONS = ""

    with pytest.raises(CommandError) as refusal:
        calibrate(write_pairs(tmp_path, labelled()), *options)

    assert str(refusal.value) == message


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No file of pairs at"):
        calibrate(tmp_path / "none.jsonl", "--dry-run")


def test_pairs_are_judged_as_connect_judges_them(tmp_path: Path) -> None:
    path = write_pairs(
        tmp_path,
        [
            {"a": "The pump leaks.", "b": "The  pump leaks."},
            {"a": "The pump leaks.", "b": "The pump does not leak."},
        ],
    )
    out = StringIO()

    call_command("judge_pairs", str(path), stdout=out)

    first, second = map(json.loads, out.getvalue().strip().split("\n"))
    assert first == {"cosine": 1.0, "similarity": 1.0, "score": 1.0, "verdict": "same", "differing": []}
    assert (second["verdict"], second["differing"]) == ("different", ["polarity"])
