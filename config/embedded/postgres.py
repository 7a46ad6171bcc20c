"""The embedded PostgreSQL: making its data, its command line, asking whether it answers."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import psycopg

from config.embedded.errors import EmbeddedError
from config.embedded.layout import Layout
from config.embedded.memory import cache_settings, machine_memory

NAME = "postgres"

STOP_SIGNAL = signal.SIGINT
"""PostgreSQL's «fast» end: sessions are cut, a checkpoint is written."""

SUPERUSER = "postgres"

SETTINGS = {
    "listen_addresses": "",  # unix socket only: no port that could clash or be reached
    "unix_socket_permissions": "0700",  # root may connect all the same: permissions do not bind it
    "password_encryption": "scram-sha-256",
    "max_connections": "100",
    "maintenance_work_mem": "128MB",
    "random_page_cost": "1.1",  # solid state
    "jit": "off",  # compiling costs more than our short statements take
    "synchronous_commit": "on",  # an answered write is kept: what the product is for
    # Index-only scans need the visibility map; a table that is only inserted into gets it by these two.
    "autovacuum_vacuum_insert_threshold": "5000",
    # A tenant that was just loaded is in the statistics soon; else the planner takes it for one row.
    "autovacuum_naptime": "10s",
    "autovacuum_analyze_scale_factor": "0.02",
    "autovacuum_vacuum_insert_scale_factor": "0",
    "log_checkpoints": "off",
    "cluster_name": "candor",
}
"""For a developer's small machine that runs web and workers too; a server of one's own has its own."""


def data(layout: Layout) -> Path:
    """Answer the folder of the database."""
    return layout.data / "postgres"


def socket(layout: Layout) -> Path:
    """Answer where the server listens."""
    return layout.sockets / ".s.PGSQL.5432"


def environment() -> dict[str, str]:
    """Answer the environment of the servers: none of the caller's PG* variables, messages in English."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "TZ": "UTC"}


def command(layout: Layout) -> list[str]:
    """Answer the command line of the server, which stays in the foreground."""
    caches = cache_settings(machine_memory())
    settings = {**SETTINGS, **caches, "unix_socket_directories": str(layout.sockets)}
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    return [str(layout.postgres_bin / "postgres"), "-D", str(data(layout)), *options]


def make_data(layout: Layout, *, password: str) -> bool:
    """
    Make the folder of the database where it is missing, all or nothing; answer whether it was.

    Built-in C.UTF-8 sorts the same on every machine and never changes with a library.
    Raises EmbeddedError with what initdb said.
    """
    if data(layout).exists():
        return False
    new, secret = layout.data / "postgres.new", layout.data / "password.new"
    shutil.rmtree(new, ignore_errors=True)
    _write_secret(secret, password, layout)
    options = ["-A", "scram-sha-256", "--locale-provider=builtin", "--locale=C.UTF-8", "--encoding=UTF8"]
    made = subprocess.run(  # noqa: S603 our own command line, no shell
        [layout.postgres_bin / "initdb", "-D", new, "-U", SUPERUSER, f"--pwfile={secret}", *options],
        check=False,
        cwd="/",
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        umask=0o077,
        **layout.account.popen_arguments(),
    )
    secret.unlink()
    if made.returncode != 0:
        raise EmbeddedError(f"The database could not be made in {layout.data}:\n{made.stderr.strip()}")
    new.rename(data(layout))
    return True


def _write_secret(path: Path, password: str, layout: Layout) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(password)
    layout.account.take_over(path)


def url(layout: Layout, *, role: str, password: str, database: str) -> str:
    """Answer the address of a database through the unix socket, as libpq reads it."""
    return f"postgresql://{role}:{password}@/{database}?host={layout.sockets}&port=5432"


def why_silent(address: str) -> str | None:
    """Connect and ask; answer None when the server answers, else the reason it gave."""
    try:
        with psycopg.connect(address, connect_timeout=5) as connection:
            connection.execute("SELECT 1")
    except psycopg.OperationalError as error:
        return str(error).strip()
    return None


def clear_away_former(layout: Layout) -> None:
    """
    Remove the lock files of a server that is gone. Raises BlockingIOError while one is still ending.

    PostgreSQL trusts a pid: once its number is another program's (after the machine or the container started
    anew) the server would refuse to start. What counts here is whether that process works in our folder.
    """
    if not Path("/proc/self/cwd").exists():
        return  # no way to ask here: PostgreSQL's own judgement stands
    for path in (data(layout) / "postmaster.pid", Path(f"{socket(layout)}.lock")):
        pid = _first_number(path)
        if pid is None:
            continue
        if _works_in(pid, data(layout)):
            raise BlockingIOError(f"process {pid}, a former {NAME}, is still ending")
        path.unlink(missing_ok=True)


def _first_number(path: Path) -> int | None:
    try:
        return int(path.read_text().split(maxsplit=1)[0])
    except (FileNotFoundError, ValueError, IndexError):
        return None


def _works_in(pid: int, folder: Path) -> bool:
    try:
        place = str(Path(f"/proc/{pid}/cwd").readlink()).removesuffix(" (deleted)")
    except (FileNotFoundError, PermissionError):
        return False  # nobody's, or another user's, while our server runs under our account
    return place == str(folder.resolve())
