"""The drill: a backup is brought into another place, and nothing is lost, open or back (SPEC O-05, S-05)."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from django.core.management import CommandError, call_command

from config.backup import FILE
from config.embedded import ensure
from tests.homes import PROJECT, temporary_homes

pytestmark = pytest.mark.spec("O-05")

SECRET: Final = "a-secret-of-the-drill-that-nobody-else-has-1234567890"

FORGOTTEN: Final = "Quillon"
"""Stands in what is forgotten after the backup, and nowhere else."""

SET_UP: Final = """
import os
import sys
sys.path.insert(0, ".")
from config.embedded import export_endpoints
export_endpoints()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django
django.setup()
from datetime import UTC, datetime
from django.core.management import call_command
from tenants.read import find_tenant
from tenants.scope import pipeline_viewer
from tests.factories import FACTORIES, make_memory, make_tenant
from tests.integration.memories.writing import say
"""

FILL: Final = f"""{SET_UP}
for slug in ("acme", "bolt"):
    tenant = make_tenant(slug)
    for name, make in FACTORIES.items():
        if name != "vector_home":  # the factory's is of a space that no embedder here has
            make(tenant=tenant)
    gone = say(tenant, "The {FORGOTTEN} protocol starts at nine.", session="first", now=datetime.now(UTC))
    print(gone.memories[0])
    for place in ("north", "south", "east"):
        say(tenant, f"The {{place}} depot of {{slug}} opens at six.", session=place, now=datetime.now(UTC))
call_command("audit", "checkpoint", stdout=sys.stderr)
"""
"""Two tenants with a row of everything and some notes; prints what is to be forgotten."""

FORGET: Final = """
for slug, memory in zip(("acme", "bolt"), {!r}):
    call_command("forget", tenant=slug, memory=memory, reason="asked to")
call_command("replay_erasures", all=True, export={!r})
"""
"""Has both forgotten and writes the receipts down; formatted with the memories and the file."""

WRITE: Final = f"""{SET_UP}
from uuid import UUID, uuid4
def old_id():
    return UUID(int=uuid4().int >> 32)  # so that the newest memory is one of those that were said
tenant = pipeline_viewer(find_tenant("acme").id)
print("writing", flush=True)
for number in range(100_000):
    make_memory(tenant=tenant, id=old_id(), content=f"Note {{number}}, written meanwhile.")
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A home and its servers, spoken to by commands as an operator does."""

    home: Path

    def environment(self, **more: str) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.endswith(("DATABASE_URL", "BROKER_URL"))
        }
        return kept | {"CANDOR_HOME": str(self.home), "CANDOR_SECRET_KEY": SECRET} | more

    def run(self, script: str) -> "subprocess.CompletedProcess[str]":
        """Run a script of Python."""
        return subprocess.run(
            [sys.executable, "-c", script], cwd=PROJECT, env=self.environment(), capture_output=True,
            text=True, check=False,
        )  # fmt: skip

    def start(self, argv: Sequence[str], **pipes: int) -> "subprocess.Popen[str]":
        """Start a command, of a process group of its own."""
        return subprocess.Popen(
            argv, cwd=PROJECT, env=self.environment(), text=True, start_new_session=True, **pipes
        )

    def manage(self, *arguments: str | Path, **more: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "manage.py", *map(str, arguments)], cwd=PROJECT, env=self.environment(**more),
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    def answer(self, *arguments: str | Path) -> dict[str, Any]:
        done = self.manage(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return dict(json.loads(done.stdout))

    def refused(self, *arguments: str | Path, **more: str) -> str:
        done = self.manage(*arguments, **more)
        assert done.returncode != 0
        return done.stderr

    def tables(self) -> int:
        with psycopg.connect(ensure(self.home).owner_database_url) as owner:
            [count] = owner.execute(
                "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
            ).fetchone() or (0,)
            return int(count)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drill:
    """The place of before, its backup, and what was forgotten since."""

    place: Place
    folder: Path
    backup: Path
    keys: Path
    receipts: Path
    homes: Any

    def new(self, name: str) -> Place:
        """Return another place, with nothing in it."""
        return Place(home=self.homes(name))

    def broken(self, how: str) -> tuple[Path, str]:
        """Return a copy of the backup that is broken, and the name of the file that tells."""
        broken = self.folder.parent / f"broken-{how}"
        shutil.copytree(self.backup, broken, dirs_exist_ok=True)
        if how == "unfinished":
            (broken / FILE).unlink()
            return broken, FILE
        largest = max((broken / "dump").iterdir(), key=lambda path: path.stat().st_size)
        content = largest.read_bytes()
        largest.unlink()
        if how != "missing":
            largest.write_bytes(content[:-1] if how == "cut" else content[:-1] + bytes([content[-1] ^ 1]))
        return broken, largest.name


@pytest.fixture(scope="module")
def drill() -> Iterator[Drill]:
    """Fill a place, back it up while it is written to, and forget something afterwards."""
    with temporary_homes() as homes:
        place = Place(home=homes("before"))
        assert place.manage("migrate", "-v0").returncode == 0
        filled = place.run(FILL)
        assert filled.returncode == 0, filled.stderr
        folder, keys = place.home.parent / "backups", place.home.parent / "keys.json"
        with place.start([sys.executable, "-c", WRITE], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "writing\n"
            made = place.answer("backup", folder, "--keys", keys)
            assert writer.poll() is None  # it wrote all the while
            writer.kill()
        receipts = folder.parent / "receipts.jsonl"
        forgotten = place.run(f"{SET_UP}\n{FORGET.format(filled.stdout.split(), str(receipts))}")
        assert forgotten.returncode == 0, forgotten.stderr
        yield Drill(
            place=place, folder=folder, backup=Path(made["folder"]), keys=keys, receipts=receipts, homes=homes
        )


def everything(place: Place) -> str:
    """Return all rows of a place as text, read past row security."""
    found = []
    with psycopg.connect(ensure(place.home).backup_database_url) as reader:
        names = reader.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        for (name,) in names:
            found += [row for (row,) in reader.execute(f'SELECT t::text FROM ONLY "{name}" t')]
    return "\n".join(found)


READABLE: Final = """
SELECT count(*) FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND has_table_privilege(oid, 'SELECT')
"""


def is_shut(place: Place) -> bool:
    """Tell whether the service's login may read nothing."""
    with psycopg.connect(ensure(place.home).database_url) as served:
        return served.execute(READABLE).fetchone() == (0,)


