"""
The one statement that asks all channels and reads what ranking needs of what they found.

When it fails or passes its deadline, `recall.answering.probing` asks the channels apart.
"""

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Final
from uuid import UUID

import numpy as np
from django.db import DatabaseError
from numpy.typing import NDArray

from memories.comparison import LONGEST
from memories.domain import WISH
from memories.vectors import Home, first_home
from recall.channels import CHANNELS, IN_VISIBLE, SQL
from recall.policies import RecallPolicy
from recall.questions import OURS, Prepared, Question
from recall.ranking import NEW_ABOVE
from recall.retrieval.ann_search import large_block
from recall.retrieval.visibility_cache import NOTHING_KEPT, Kept
from tenants.scope import Viewer
from tenants.sql import bound_cursor

# Note [Hidden or visible]
# Each channel holds its rows against what the viewer may see. To keep the ids of all that is visible and hash
# them anew for each channel took 9 of 24 ms at 10 000 memories. Most viewers see most of what row security
# lets them read, so one pass counts it and keeps the ids of what is hidden; where that is much, it costs what
# the other way costs; a pass without the archive tier counts its rows among what is hidden. A question that
# itself narrows what may be seen (kinds, tags, any axis, a time) is answered from the visible ids. So is any
# where rows are end users' own (SPEC K-09): vectors and postings do not tell whose they are, and row security
# keeps others' memories from being listed as hidden. Either way what is left out is left out before any limit
# (SPEC R-07).


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pool:
    """The candidates: n rows, a column for each thing known of them."""

    ids: list[UUID]
    found: dict[str, NDArray[np.float64]]  #: channel → scores, shape (n,), NaN where it did not find the row
    columns: dict[str, list[Any]]
    _numbers: dict[str, NDArray[np.float64]] = field(default_factory=dict, init=False, repr=False)

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Return a column as floats, NaN for NULL; the same array each time, not to be written to."""
        if name not in self._numbers:
            self._numbers[name] = np.array(self.columns[name], dtype=np.float64)
            self._numbers[name].flags.writeable = False
        return self._numbers[name]


COLUMNS: Final = (
    "memory_id", *CHANNELS, "word_score", "known", "cosine", "told", "has_figure", "counts", "kind",
    "claims_nothing", "speaker", "session", "turn", "importance", "trust", "provenance", "layer", "wish",
    "instruction", "entity_key", "concept_key", "effective_at", "last_verified_at", "q_value", "recalled",
    "verified", "last_recalled_at", "last_accessed_at", "archived", "clusters", "group_id", "echo",
    "premises", "familiar", "verdicts", "of_passage", "quoted", "text",
)  # fmt: skip


ASKS_ALONE: Final = 120
"""
Bytes of UTF-8 up to which a question says nothing but what it asks.

The longest of the reader's own 384 questions, in many languages, has 84, and that of LoCoMo's 24 has 115. «I
am preparing for …, and I have spent 3 hours on it, so can you help me …?» tells three things first.
"""


MOST_UNASKED: Final = 20
"""Rows of a channel that is asked as a seed only (SPEC R-01); the policy gives the depth of all others."""


MOST_INSTRUCTIONS: Final = 500
"""What people want from now on, of which the nearest to the question is taken: the newest. Ours: a bound, far
above what a person tells an agent."""


SPACES: Final = "".join(filter(str.isspace, map(chr, range(sys.maxunicode + 1))))
"""What `str.split` parts words at, for PostgreSQL."""


class StatementFailed(RuntimeError):
    """The database could not answer the channels' statement. Ask the channels apart to find the culprit."""

    def __init__(self, search: "Search", names: Sequence[str]) -> None:
        super().__init__(type(self).__doc__)
        self.search = search
        self.names = tuple(names)


SIZE: Final = "size AS MATERIALIZED (SELECT count(*)::float8 AS documents FROM visible)"


