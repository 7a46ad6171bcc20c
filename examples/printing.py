"""How the demo prints: tables and bars on a terminal, plain lines where its output goes into a file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from enum import Enum
from threading import Lock
from typing import Any, Final
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

PIPE_COLUMNS: Final = 140
STEPS: Final = 5
"""Lines that stand for a progress bar where there is no terminal."""

FACTORS: Final = ("semantic", "keyword", "usefulness", "importance", "recency", "fused")

CONSOLE: Final = Console(highlight=False)
if not CONSOLE.is_terminal:
    CONSOLE.width = PIPE_COLUMNS


def say(line: str = "", style: str = "") -> None:
    """Print a line; one that is too long is broken by the terminal, so that it can still be copied whole."""
    CONSOLE.print(Text(line, style=style), soft_wrap=True)


def heading(line: str) -> None:
    """Print a heading with a blank line before it."""
    CONSOLE.print()
    CONSOLE.print(Text(line, style="bold"))


@contextmanager
def progress(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how far something is; yields what to call with how many more are done, from any thread."""
    if CONSOLE.is_terminal:
        columns = (
            TextColumn("  {task.description:<12}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=CONSOLE) as bar:
            task = bar.add_task(title, total=total)
            yield lambda more: bar.advance(task, more)
    else:
        yield _Lines(title, total).advance


class _Lines:
    """A progress bar as a few lines."""

    def __init__(self, title: str, total: int) -> None:
        self._title, self._total = title, total
        self._done = self._told = 0
        self._lock = Lock()

    def advance(self, more: int) -> None:
        """Count, and print a line at each fifth."""
        with self._lock:
            self._done += more
            step = self._done * STEPS // max(1, self._total)
            if step > self._told:
                self._told = step
                say(f"  {self._title:<12} {self._done}/{self._total}")


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, numbers: Sequence[str] = ()) -> None:
    """Print a table; the columns named in `numbers` stand right. Floats get three decimals."""
    shown = Table(box=None, padding=(0, 2, 0, 2), header_style="dim")
    for column in columns:
        shown.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    for row in rows:
        shown.add_row(*(Text(f"{cell:.3f}" if isinstance(cell, float) else str(cell)) for cell in row))
    CONSOLE.print(shown)


class Mark(Enum):
    """What is known of a memory in an answer: its sign and its style."""

    NONE = (" ", "")
    EXPECTED = ("✓", "green")
    REFUTED = ("✗", "red")


def print_result(place: int, result: Mapping[str, Any], mark: Mark, zone: ZoneInfo) -> None:
    """Print a memory in its place: score, text, then whose word it is and what the score is made of."""
    sign, style = mark.value
    line = f"  {place} {sign} {result['score']:.2f}  "
    say(line + shorten(result["content"], CONSOLE.width - len(line)), style)
    day = datetime.fromisoformat(result["occurred_at"]).astimezone(zone).date()
    said = [str(day), result["speaker"], result["kind"], f"trust {result['trust']:.2f}"]
    say(f"            {' · '.join(filter(None, said))}", "dim")
    say(f"            {tell_factors(result['explain'])}", "dim")


def tell_factors(explain: Mapping[str, Any]) -> str:
    """Return a score as the sum it is: six parts, times trust and layer, and what neighbours lent."""
    parts = " + ".join(f"{name} {_short(explain[name])}" for name in FACTORS)
    layer = f" × layer {explain['layer']:.2f}" if explain["layer"] != 1 else ""
    lent = f" + neighbours {_short(explain['neighbours'])}" if explain["neighbours"] else ""
    explored = ", explored" if explain["explored"] else ""
    return f"({parts}) × trust {_short(explain['trust'])}{layer}{lent}{explored}"


def _short(share: float) -> str:
    """Return a number with two digits after the point, without the zero before it."""
    return f"{share:.2f}".removeprefix("0")


def shorten(text: str, most: int) -> str:
    """Return the text on one line of at most `most` characters; wide characters count twice."""
    line = " ".join(text.split())
    shown = Text(line)
    shown.truncate(max(most, 8), overflow="ellipsis")
    return shown.plain