@pytest.mark.spec("S-05", "S-03", "T-01")
def test_what_was_comes_back_whole_and_what_was_forgotten_since_does_not(drill: Drill) -> None:
    place = drill.new("after")

    told = place.answer("restore", drill.backup, "--receipts", drill.receipts, "--keys", drill.keys)

    assert told["tenants"].keys() == {"acme", "bolt"}
    for tenant in told["tenants"].values():
        assert (tenant["breaks"], tenant["found"]) == (0, True)
        assert tenant["erased_again"] >= 1
    assert FORGOTTEN not in everything(place)
    checked = place.manage("check", "--database", "default")
    assert "no issues" in checked.stdout, checked.stderr
    assert "holds" in place.manage("audit", "verify", "--tenant", "acme").stdout
    assert "not empty" in place.refused("restore", drill.backup, "--receipts", drill.receipts)


def test_without_the_receipts_the_forgotten_would_be_back(drill: Drill) -> None:
    """The control: the backup holds it, so that its absence above is the receipts' doing."""
    place = drill.new("control")

    place.answer("restore", drill.backup, "--no-receipts", "--keys", drill.keys)

    assert FORGOTTEN in everything(place)
    assert "receipts" in place.refused("restore", drill.backup)  # one has to say which


def test_a_restore_that_is_killed_lets_nobody_in_and_can_be_done_again(drill: Drill) -> None:
    place = drill.new("killed")
    addresses = ensure(place.home)
    argv = [sys.executable, "manage.py", "restore", str(drill.backup), "--no-receipts"]
    with place.start(argv, stderr=subprocess.PIPE) as restoring:
        assert restoring.stderr is not None
        for line in restoring.stderr:
            if line.startswith("post-data"):
                break
        with suppress(ProcessLookupError):
            os.killpg(restoring.pid, signal.SIGKILL)

    with psycopg.connect(addresses.backup_database_url) as reader:
        assert reader.execute("SELECT count(*) > 0 FROM memory").fetchone() == (True,)
    assert is_shut(place)

    again = place.answer("restore", drill.backup, "--no-receipts", "--keys", drill.keys)
    assert again["tenants"]["acme"]["found"] is True
    assert not is_shut(place)
    with psycopg.connect(addresses.database_url) as served:
        assert served.execute("SELECT count(*) FROM memory").fetchone() == (0,)  # nobody is bound


@pytest.mark.parametrize("how", ["cut", "changed", "missing", "unfinished"])
def test_a_backup_that_is_not_what_was_written_is_named(drill: Drill, how: str) -> None:
    broken, named = drill.broken(how)

    with pytest.raises(CommandError, match=re.escape(named)):
        call_command("backup", broken, check=True)


def test_a_backup_that_is_not_what_was_written_is_refused_before_anything(drill: Drill) -> None:
    place, (broken, named) = drill.new("empty"), drill.broken("changed")

    assert named in place.refused("restore", broken, "--no-receipts")
    assert place.tables() == 0


def test_a_database_that_came_out_otherwise_stays_shut(drill: Drill) -> None:
    place, other = drill.new("otherwise"), drill.folder.parent / "otherwise"
    shutil.copytree(drill.backup, other)
    manifest = json.loads((other / FILE).read_text())
    tenant = next(iter(manifest["rows"]["memory"]))
    manifest["rows"]["memory"][tenant][0] += 1
    (other / FILE).write_text(json.dumps(manifest))

    said = place.refused("restore", other, "--no-receipts")

    assert f"memory, tenant {tenant}" in said
    assert is_shut(place)


def test_keys_stay_apart_from_backups(drill: Drill) -> None:
    assert json.loads(drill.keys.read_text())["CANDOR_SECRET_KEY"] == SECRET
    assert drill.keys.stat().st_mode & 0o077 == 0
    assert drill.backup.stat().st_mode & 0o077 == 0
    for path in drill.backup.rglob("*"):
        assert path.is_dir() or SECRET.encode() not in path.read_bytes()
    said = drill.place.refused("backup", drill.folder, "--keys", drill.folder / "keys.json")
    assert "do not belong beside" in said
    other = drill.new("other-key").refused(
        "restore", drill.backup, "--no-receipts", CANDOR_SECRET_KEY="x" * 60
    )
    assert "CANDOR_SECRET_KEY" in other


def test_old_backups_go_and_the_newest_stay(drill: Drill) -> None:
    folder = drill.folder.parent / "kept"
    cut = folder / "candor-20200101T000000.000000Z.partial"
    cut.mkdir(parents=True)
    first, second = (Path(drill.place.answer("backup", folder, "--keep", "1")["folder"]) for _ in range(2))

    assert [path.name for path in folder.iterdir()] == [second.name]
    assert not first.exists()
    assert not cut.exists()
    assert drill.place.answer("backup", "--check", second)["whole"] is True