_UNLESS_HIDDEN: Final = r"(\1 IN (SELECT h.id FROM hidden h)) IS NOT TRUE"
_IF_ANY_IS_HIDDEN: Final = rf"((SELECT g.hidden IS NULL FROM gate g) OR {_UNLESS_HIDDEN})"
"""Most often nothing is hidden: then no row is looked up."""


def _unless_hidden(name: str, *, with_archive: bool) -> str:
    """Return a block's SQL that leaves out what is hidden in place of taking what is visible."""
    return IN_VISIBLE.sub(_IF_ANY_IS_HIDDEN if with_archive else _UNLESS_HIDDEN, SQL[name])


def _visible(conditions: Sequence[str], more: str) -> str:
    """Return the CTE of all that may be seen: what one of the conditions holds for, and `more`."""
    union = "\nUNION\n".join(SQL["visible"].replace("{seen}", one) + more for one in conditions)
    return f"visible AS MATERIALIZED (\n{union}\n)"


@lru_cache(maxsize=256)
def statement(
    names: tuple[str, ...],
    *,
    with_tags: bool,
    with_beside: bool,
    with_instruction: bool = False,
    seeds: tuple[str, ...] = (),
    conditions: tuple[str, ...] = (SQL["seen"],),
    with_archive: bool = True,
    sees_most: bool = False,
    large: Home | None = None,
) -> str:
    """
    Return the one statement that asks these channels and reads the features of all they found.

    seeds: channels that are asked too, but whose rows only the second stage reads. conditions: what may be
    seen is what one of them holds for. with_archive: the archive tier is searched like the rest.
    sees_most: see Note [Hidden or visible]. large: the home of a tenant that has a shelf of its own.
    """
    first = tuple(name for name in (*names, *seeds) if CHANNELS[name].stage == "first")
    second = tuple(name for name in names if CHANNELS[name].stage == "second")
    shared = dict.fromkeys(one for name in (*first, *second) for one in CHANNELS[name].shares)
    tagged = "\n" + SQL["having_tags"] if with_tags else ""
    more = tagged + ("" if with_archive else "\n" + SQL["in_use"])
    seen = conditions[0] if len(conditions) == 1 else f"({' OR '.join(f'({one})' for one in conditions)})"
    one_seen = seen + tagged + ("" if with_archive else "\n" + SQL["one_in_use"])
    beside = SQL["beside"].replace("{seen}", one_seen)
    instruction = SQL["instruction"].replace("{seen}", one_seen).replace("{most}", str(MOST_INSTRUCTIONS))
    brought = {"beside": with_beside, "instruction": with_instruction}
    block: Callable[[str], str] = SQL.__getitem__
    # Counted once: as a subquery it could be planned as the inner side of a loop, once for each hit.
    sight = [_visible(conditions, more), SIZE]
    if large is not None:
        block = partial(large_block, home=large, seen=one_seen)
        sight = [_visible(conditions, more), block("size")]
    elif sees_most and len(conditions) == 1 and not tagged:
        block = partial(_unless_hidden, with_archive=with_archive)
        sight = [SQL["gate"].replace("{seen}", seen), SQL["hidden" if with_archive else "hidden_in_use"]]
    voices = (_row(name, member=name in names, **{name: "score"}) for name in first)
    ctes = [
        *sight,
        *(block(name) for name in shared),
        *(block(name) for name in first),
        "found AS (\n    " + "\n    UNION ALL ".join(voices) + "\n)",
        *(block(name) for name in second),
        *([beside] if with_beside else []),
        *([instruction] if with_instruction else []),
        _pool(names, beside=[name for name, one in brought.items() if one]),
        SQL["verdict"],
    ]
    known = "(SELECT a.known FROM asked a)" if "hits" in shared else "NULL"
    features = SQL["features"].replace("{voices}", ", ".join(f"p.{name}" for name in CHANNELS))
    features = features.replace("{known}", known).replace("{longest}", str(LONGEST))
    features = features.replace("{asks_alone}", str(ASKS_ALONE))
    return "WITH " + ", ".join(ctes) + "\n" + features


