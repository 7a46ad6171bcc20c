"""The embedded servers, each test in a home of its own under the temporary directory."""

import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from config import embedded
from config.embedded import bootstrap, layout, locks, valkey
from config.embedded.errors import EmbeddedError
from config.embedded.watch import ServersWatch
from tests.homes import PROJECT, temporary_homes

AS_ROOT = os.geteuid() == 0

ENSURE = """
import sys
from pathlib import Path
from config.embedded import ensure
print(ensure(Path(sys.argv[1])).admin_database_url, flush=True)
sys.stdin.read()
"""
"""Use the servers of a home until standard input ends."""


@pytest.fixture(autouse=True)
def _servers_end_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANDOR_UNUSED_SECONDS", "0.5")
    monkeypatch.delenv("CANDOR_TMP", raising=False)


@pytest.fixture
def new_home() -> Iterator[Callable[[str], Path]]:
    with temporary_homes() as name:
        yield name


@pytest.fixture
def home(new_home: Callable[[str], Path]) -> Path:
    return new_home("home")


@pytest.fixture(scope="module")
def shared() -> Iterator[Path]:
    """Answer a home whose servers run, for tests that leave it as it was."""
    with temporary_homes() as name:
        embedded.ensure(name("shared"))
        yield name("shared")


def use_elsewhere(home: Path) -> "subprocess.Popen[str]":
    """Start another process that uses the servers of a home."""
    argv = [sys.executable, "-c", ENSURE, str(home)]
    return subprocess.Popen(argv, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def keeper_of(home: Path) -> int:
    return int((home / "keeper.lock").read_text())


def postmaster_of(home: Path) -> int:
    places = layout.load_layout(home)
    assert places is not None
    return int((places.data / "postgres" / "postmaster.pid").read_text().split()[0])


def processes_of(home: Path) -> list[str]:
    """Answer the command lines that name something in the home or its sockets."""
    places = layout.load_layout(home)
    marks = [str(home), str(places.sockets) if places else str(home)]
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if any(mark in line for mark in marks):
            lines.append(line)
    return lines


def wait_until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not done():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.02)


