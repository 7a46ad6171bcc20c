"""
Bring a backup into an empty database, and compare what is there with what was.

# Note [Nobody comes in before it is proven]
pg_restore brings rows before walls. So what is granted comes last, once the walls stand and the rows are
compared: a service that was started too early may read nothing. Killed at any point it stays so, and the same
command clears away the rest and begins anew.
"""

import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from config.backup.contents import count_rows, differing_rows, schema_digest
from config.backup.dump import AUDIT, DUMP, secret_mark
from config.backup.errors import BackupError
from config.backup.manifest import Manifest, Progress, check_files, read_manifest
from config.backup.programs import find_programs, output, run
from config.embedded.bootstrap import APP, DEFINER
from security.patterns import bounded

SECTIONS: Final = ("pre-data", "data", "post-data")
"""Of a dump, in their order: tables and functions; rows; keys, indexes and triggers."""

_WALL: Final = bounded(r"^\d{1,12}; \d{1,12} \d{1,12} (?:ROW SECURITY|POLICY) ")
"""A line of pg_restore's table of contents. Under row security no foreign key can be made."""

_GRANT: Final = bounded(r"^\d{1,12}; \d{1,12} \d{1,12} (?:DEFAULT )?ACL ")

OTHERWISE: Final = "Tables, walls, grants or functions differ from then: compare `pg_dump --schema-only`."

MOST_TOLD: Final = 20
"""Differences named in an error."""

_MARK: Final = "candor: a restore that is not proven"
"""Stands as the database's comment meanwhile."""

_OURS: Final = """
SELECT format('DROP TABLE IF EXISTS %I CASCADE', c.relname) FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
UNION ALL
SELECT format('DROP SEQUENCE IF EXISTS %I CASCADE', c.relname) FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'S'
UNION ALL
SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure) FROM pg_proc p
WHERE p.pronamespace = 'public'::regnamespace
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
"""
"""The statements that drop all that is ours and leave the extensions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """Where a backup is brought to: its logins' addresses, its key, and the folder of its checkpoints."""

    owner: str
    backup: str  #: reads past row security
    secret_keys: tuple[str, ...]  #: the one in force, then those of before
    audit: Path
    known: Collection[str]  #: migrations that this version has, as «app.name»


