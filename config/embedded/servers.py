"""
Start or find the servers of a home, use them, let go of them.

# Note [The life of the servers]
Whoever needs the servers takes a shared hold on users.lock and asks them for an answer; that is all when
they run. Otherwise, under start.lock, it makes what is missing and starts the keeper, which starts the
servers. An answer to a query counts, a pid file never does.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from config.embedded import bootstrap, locks, postgres, valkey
from config.embedded.account import Account
from config.embedded.errors import EmbeddedError
from config.embedded.layout import Layout, lay_out, load_layout, load_passwords, open_home, write_file

PROJECT = Path(__file__).resolve().parents[2]

DATABASE, TEMPLATE = "candor", "candor_template"

START_SECONDS = 60.0
"""How long the servers may take to answer: after a crash PostgreSQL reads its log again first."""

_holds: dict[Path, int] = {}
"""Home to the descriptor of this process's hold on users.lock (Note [Three locks])."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """Addresses of a home's servers; those of the database carry a login's password."""

    database_url: str  #: candor_app
    owner_database_url: str  #: candor_owner
    admin_database_url: str  #: the superuser, for tests and the bootstrap only
    backup_database_url: str  #: candor_backup
    broker_url: str


def default_home() -> Path:
    """Answer CANDOR_HOME, or `.candor` beside manage.py."""
    return Path(os.environ.get("CANDOR_HOME") or PROJECT / ".candor").resolve()


def ensure(home: Path | None = None) -> Endpoints:
    """
    Make sure that the servers of a home run, and that they stay until this process ends.

    Started once however many ask at a time; made at the first call (seconds). Raises EmbeddedError.
    """
    home = (home or default_home()).resolve()
    account = open_home(home)
    _hold(home)
    return _find(home) or _start(home, account)


def export_endpoints(home: Path | None = None) -> None:
    """
    Set DATABASE_URL (with it OWNER_DATABASE_URL and BACKUP_DATABASE_URL) and BROKER_URL where they are unset.

    They then name the embedded servers. Starts nothing when both are set. Raises EmbeddedError.
    """
    environ = os.environ
    if environ.get("DATABASE_URL") and environ.get("BROKER_URL"):
        return
    endpoints = ensure(home)
    if not environ.get("DATABASE_URL"):
        environ["DATABASE_URL"] = endpoints.database_url
        environ["OWNER_DATABASE_URL"] = endpoints.owner_database_url
        environ["BACKUP_DATABASE_URL"] = endpoints.backup_database_url
    if not environ.get("BROKER_URL"):
        environ["BROKER_URL"] = endpoints.broker_url


def home_in_use() -> Path | None:
    """Answer the home whose servers this process uses; None when it was given addresses of its own."""
    return next(iter(_holds), None)


def stop(home: Path | None = None, *, force: bool = False) -> bool:
    """
    Let go of a home's servers, and end them unless another process uses them (`force`: even then).

    Waits for their end; answers whether they have ended.
    """
    home = (home or default_home()).resolve()
    if home in _holds:
        os.close(_holds.pop(home))
    keeper_lock = home / "keeper.lock"
    # The keeper tries this lock every second for an instant, which looks like use: hence more than one try.
    if (
        not force
        and locks.is_held(keeper_lock)
        and not _wait(lambda: locks.is_free(home / "users.lock"), 0.2)
    ):
        return False
    with suppress(FileNotFoundError, ValueError, ProcessLookupError):
        pid = int(keeper_lock.read_text())
        if locks.is_held(keeper_lock):  # so the pid in it is the keeper's
            os.kill(pid, signal.SIGTERM if force else signal.SIGUSR1)
    return _wait(lambda: not locks.is_held(keeper_lock))


def _hold(home: Path) -> None:
    users_lock = home / "users.lock"
    if home in _holds and not locks.is_named(users_lock, _holds[home]):
        os.close(_holds.pop(home))  # the home was deleted and made anew: this hold is on nothing
    if home not in _holds:
        _holds[home] = locks.take_shared(users_lock)


def _find(home: Path) -> Endpoints | None:
    """Answer the addresses of servers that are up and ready; None when there is work to do."""
    layout = load_layout(home)
    if layout is None or not locks.is_held(home / "keeper.lock") or not _is_bootstrapped(home):
        return None
    endpoints = _endpoints(layout, load_passwords(home))
    return endpoints if _why_silent(layout, endpoints.database_url) is None else None


