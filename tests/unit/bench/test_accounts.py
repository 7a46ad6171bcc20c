"""Keys kept between runs."""

from pathlib import Path

from bench.rig.accounts import Account, KeyFile


def test_keys_are_found_again_and_are_their_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    fleet = Account(tenant="andorinha-2", admin="one", agents={"atlas": "two"})
    KeyFile(path).save("andorinha", fleet)
    KeyFile(path).save("talks", Account(tenant="talks", admin="three"))

    kept = KeyFile(path).load("andorinha")

    assert kept == fleet
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["keys.json"]


def test_no_file_or_a_broken_one_holds_no_keys(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    assert KeyFile(path).load("andorinha") is None

    path.write_text("{")

    assert KeyFile(path).load("andorinha") is None