_COLUMNS_OF_A_VOICE: Final = (*CHANNELS, "word_score")


def _row(source: str, *, member: bool, **told: str) -> str:
    """Return a SELECT of one source of the pool: what it tells, NULL for what it does not."""
    columns = (f"{told.get(name, 'NULL')}::float8 AS {name}" for name in _COLUMNS_OF_A_VOICE)
    return f"SELECT memory_id, {', '.join(columns)}, {member} AS member FROM {source}"


def _pool(names: tuple[str, ...], *, beside: Sequence[str]) -> str:
    """
    Return the CTEs of the pooled rows: `member` has one as often as it was found, `pool` has each once.

    What channels know of all rows comes along for members by UNION ALL and GROUP BY: a join against a CTE,
    whose size the planner takes for one row, compared every row with every other (5 ms).
    """
    second = (name for name in names if CHANNELS[name].stage == "second")
    members = ["SELECT * FROM found", *(_row(name, member=True, **{name: "score"}) for name in second)]
    members += [_row(name, member=True) for name in beside]
    known = [_row("scored", member=False, word_score="score")] if "lexical" in names else []
    known += [
        _row(CHANNELS[name].knows, member=False, **{name: "score"}) for name in names if CHANNELS[name].knows
    ]
    of_members = "WHERE (memory_id IN (SELECT o.memory_id FROM member o)) IS TRUE"
    sources = ["SELECT * FROM member", *(f"{one} {of_members}" for one in known)]
    best = ", ".join(f"max({name}) AS {name}" for name in _COLUMNS_OF_A_VOICE)
    every = "\n    UNION ALL "
    return (
        f"member AS MATERIALIZED (\n    {every.join(members)}\n), "
        f"pool AS (\n    SELECT memory_id, {best}\n    FROM (\n    {every.join(sources)}\n    ) every\n"
        "    GROUP BY memory_id HAVING bool_or(member)\n)"
    )


_OF_NOW: Final = ((SQL["seen"],), (SQL["seen"] + "\n" + SQL["kept_back"],))
"""Conditions of what holds now, which may be looked up row by row; the second is a rehearsal's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A question ready to be asked of the database by one viewer."""

    question: Question
    prepared: Prepared
    policy: RecallPolicy
    viewer: Viewer
    visible: Mapping[str, Any]  #: parameters of the conditions
    conditions: tuple[str, ...] = (SQL["seen"],)  #: what may be seen is what one of them holds for
    home: Home = field(default_factory=first_home)  #: where the tenant's vectors are
    exact: bool = False  #: no index is searched, however big the tenant
    has_persons: bool = False  #: rows are end users' own: see Note [Hidden or visible]
    has_archive: bool = True  #: some row is of the archive tier; False spares a second pass
    kept: Kept | None = None  #: what was hidden from this viewer when it was looked at last

    @property
    def sees_most(self) -> bool:
        """Whether rows are held against what is hidden: see Note [Hidden or visible]."""
        return not self.question.kinds and not self.question.where and not self.has_persons

    @property
    def passes_gate(self) -> bool:
        """Whether the statement has the block `gate` of what holds now, and of nothing narrower."""
        of_now = self.conditions == (SQL["seen"],) and not self.prepared.required_tags
        return self.sees_most and of_now and self.large is None

    @property
    def large(self) -> Home | None:
        """Its home, if an index is searched: it has a shelf of its own, and what holds now is asked for."""
        may_be = self.home.shelf and not self.exact and self.conditions in _OF_NOW
        return self.home if may_be else None

    def askable(self, *, without: Collection[str] = ()) -> tuple[str, ...]:
        """Return the policy's channels, but these, for which the question has what they need."""
        fed = [one.name for one in self.policy.channels if one.name not in without and self.feeds(one.name)]
        has_first = any(not CHANNELS[name].seeds for name in fed) or self.seeds_for(fed, without=without)
        return tuple(fed) if has_first else ()

    def seeds_for(self, names: Sequence[str], *, without: Collection[str] = ()) -> tuple[str, ...]:
        """Return the channels whose rows the others start from, when none of the first stage is asked."""
        if any(not CHANNELS[name].seeds for name in names):
            return ()
        wanted = dict.fromkeys(seed for name in names for seed in CHANNELS[name].seeds)
        return tuple(seed for seed in wanted if seed not in without and self.feeds(seed))

    def feeds(self, name: str) -> bool:
        """Tell whether the question has what a channel needs, or what one of its seeds needs."""
        channel = CHANNELS[name]
        has_need = bool(getattr(self.prepared, channel.needs))
        return has_need and (not channel.seeds or any(map(self.feeds, channel.seeds)))