def _start(home: Path, account: Account) -> Endpoints:
    with locks.exclusive(home / "start.lock"):
        passwords = load_passwords(home)
        layout = _have_keeper(home, account, passwords)
        endpoints = _endpoints(layout, passwords)

        def wait_for(address: str) -> None:
            _wait_for_answer(layout, address, meanwhile=lambda: _have_keeper(home, account, passwords))

        wait_for(endpoints.admin_database_url)
        # The second question mends a login whose password somebody changed in the server.
        if not _is_bootstrapped(home) or postgres.why_silent(endpoints.database_url) is not None:
            _bootstrap(home, endpoints, passwords)
        wait_for(endpoints.database_url)
        return endpoints


def _have_keeper(home: Path, account: Account, passwords: dict[str, str]) -> Layout:
    """Answer the layout that a keeper runs, making the data and starting a keeper where there is none."""
    if locks.is_held(home / "keeper.lock"):
        layout = load_layout(home)
        if layout is None:
            raise EmbeddedError(
                f"{home} is in use under another path, which its layout.json names. Use that one."
            )
        return layout
    layout = lay_out(home, account, token=passwords["token"])
    if postgres.make_data(layout, password=passwords["admin"]):
        _bootstrap_mark(home).unlink(missing_ok=True)
    layout.save()
    _start_keeper(home)
    return layout


def _start_keeper(home: Path) -> None:
    argv = [sys.executable, "-m", "config.embedded.keeper", str(home)]
    subprocess.run(  # noqa: S603 our own command line, no shell
        argv,
        check=True,
        cwd=PROJECT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    if not _wait(lambda: locks.is_held(home / "keeper.lock")):
        raise EmbeddedError(f"The servers of {home} were not started:\n{_last_words(home, 'keeper')}")


def _wait_for_answer(layout: Layout, address: str, *, meanwhile: Callable[[], object]) -> None:
    """Wait until both servers answer; raises EmbeddedError with the end of their logs when they do not."""
    deadline = time.monotonic() + START_SECONDS
    while (reason := _why_silent(layout, address)) is not None:
        # A wrong password (the home's file is another's) does not get right by waiting.
        if time.monotonic() > deadline or "authentication failed" in reason:
            logs = "\n".join(_last_words(layout.home, name) for name in ("postgres", "valkey", "keeper"))
            raise EmbeddedError(f"The servers of {layout.home} do not answer: {reason}\n{logs}")
        time.sleep(0.05)
        # A keeper that was just killed holds its lock for an instant longer, and its servers answer no more.
        meanwhile()


def _bootstrap(home: Path, endpoints: Endpoints, passwords: dict[str, str]) -> None:
    logins = {login: passwords[login.removeprefix("candor_")] for login in bootstrap.LOGINS}
    bootstrap.apply(endpoints.admin_database_url, passwords=logins, database=DATABASE, template=TEMPLATE)
    write_file(_bootstrap_mark(home), _bootstrap_version())


def _why_silent(layout: Layout, address: str) -> str | None:
    return postgres.why_silent(address) or valkey.why_silent(valkey.socket(layout))


def _bootstrap_mark(home: Path) -> Path:
    return home / "bootstrap.done"


def _bootstrap_version() -> str:
    return hashlib.sha256(bootstrap.script(database=DATABASE, template=TEMPLATE).encode()).hexdigest()


def _is_bootstrapped(home: Path) -> bool:
    mark = _bootstrap_mark(home)
    return mark.exists() and mark.read_text() == _bootstrap_version()


def _endpoints(layout: Layout, passwords: dict[str, str]) -> Endpoints:
    def url(role: str, word: str, database: str) -> str:
        return postgres.url(layout, role=role, password=passwords[word], database=database)

    return Endpoints(
        database_url=url(bootstrap.APP, "app", DATABASE),
        owner_database_url=url(bootstrap.OWNER, "owner", DATABASE),
        admin_database_url=url(postgres.SUPERUSER, "admin", "postgres"),
        backup_database_url=url(bootstrap.BACKUP, "backup", DATABASE),
        broker_url=valkey.url(layout),
    )


def _wait(done: Callable[[], bool], seconds: float = START_SECONDS) -> bool:
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _last_words(home: Path, name: str) -> str:
    path = home / "log" / f"{name}.log"
    return "\n".join(path.read_text(errors="replace").splitlines()[-8:]) if path.exists() else ""
