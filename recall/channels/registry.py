"""
The ways of finding memories, as a registry: a channel is one entry here, one file of SQL and a policy's line.

Each channel is a piece of SQL that ends in a CTE of the channel's name with (memory_id, score). What every
channel draws on is `visible`, so that a new channel cannot forget who may see what; what a channel of the
second stage draws on is `found`, which is made of it. `recall/retrieval/candidate_query.py` puts them into
one statement.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from recall.channels.graph import graph_parameters
from recall.questions import Prepared, parameters_of
from security.patterns import bounded
from tenants.sql import load_queries

DEADLINE_MS: Final = 2_000
"""How long PostgreSQL may take over the one statement before the channels run apart. Ours: a hundred times
what 10 000 memories take."""

_OWN: Final = Path(__file__).parents[1] / "sql"


class RecallUnavailable(RuntimeError):
    """No channel could be asked. Nothing was searched, which is not the same as nothing found: try again."""


SEEDS: Final = ("semantic", "lexical")
"""Whose rows the second stage starts from when it is asked without any channel of the first (SPEC R-01)."""


def _nothing(_prepared: Prepared) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A way of finding memories: the part of the question it cannot do without, its SQL, its stage."""

    name: str
    needs: str  #: the field of `Prepared` that must not be empty
    file: str = "queries"  #: the file in `recall/sql/` with the block of the channel's name
    shares: tuple[str, ...] = ()  #: blocks of CTEs it reads, which other channels may read too
    stage: Literal["first", "second"] = "first"
    """«first» reads `visible`. «second» reads `found` too: the rows of the first stage's channels, one for
    each channel and row, with a column for each channel's score (NULL of the others)."""
    deadline_ms: int = 1_000  #: how long it may take when the channels run apart
    knows: str = ""
    """A CTE of its file with the score of every visible row, for those that only other channels found."""
    takes: Callable[[Prepared], Mapping[str, Any]] = _nothing  #: parameters of its own, by name

    @property
    def seeds(self) -> tuple[str, ...]:
        """The channels whose rows it can start from, when it is of the second stage."""
        return SEEDS if self.stage == "second" else ()


CHANNELS: Final = {
    channel.name: channel
    for channel in (
        Channel(name="semantic", needs="vector"),
        Channel(name="lexical", needs="terms", file="words", shares=("hits",)),
        Channel(name="tag", needs="tag_terms", file="words"),
        Channel(name="fuzzy", needs="terms", file="words", shares=("hits",)),
        Channel(
            name="time",
            needs="when",
            file="time",
            knows="in_range",
            takes=lambda prepared: parameters_of(prepared.when),
        ),
        Channel(
            name="graph",
            needs="query",
            file="graph",
            stage="second",
            deadline_ms=200,  # SPEC R-01
            takes=graph_parameters,
        ),
    )
}

KNOWN_CHANNELS: Final = tuple(CHANNELS)

IN_VISIBLE: Final = bounded(r"\((\w+\.\w+) IN \(SELECT v\.id FROM visible v\)\) IS TRUE")
"""How every channel holds a row's id against `visible`; other wordings of the same are put in its place."""


def _load() -> dict[str, str]:
    """Return every statement and block by name. Raises ValueError when two files use one name."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(("queries", *(channel.file for channel in CHANNELS.values()))):
        blocks = load_queries(_OWN / f"{name}.sql")
        if twice := found.keys() & blocks.keys():
            raise ValueError(f"{name}.sql: {', '.join(sorted(twice))} stands in another file too")
        found |= blocks
    for name in ("begin_recall", "gate", "read_gate"):
        found[name] = found[name].replace("{moved}", found["moved"].strip())
    found["begin_recall"] = found["begin_recall"].replace("{has_archive}", found["has_archive"].strip())
    found["read_gate"] = found["read_gate"].replace("{seen}", found["seen"])
    return found


SQL: Final = _load()