def keep_one_row(endpoints: embedded.Endpoints) -> None:
    with psycopg.connect(endpoints.owner_database_url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS number")


def kept_rows(endpoints: embedded.Endpoints) -> list[tuple[int]]:
    with psycopg.connect(endpoints.owner_database_url) as connection:
        return connection.execute("SELECT number FROM kept").fetchall()


@pytest.mark.spec("O-01")
def test_asking_twice_finds_the_same_servers(shared: Path) -> None:
    first = embedded.ensure(shared)
    postmaster = postmaster_of(shared)

    assert embedded.ensure(shared) == first
    assert postmaster_of(shared) == postmaster
    assert valkey.why_silent(Path(first.broker_url.removeprefix("redis+socket://"))) is None


def test_many_processes_at_once_start_the_servers_once(home: Path) -> None:
    users = [use_elsewhere(home) for _ in range(3)]
    addresses = {user.stdout.readline() for user in users if user.stdout}
    for user in users:
        user.communicate("")

    assert addresses == {embedded.ensure(home).admin_database_url + "\n"}
    started = [line for line in (home / "log" / "keeper.log").read_text().splitlines() if "started" in line]
    assert len(started) == 2, started


def test_nothing_listens_on_a_port(shared: Path) -> None:
    endpoints = embedded.ensure(shared)
    with psycopg.connect(endpoints.admin_database_url) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
        assert connection.info.host.startswith("/")
    sockets = Path(endpoints.broker_url.removeprefix("redis+socket://")).parent
    assert sockets.stat().st_mode & 0o777 == 0o700
    opened = inode_of(shared)
    assert opened
    assert not [line for line in Path("/proc/net/tcp").read_text().splitlines() if opened & set(line.split())]


def inode_of(home: Path) -> set[str]:
    """Answer the numbers of the sockets that the home's two servers have open."""
    children = Path(f"/proc/{keeper_of(home)}/task/{keeper_of(home)}/children").read_text().split()
    links = []
    for link in (link for child in children for link in Path(f"/proc/{child}/fd").iterdir()):
        with suppress(FileNotFoundError):  # closed meanwhile
            links.append(str(link.readlink()))
    return {link[len("socket:[") : -1] for link in links if link.startswith("socket:[")}


def test_data_survives_a_killed_server(home: Path) -> None:
    endpoints = embedded.ensure(home)
    keep_one_row(endpoints)
    os.kill(postmaster_of(home), signal.SIGKILL)

    assert embedded.ensure(home) == endpoints
    assert kept_rows(endpoints) == [(1,)]


def test_data_survives_a_killed_keeper_and_server(home: Path) -> None:
    endpoints = embedded.ensure(home)
    keep_one_row(endpoints)
    keeper = keeper_of(home)
    os.kill(keeper, signal.SIGKILL)
    os.kill(postmaster_of(home), signal.SIGKILL)

    assert embedded.ensure(home) == endpoints
    assert kept_rows(endpoints) == [(1,)]
    assert keeper_of(home) != keeper


def test_a_killed_keeper_takes_its_servers_along(home: Path) -> None:
    embedded.ensure(home)
    os.kill(keeper_of(home), signal.SIGKILL)

    wait_until(lambda: processes_of(home) == [])


def test_a_pid_file_that_names_a_strangers_process_does_not_stop_the_start(home: Path) -> None:
    endpoints = embedded.ensure(home)
    assert embedded.stop(home)
    places = layout.load_layout(home)
    assert places is not None
    places.restore_sockets()
    stranger = subprocess.Popen(["sleep", "600"], **places.account.popen_arguments())
    try:
        for path in (places.data / "postgres" / "postmaster.pid", places.sockets / ".s.PGSQL.5432.lock"):
            path.write_text(
                f"{stranger.pid}\n{places.data / 'postgres'}\n1700000000\n5432\n{places.sockets}\n\n"
            )
            places.account.take_over(path)
        assert embedded.ensure(home) == endpoints
        assert stranger.poll() is None
    finally:
        stranger.kill()
        stranger.wait()


def test_homes_side_by_side_have_servers_of_their_own(new_home: Callable[[str], Path]) -> None:
    one, two = new_home("one"), new_home("two")
    first, second = embedded.ensure(one), embedded.ensure(two)
    keep_one_row(first)
    with psycopg.connect(second.owner_database_url) as connection:
        assert connection.execute("SELECT to_regclass('kept')").fetchone() == (None,)
    assert embedded.stop(one)

    assert embedded.ensure(two) == second


def test_a_copied_home_is_a_home_of_its_own(new_home: Callable[[str], Path]) -> None:
    original, copy = new_home("original"), new_home("copy")
    first = embedded.ensure(original)
    assert embedded.stop(original)
    subprocess.run(["cp", "-a", original, copy], check=True)
    assert embedded.ensure(original) == first
    keep_one_row(first)
    second = embedded.ensure(copy)

    assert second.database_url != first.database_url
    with psycopg.connect(second.owner_database_url) as connection:
        assert connection.execute("SELECT to_regclass('kept')").fetchone() == (None,)


def test_servers_end_when_nobody_uses_them_any_more(home: Path) -> None:
    user = use_elsewhere(home)
    assert user.stdout is not None
    assert user.stdout.readline().startswith("postgresql://")
    user.kill()
    user.communicate()

    wait_until(lambda: not locks.is_held(home / "keeper.lock"))
    assert processes_of(home) == []


def test_stop_leaves_the_servers_to_another_user_and_no_process_without_one(home: Path) -> None:
    embedded.ensure(home)
    user = use_elsewhere(home)
    assert user.stdout is not None
    user.stdout.readline()

    assert embedded.stop(home) is False
    assert locks.is_held(home / "keeper.lock")
    user.communicate("")
    assert embedded.stop(home) is True
    assert processes_of(home) == []


def test_a_socket_that_a_cleaner_took_comes_back(home: Path) -> None:
    endpoints = embedded.ensure(home)
    places = layout.load_layout(home)
    assert places is not None
    shutil.rmtree(places.sockets)
    wait_until(
        lambda: (places.sockets / "valkey.sock").exists() and (places.sockets / ".s.PGSQL.5432").exists()
    )

    assert embedded.ensure(home) == endpoints


def test_the_keeper_of_a_home_that_was_taken_away_ends(new_home: Callable[[str], Path]) -> None:
    home = new_home("home")
    embedded.ensure(home)
    keeper = keeper_of(home)
    home.rename(new_home("elsewhere"))
    wait_until(lambda: not Path(f"/proc/{keeper}").exists())
    endpoints = embedded.ensure(home)

    with psycopg.connect(endpoints.database_url) as connection:
        assert connection.execute("SELECT current_user").fetchone() == ("candor_app",)


def test_a_watch_tells_what_the_keeper_did_and_replaces_a_dead_one(home: Path) -> None:
    embedded.ensure(home)
    watch = ServersWatch(home)
    assert list(watch.look()) == []
    os.kill(postmaster_of(home), signal.SIGKILL)
    news: list[str] = []
    wait_until(lambda: bool(news.extend(watch.look()) or any("postgres started" in line for line in news)))
    assert news[0] == "postgres ended (killed by SIGKILL); starting it again in 0.1 s"
    os.kill(keeper_of(home), signal.SIGKILL)
    wait_until(lambda: not locks.is_held(home / "keeper.lock"))

    assert next(watch.look()) == "the keeper of the servers is gone; starting them again"
    assert locks.is_held(home / "keeper.lock") is False
    assert "keeper of" in "\n".join(watch.look())
    assert locks.is_held(home / "keeper.lock") is True


def test_a_changed_password_is_mended(shared: Path) -> None:
    endpoints = embedded.ensure(shared)
    with psycopg.connect(endpoints.admin_database_url) as connection:
        connection.execute("ALTER ROLE candor_app PASSWORD 'another'")

    assert embedded.ensure(shared) == endpoints


def test_a_lost_password_file_is_named(shared: Path) -> None:
    embedded.ensure(shared)
    (shared / "passwords.json").rename(shared / "kept.json")

    with pytest.raises(EmbeddedError, match=r"passwords\.json is gone"):
        embedded.ensure(shared)
    (shared / "kept.json").rename(shared / "passwords.json")


def test_logins_are_as_weak_as_they_should_be(shared: Path) -> None:
    endpoints = embedded.ensure(shared)
    query = """
        SELECT rolname, rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolcanlogin, rolinherit, rolconfig
        FROM pg_roles WHERE rolname LIKE 'candor%' ORDER BY rolname
    """
    limits = {
        role: [f"{name}={value}" for name, value in {**of_role, **bootstrap.QUIET}.items()]
        for role, of_role in bootstrap.LIMITS.items()
    }
    with psycopg.connect(endpoints.admin_database_url) as connection:
        assert connection.execute(query).fetchall() == [
            ("candor_app", False, False, False, False, True, True, limits["candor_app"]),
            ("candor_backup", False, True, False, False, True, True, limits["candor_backup"]),
            ("candor_definer", False, False, False, False, False, False, None),
            ("candor_owner", False, False, True, False, True, True, limits["candor_owner"]),
        ]
    with psycopg.connect(endpoints.database_url, autocommit=True) as connection:
        for statement in (
            "CREATE TABLE t ()",
            "CREATE TEMP TABLE t ()",
            "CREATE SCHEMA s",
            "SET ROLE candor_owner",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)


def test_the_owner_clones_the_template_and_hands_functions_to_the_definer(shared: Path) -> None:
    owner_url = embedded.ensure(shared).owner_database_url
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE clone TEMPLATE candor_template")
    with psycopg.connect(owner_url, dbname="clone", autocommit=True) as connection:
        rows = connection.execute("SELECT extname FROM pg_extension ORDER BY extname").fetchall()
        assert rows == [("pg_trgm",), ("plpgsql",), ("vector",)]
        connection.execute("CREATE FUNCTION one() RETURNS int LANGUAGE sql SECURITY DEFINER RETURN 1")
        connection.execute("GRANT CREATE ON SCHEMA public TO candor_definer")
        connection.execute("ALTER FUNCTION one() OWNER TO candor_definer")
        row = connection.execute("SELECT pg_has_role('candor_definer', 'USAGE'), one()").fetchone()
        assert row == (False, 1)


def test_addresses_that_are_given_are_left_alone(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://given/db")
    monkeypatch.delenv("OWNER_DATABASE_URL", raising=False)
    monkeypatch.delenv("BROKER_URL", raising=False)
    embedded.export_endpoints(shared)

    assert os.environ["DATABASE_URL"] == "postgresql://given/db"
    assert "OWNER_DATABASE_URL" not in os.environ
    assert os.environ["BROKER_URL"] == embedded.ensure(shared).broker_url


def test_nothing_is_started_when_all_addresses_are_given(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://given/db")
    monkeypatch.setenv("BROKER_URL", "redis://given/0")
    embedded.export_endpoints(home)

    assert not home.exists()


def test_secrets_of_a_home_are_closed_to_others(shared: Path) -> None:
    embedded.ensure(shared)
    open_files = [path.name for path in shared.iterdir() if path.is_file() and path.stat().st_mode & 0o077]

    assert open_files == []
    assert (shared / "log").stat().st_mode & 0o777 == 0o700
    assert (shared / "data").stat().st_mode & 0o777 == 0o700
    assert json.loads((shared / "passwords.json").read_text()).keys() == set(layout.PASSWORDS)


@pytest.mark.skipif(not AS_ROOT, reason="only root has servers that run under another account")
def test_root_keeps_data_elsewhere_rather_than_open_a_closed_folder(new_home: Callable[[str], Path]) -> None:
    closed = new_home("closed")
    closed.mkdir(mode=0o700)
    home = new_home("closed/checkout/.candor")
    home.parent.mkdir(mode=0o700)
    endpoints = embedded.ensure(home)
    keep_one_row(endpoints)
    places = layout.load_layout(home)

    assert places is not None
    assert [path.stat().st_mode & 0o777 for path in (closed, home.parent)] == [0o700, 0o700]
    assert places.data.parent == layout.STATE
    assert str(places.data) in (home / "DATA-IS-ELSEWHERE.txt").read_text()
    assert embedded.stop(home)
    assert embedded.ensure(home) == endpoints
    assert kept_rows(endpoints) == [(1,)]


@pytest.mark.skipif(not AS_ROOT, reason="not root: the other tests run as an ordinary user")
def test_an_ordinary_user_runs_servers_of_its_own(new_home: Callable[[str], Path]) -> None:
    home = new_home("ordinary")
    nobody = pwd.getpwnam("nobody")
    home.mkdir(mode=0o700)
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    account = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    python = python_within_reach(account)
    if python is None:
        pytest.skip("the user nobody can reach neither this Python nor the system's of the same version")
    user = subprocess.run(
        [python, "-c", ENSURE, str(home)],
        cwd=PROJECT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "HOME": str(home), "TMPDIR": "/tmp"},
        input="",
        capture_output=True,
        text=True,
        check=True,
        **account,
    )

    assert user.stdout.startswith("postgresql://postgres:")
    assert Path(f"/proc/{postmaster_of(home)}").stat().st_uid == nobody.pw_uid
    assert Path(f"/proc/{keeper_of(home)}").stat().st_uid == nobody.pw_uid
    assert {path.stat().st_uid for path in home.rglob("*")} == {nobody.pw_uid}
    assert embedded.ensure(home).admin_database_url + "\n" == user.stdout  # root finds what its owner started


def python_within_reach(account: dict[str, Any]) -> str | None:
    """Answer a Python of this version that the account can start with our packages, or None."""
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        argv = [python, "-c", "import config.embedded"]
        with suppress(OSError):
            if subprocess.run(argv, cwd=PROJECT, env=env, capture_output=True, **account).returncode == 0:
                return python
    return None


@pytest.mark.skipif(AS_ROOT, reason="root may use every home")
def test_a_home_of_another_user_is_refused() -> None:
    with pytest.raises(EmbeddedError, match=r"^/ belongs to root\. Run as that user, or set CANDOR_HOME"):
        embedded.ensure(Path("/"))