def find_candidates(
    search: Search, names: Sequence[str], *, without: Sequence[str] = (), with_archive: bool = True
) -> Pool:
    """
    Ask these channels in one statement, inside the caller's unit of work, which sets the deadline.

    without: channels that must not be asked, not as seeds either. with_archive: rows of the archive tier come
    too, marked in the column `archived`. Raises StatementFailed.

    No channel at all (a question without a word, the embedder out) finds nothing without asking.
    """
    if not names:
        return _gather([])
    try:
        # Its plan is kept: to make one of six channels takes 5 ms, a third of what it takes to run at 10 000.
        with bound_cursor() as cursor:
            cursor.execute(
                statement_of(search, names, without=without, with_archive=with_archive), parameters(search)
            )
            return _gather(cursor.fetchall())
    except DatabaseError as error:
        raise StatementFailed(search, names) from error


def statement_of(
    search: Search,
    names: Sequence[str],
    *,
    without: Sequence[str] = (),
    alone: bool = False,
    with_archive: bool = True,
) -> str:
    """
    Return the statement that asks these channels for this question.

    alone: to see how a channel does by itself, without the turns beside what it finds.
    """
    seeds = search.seeds_for(names, without=without)
    return statement(
        tuple(names),
        with_tags=bool(search.prepared.required_tags),
        with_beside=search.policy.neighbour_share > 0 and not alone,
        with_instruction=search.policy.instructs and search.prepared.vector is not None and not alone,
        seeds=seeds,
        conditions=search.conditions,
        with_archive=with_archive,
        sees_most=search.sees_most,
        large=search.large,
    )


def parameters(search: Search) -> dict[str, Any]:
    """Return the statement's parameters by name."""
    prepared, question = search.prepared, search.question
    depths = dict.fromkeys(CHANNELS, MOST_UNASKED)
    depths |= {channel.name: channel.depth for channel in search.policy.channels}
    own = [channel.takes(prepared) for channel in CHANNELS.values()]
    return {
        "of_then": False,
        **search.visible,
        **(search.kept.parameters() if search.kept else NOTHING_KEPT),
        **{f"{name}_depth": depth for name, depth in depths.items()},
        **{name: value for taken in own for name, value in taken.items()},
        "tenant": search.viewer.tenant_id,
        "kinds": list(question.kinds) or None,
        "tags": list(prepared.required_tags),
        "terms": list(prepared.terms),
        "tag_terms": list(prepared.tag_terms),
        "asked": prepared.as_said,
        "spaces": SPACES,
        "wish": WISH,
        "new_above": str(NEW_ABOVE),
        "counted": list(prepared.counted) if prepared.counted else None,
        "ours": OURS if prepared.wants_current_value else None,
        "vector": prepared.vector,
        "space": search.home.space,
        "shelf": search.home.shelf,
    }


def _gather(rows: list[tuple[Any, ...]]) -> Pool:
    columns = (
        dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))
        if rows
        else {name: [] for name in COLUMNS}
    )
    found = {name: np.array(columns[name], dtype=np.float64) for name in CHANNELS}
    return Pool(ids=columns["memory_id"], found=found, columns=columns)