def bring_back(
    folder: Path,
    place: Destination,
    *,
    jobs: int = 1,
    bin_folder: str = "",
    progress: Progress = lambda _line: None,
) -> Manifest:
    """
    Restore the backup in this folder into an empty database; return what it says of itself.

    Nothing is changed before the files, the key, the version and the emptiness are looked at. Raises
    BackupError, also when what is there afterwards differs from what was: the service then stays shut out.
    """
    manifest = read_manifest(folder)
    check_files(folder, manifest, progress=progress)
    _look_first(manifest, place)
    try:
        with psycopg.connect(place.owner, autocommit=True) as owner:
            _require_empty(owner)
            _comment(owner, _MARK)
            programs = find_programs(owner.info.server_version // 10_000, folder=bin_folder)
            dump = _Dump(programs / "pg_restore", folder / DUMP, place.owner, progress)
            with _may_create(owner):
                dump.restore_all_but_grants(jobs)
            owner.execute("ANALYZE")
            _compare_rows(manifest, place, progress)
            _copy_checkpoints(folder / AUDIT, place.audit)
            dump.restore_grants()
            if schema_digest(programs, place.backup) != manifest.schema:
                owner.execute(_revoke())
                raise BackupError(OTHERWISE)
            progress("rows, walls and grants are those of then")
            _comment(owner, None)
    except psycopg.Error as error:
        raise BackupError(f"The database refused: {str(error).strip()}") from error
    return manifest


class _Dump:
    """A dump, and the database that it is restored to."""

    def __init__(self, program: Path, dump: Path, address: str, progress: Progress) -> None:
        self._program, self._dump, self._address, self._progress = program, dump, address, progress
        self._database = conninfo_to_dict(address)["dbname"]
        self._listed = output(program, ["--list", dump], address).split("\n")

    def restore_all_but_grants(self, jobs: int) -> None:
        """Bring in tables, rows, indexes and triggers, then the walls."""
        for section in SECTIONS:
            arguments = [f"--section={section}", f"--jobs={jobs}"]
            self._stage(section, lambda line: not (_WALL.match(line) or _GRANT.match(line)), arguments)
        self._stage("walls", lambda line: _WALL.match(line), [])

    def restore_grants(self) -> None:
        """Bring in what is granted. On a function of the definer's its owner alone may grant."""
        grants = {line for line in self._listed if _GRANT.match(line)}
        its_own = {line for line in grants if line.endswith(f" {DEFINER}")}
        self._stage("grants", (grants - its_own).__contains__, [])
        self._stage("the definer's grants", its_own.__contains__, [f"--role={DEFINER}"])

    def _stage(self, name: str, is_of_it: Callable[[str], object], arguments: Sequence[str]) -> None:
        self._progress(f"{name} …")
        with TemporaryDirectory() as scratch:
            chosen = Path(scratch) / "list"
            chosen.write_text("\n".join(line for line in self._listed if is_of_it(line)))
            given = [f"--dbname={self._database}", f"--use-list={chosen}", "--exit-on-error", *arguments]
            run(self._program, [*given, self._dump], self._address, progress=self._progress)


def _look_first(manifest: Manifest, place: Destination) -> None:
    if manifest.secret not in map(secret_mark, place.secret_keys):
        raise BackupError(
            "The backup was made under another CANDOR_SECRET_KEY; what was forgotten is unknown without it. "
            "Set the one that `backup --keys` wrote down, or name it in CANDOR_SECRET_KEY_FALLBACKS."
        )
    unknown = sorted(set(manifest.migrations) - set(place.known))
    if unknown:
        raise BackupError(
            f"The backup is of a newer version: {unknown[0]} is not known here. Install that version first."
        )


def _require_empty(owner: "psycopg.Connection[Any]") -> None:
    """Clear away a restore that was cut short. Raises BackupError where there is anything else."""
    told = "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = current_database()"
    unfinished = owner.execute(told).fetchone() == (_MARK,)
    drops = [statement for (statement,) in owner.execute(_OURS)]
    if drops and not unfinished:
        raise BackupError(
            "The database is not empty, and a restore overwrites nothing. Make a new one "
            "(`manage.py bootstrap_database`, or another CANDOR_HOME), and restore into that."
        )
    with owner.transaction():
        for statement in drops:
            owner.execute(statement)


def _comment(owner: "psycopg.Connection[Any]", told: str | None) -> None:
    database = sql.Identifier(owner.info.dbname)
    owner.execute(sql.SQL("COMMENT ON DATABASE {} IS {}").format(database, sql.Literal(told)))


def _revoke() -> sql.Composed:
    return sql.SQL("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}").format(sql.Identifier(APP))


@contextmanager
def _may_create(owner: "psycopg.Connection[Any]") -> Iterator[None]:
    """Let functions be handed over: a new owner needs CREATE on the schema for that moment."""
    owner.execute(sql.SQL("GRANT CREATE ON SCHEMA public TO {}").format(sql.Identifier(DEFINER)))
    try:
        yield
    finally:
        owner.execute(sql.SQL("REVOKE CREATE ON SCHEMA public FROM {}").format(sql.Identifier(DEFINER)))


def _compare_rows(manifest: Manifest, place: Destination, progress: Progress) -> None:
    with psycopg.connect(place.backup) as reader:
        differing = list(differing_rows(manifest.rows, count_rows(reader, progress=progress)))
    if differing:
        told = "\n".join(differing[:MOST_TOLD])
        raise BackupError(f"What was restored is not what was, in {len(differing)} places:\n{told}")


def _copy_checkpoints(kept: Path, audit: Path) -> None:
    """Put the files of checkpoints back that are not there; what is there is newer."""
    audit.mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in sorted(kept.iterdir()):
        if not (audit / path.name).exists():
            shutil.copy2(path, audit / path.name)
