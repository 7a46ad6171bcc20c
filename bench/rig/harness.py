"""What all measurements share: their arguments, a service of their own, tables, and the file of figures."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from bench.rig.service import PROJECT, Service, choose_port

OUT: Final = PROJECT / "bench" / "out"
DEFAULT_DATA: Final = PROJECT.parent / "shared" / "data"
DEFAULT_SEED: Final = 1
PIPE_COLUMNS: Final = 110

ELSEWHERE: Final = (
    "DATABASE_URL", "OWNER_DATABASE_URL", "BROKER_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL",
    "OPENAI_API_KEY", "OPENAI_BASE_URL", "CANDOR_LLM", "CANDOR_LLM_MODEL", "CANDOR_DECIDER",
    "CANDOR_DECIDER_BASE_URL", "CANDOR_DECIDER_MODEL",
)  # fmt: skip
"""What would lead a bench out of its own home: to another database, broker or model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How a measurement was asked for."""

    data: Path  #: folder of the data files
    seed: int
    quick: bool  #: less of everything: to see that it runs, not to quote
    model: str = ""  #: which model reads and judges; empty: none, as the product ships

    def file(self, name: str) -> Path:
        """Return a data file. Raises NoData."""
        path = self.data / name
        if not path.is_file():
            raise NoData(f"no data at {path}")
        return path


class NoData(LookupError):
    """A measurement's data file is not there; the message says where it was looked for."""


def make_console() -> Console:
    """Return a console that keeps its width when its output goes into a file."""
    console = Console()
    return console if console.is_terminal else Console(width=PIPE_COLUMNS)


CONSOLE: Final = make_console()


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table: the first column left, the others right; floats to three decimals."""
    table = Table()
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if place else "left")
    for row in rows:
        table.add_row(*(f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row))
    CONSOLE.print(title, style="bold")
    CONSOLE.print(table)


def report(name: str, figures: Mapping[str, Any]) -> None:
    """Write the figures to bench/out/NAME.json and print them as the last line."""
    line = json.dumps(figures)
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / f"{name}.json").write_text(line + "\n")
    print(line)


@contextmanager
def own_service(settings: Mapping[str, str] | None = None) -> Iterator[Service]:
    """
    Run the service in a new home, on a port of its own; nothing of it is left afterwards.

    settings: of its environment, besides this process's.
    """
    folder = Path(tempfile.mkdtemp(prefix="candor-bench-"))
    folder.chmod(0o711)  # the system user that root's servers run under has to walk through
    env = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    env |= {"CANDOR_HOME": str(folder / "home"), "CANDOR_KEY_REQUESTS_PER_MINUTE": "1000000"}
    env |= settings or {}
    try:
        with Service(port=choose_port(), env=env) as service:
            service.wait_ready()
            yield service
    finally:
        shutil.rmtree(folder)
