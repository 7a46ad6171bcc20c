"""Measurements from the command line."""

import json
from pathlib import Path

import pytest

from bench.rig import harness
from bench.rig.harness import NoData, Run
from bench.run import BENCHES, main
from examples.demo import main as demo


def test_a_bench_without_its_data_says_where_it_looked_and_is_no_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(harness, "OUT", tmp_path / "out")

    code = main(["normalise", "--data", str(tmp_path)])

    assert code == 0
    told, line = capsys.readouterr().out.splitlines()
    assert told == f"skipped: no data at {tmp_path}/temporal.jsonl"
    assert json.loads(line) == {"skipped": f"no data at {tmp_path}/temporal.jsonl"}
    assert json.loads((tmp_path / "out" / "normalise.json").read_text()) == json.loads(line)


def test_a_bench_of_several_files_names_each_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(harness, "OUT", tmp_path / "out")
    monkeypatch.setattr(harness.CONSOLE, "width", 400)

    assert main(["retrieval", "--data", str(tmp_path)]) == 0

    *told, line = capsys.readouterr().out.splitlines()
    names = ("locomo_turns", "beam_user_messages", "cjk_passages")
    assert told == [
        *(f"skipped: no data at {tmp_path}/{name}.jsonl" for name in names),
        f"skipped: no data at {tmp_path}",
    ]
    assert json.loads(line) == {"skipped": f"no data at {tmp_path}"}


def test_a_data_file_that_is_there_is_found(tmp_path: Path) -> None:
    run = Run(data=tmp_path, seed=1, quick=False)
    (tmp_path / "some.jsonl").touch()

    assert run.file("some.jsonl") == tmp_path / "some.jsonl"
    with pytest.raises(NoData, match="no data at"):
        run.file("other.jsonl")


def test_an_unknown_bench_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["nothing"])

    refusal = capsys.readouterr().err
    assert all(name in refusal for name in BENCHES)


def test_a_demo_without_its_data_is_skipped_before_anything_is_started(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert demo(["--data", str(tmp_path / "none.jsonl"), "--once"]) == 0

    assert "skipped: no data at" in capsys.readouterr().out


def test_a_demo_with_another_kind_of_file_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"name": "no conversation"}\n')

    assert demo(["--data", str(path), "--once"]) == 2

    assert "not a file of conversations" in " ".join(capsys.readouterr().out.split())
