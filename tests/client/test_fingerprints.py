"""Fingerprints of files, parts of git and flags, and that the service knows them again."""

import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from candor import Candor, file_fingerprint, flag_fingerprint, git_fingerprint
from candor.fingerprints import NoFingerprint
from tenants.scope import Viewer


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder and return what it prints."""
    name = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    command = ["git", "-C", str(folder), *name, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with two folders."""
    for folder in ("deploy", "docs"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "app.toml").write_text(f"port = 1 # {folder}\n")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "First")
    return tmp_path


def test_a_file_is_known_by_its_content_and_its_path_from_the_root(tmp_path: Path) -> None:
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy" / "app.toml").write_bytes(b"port = 1\n")

    print_ = file_fingerprint("deploy/app.toml", root=tmp_path)

    assert (print_.handle.kind, print_.handle.path) == ("file", "deploy/app.toml")
    assert print_.value == sha256(b"port = 1\n").hexdigest()
    for path in ("deploy", "nowhere.toml", "../outside"):
        with pytest.raises(NoFingerprint):
            file_fingerprint(path, root=tmp_path)


def test_a_part_of_git_is_moved_by_commits_inside_it_only(repository: Path) -> None:
    before = git_fingerprint("deploy", ref="main", root=repository)
    (repository / "docs" / "app.toml").write_text("port = 2\n")
    git(repository, "commit", "-q", "-a", "-m", "Outside")
    outside = git_fingerprint("deploy", ref="main", root=repository)
    (repository / "deploy" / "app.toml").write_text("port = 3\n")
    git(repository, "commit", "-q", "-a", "-m", "Inside")
    inside = git_fingerprint("deploy", ref="main", root=repository)

    assert before == outside != inside
    assert before.value == git(repository, "rev-parse", "main~1:deploy")
    for scope in ("", "/", "nowhere"):
        with pytest.raises(NoFingerprint):
            git_fingerprint(scope, root=repository)


@pytest.mark.spec("E-07")
def test_the_service_knows_what_moved(connect: Callable[..., Candor], ada: Viewer, repository: Path) -> None:
    client = connect(ada)
    client.create_memory(
        content="The port of the gateway in deploy/app.toml is 8010.",
        kind="working_state", entity_key="gateway", concept_key="port", value="8010",
        fingerprints=[file_fingerprint("deploy/app.toml", root=repository)],
    )  # fmt: skip

    same = client.watermarks([file_fingerprint("deploy/app.toml", root=repository)])
    (repository / "deploy" / "app.toml").write_text("port = 8011\n")
    moved = client.watermarks([file_fingerprint("deploy/app.toml", root=repository)])

    assert (same.verified, same.moved) == (1, 0)
    assert (moved.verified, moved.moved) == (0, 1)
    assert flag_fingerprint("checkout", True).value == "true"
