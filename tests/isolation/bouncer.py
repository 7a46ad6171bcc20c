"""A real PgBouncer in transaction mode before the test database, with one server connection for everybody."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

PORT = 6432
START_SECONDS = 10.0

CONFIGURATION = """
[databases]
{name} = host={host} port={port} dbname={name} user={user} {password}
[pgbouncer]
listen_addr =
listen_port = {own_port}
unix_socket_dir = {folder}
logfile = {folder}/log
auth_type = any
pool_mode = {mode}
default_pool_size = 1
max_client_conn = 100
query_wait_timeout = 20
"""


def find_pgbouncer() -> str | None:
    """Return where the program is, or None."""
    return shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


@contextmanager
def pgbouncer(program: str, database: dict[str, Any], *, mode: str = "transaction") -> Iterator[Path]:
    """Start it before the database of these settings; answer the folder of its socket, end it afterwards."""
    with tempfile.TemporaryDirectory(
        prefix="pgb-", dir="/tmp"
    ) as name:  # short: a socket's path ends at 107 bytes
        folder, account = Path(name), _account(database["HOST"])
        file = folder / "ini"
        file.write_text(_configuration(database, folder, mode))
        if account is not None:
            os.chown(folder, account, -1)
            os.chown(file, account, -1)
        with subprocess.Popen(
            [program, "-q", str(file)], user=account, cwd="/", stderr=subprocess.PIPE
        ) as process:
            try:
                _wait(folder, database["NAME"], process)
                yield folder
            finally:
                process.terminate()


def _account(host: str) -> int | None:
    """Return whom to run it as: never root, and somebody who reaches PostgreSQL's socket; None is oneself."""
    if os.geteuid() != 0:
        return None
    owner = Path(host).stat().st_uid if host.startswith("/") else 0
    return owner or 65534  # nobody


def _configuration(database: dict[str, Any], folder: Path, mode: str) -> str:
    password = f"password='{database['PASSWORD']}'" if database["PASSWORD"] else ""
    return CONFIGURATION.format(
        name=database["NAME"],
        host=database["HOST"] or "localhost",
        port=database["PORT"] or 5432,
        user=database["USER"],
        password=password,
        own_port=PORT,
        folder=folder,
        mode=mode,
    )


def _wait(folder: Path, name: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(host=str(folder), port=PORT, dbname=name, user="anybody").close()
        except psycopg.OperationalError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"PgBouncer does not answer: {error}") from error
            time.sleep(0.05)
        else:
            return
