"""Where the embedded servers' things lie, and what their account can reach. No server is started here."""

import os
import pwd
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded import layout, locks, software
from config.embedded.account import Account, can_enter, choose_account
from config.embedded.errors import EmbeddedError

AS_ROOT = os.geteuid() == 0


@pytest.fixture
def folder() -> Iterator[Path]:
    """A short folder that everybody may walk through, unlike pytest's own."""
    path = Path(tempfile.mkdtemp(prefix="candor-test-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def me() -> Account:
    return Account(name="me", uid=os.geteuid(), gid=os.getegid(), borrowed=False)


@pytest.fixture
def nobody() -> Account:
    if not AS_ROOT:
        pytest.skip("only root may become another account")
    entry = pwd.getpwnam("nobody")
    return Account(name="nobody", uid=entry.pw_uid, gid=entry.pw_gid, borrowed=True)


def test_servers_run_under_the_owner_of_the_home_and_never_under_root(folder: Path) -> None:
    if not AS_ROOT:
        account = choose_account(folder)
        assert (account.uid, account.borrowed) == (os.geteuid(), False)
        return
    assert choose_account(folder / "new").uid != 0
    os.chown(folder, 4711, 4712)
    assert choose_account(folder) == Account(name="4711", uid=4711, gid=4712, borrowed=True)


def test_another_account_is_asked_what_it_can_enter(folder: Path, nobody: Account) -> None:
    (folder / "closed").mkdir(mode=0o700)
    (folder / "closed" / "open").mkdir(mode=0o777)

    assert can_enter(nobody, folder)
    assert not can_enter(nobody, folder / "closed")
    assert not can_enter(nobody, folder / "closed" / "open")


def test_binaries_out_of_reach_are_copied_and_the_original_stays_closed(
    folder: Path, nobody: Account
) -> None:
    closed = folder / "closed"
    original = closed / "package"
    (original / "bin").mkdir(parents=True)
    (closed / "package.libs").mkdir()
    (closed / "package.libs" / "libx.so").touch(mode=0o600)
    (original / "bin" / "server").write_text("#!/bin/sh\n")
    (original / "bin" / "server").chmod(0o700)
    closed.chmod(0o700)
    copy = software.within_reach(original, nobody, folder / "state")

    assert copy.parents[1] == folder / "state" / "software"
    assert can_enter(nobody, copy / "bin")
    assert (copy / "bin" / "server").stat().st_mode & 0o777 == 0o755
    assert (copy.parent / "package.libs" / "libx.so").stat().st_mode & 0o777 == 0o644
    assert closed.stat().st_mode & 0o777 == 0o700
    assert software.within_reach(original, nobody, folder / "state") == copy


def test_binaries_within_reach_are_used_where_they_are(folder: Path, me: Account) -> None:
    assert software.within_reach(folder, me, folder / "state") == folder
    assert not (folder / "state").exists()


def test_a_temporary_directory_with_a_long_path_is_not_used_for_sockets(
    folder: Path, me: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = folder / ("d" * 90)
    deep.mkdir()
    monkeypatch.setenv("CANDOR_TMP", str(deep))
    places = layout.lay_out(folder, me, token="t")
    shutil.rmtree(places.sockets)

    assert places.sockets.parent == Path("/tmp")
    assert len(os.fsencode(places.sockets / layout.LONGEST_SOCKET_NAME)) <= layout.SOCKET_PATH_BYTES


def test_a_strangers_folder_in_the_place_of_the_sockets_is_refused(
    folder: Path, me: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CANDOR_TMP", str(folder))
    sockets = layout.lay_out(folder, me, token="t").sockets
    sockets.chmod(0o777)

    with pytest.raises(EmbeddedError, match="is not a closed folder of"):
        layout.lay_out(folder, me, token="t")
    sockets.rmdir()
    sockets.symlink_to(folder)
    with pytest.raises(EmbeddedError, match="is not a closed folder of"):
        layout.lay_out(folder, me, token="t")


def test_places_written_down_are_read_back_by_their_own_home_only(folder: Path, me: Account) -> None:
    places = layout.Layout(
        home=folder,
        data=folder / "data",
        sockets=folder / "sockets",
        postgres_bin=Path("/bin"),
        valkey=Path("/bin/true"),
        account=me,
    )
    places.save()
    (folder / "copy").mkdir()
    shutil.copy(folder / "layout.json", folder / "copy")

    assert layout.load_layout(folder) == places
    assert layout.load_layout(folder / "copy") is None


def test_a_lock_is_free_held_or_shared(folder: Path) -> None:
    path = folder / "users.lock"
    shared = locks.take_shared(path)
    assert (locks.is_held(path), locks.is_free(path), locks.try_exclusive(path)) == (False, False, None)
    os.close(shared)
    exclusive = locks.try_exclusive(path)
    assert exclusive is not None
    assert (locks.is_held(path), locks.is_free(path)) == (True, False)
    os.close(exclusive)
    assert (locks.is_held(path), locks.is_free(path)) == (False, True)


def test_a_lock_file_made_anew_is_told_from_the_old_one(folder: Path) -> None:
    path = folder / "users.lock"
    descriptor = locks.take_shared(path)
    assert locks.is_named(path, descriptor)
    path.unlink()
    assert not locks.is_named(path, descriptor)
    path.touch()
    assert not locks.is_named(path, descriptor)
    os.close(descriptor)
