"""
Find what the turns that wait in a session change of an answer (SPEC R-10, K-06).

# Note [What waits against what stands]
«I moved to Kaohsiung» shares no word with «where does Ines live?», and waits; the answer shows Taipei. What a
waiting turn changes is told ahead as the write track will decide it (`memories.pipeline`): by exact keys
first, and by the local arbiter where keys say nothing. It is only told: the row stays below the turn with an
alert, and when the turn is processed all is decided anew. Whose word counts is the write track's law, too: a
turn of weaker origin than the row stands behind it.

The work is bounded whatever waits: the latest turns alone, some thousand characters of them, against the
first places of the answer, in one read. It is done after the recall was recorded, and not at all where
nothing waits.
"""

import logging
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from threading import Lock
from typing import Final
from uuid import UUID

import numpy as np
from django.db import DatabaseError

from memories.candidates import Draft, Neighbour, is_told, told_text
from memories.embedders import Embedder, Vectors, get_embedder_of
from memories.models import Capture
from memories.pipeline import (
    LONGEST_TURN,
    Bearing,
    by_arbiter,
    by_keys,
    comparable,
    may_be_judged,
    read_waiting,
)
from memories.reconciliation.arbiters import SPACE
from memories.storage import read_neighbours, similarities
from memories.vectors import Home
from recall.questions import Prepared
from recall.retrieval import is_weaker
from security.screening import screen, screen_names

log = logging.getLogger(__name__)

MOST_HELD: Final = 8
"""Latest waiting turns that are held against what the answer shows. Ours: a queue is a few turns long."""

MOST_CHARACTERS: Final = 4_000
"""Of all of these together: 50 ms of a core at worst to read them."""

MOST_PLACES: Final = 10
"""First places of the answer that they are held against. Ours: what a reader relies on is among them."""

MOST_JUDGED: Final = 4
"""Rows of the latest turns that the local arbiter judges: 0.5 ms for each of them and each place."""

MOST_EMBEDDED: Final = 2
"""Of these that are embedded for one recall. Ours: a session says a turn or two between its questions; what
it said before was embedded for the last one."""

MOST_KEPT: Final = 512
"""Vectors of waiting turns that a process keeps: 1.5 kB each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingChange:
    """A row of the answer that may not hold any more, by what waits."""

    row: UUID
    capture: UUID
    is_weaker: bool = False  #: the turn is of an origin that takes no place of the row's


def is_clean(capture: Capture) -> bool:
    """Tell whether no detector stops a turn, as the write track would be by noise, injection or disguise."""
    return not screen(capture.text) and not screen_names([capture.speaker])


def find_changes(
    captures: Iterable[Capture], places: Mapping[UUID, float], *, prepared: Prepared, home: Home
) -> list[WaitingChange]:
    """
    Return what the turns change of the rows in these places, in their order.

    captures: latest first. What a later turn says of a row has the word on it, be it that the row holds.
    """
    turns = list(_held(captures))
    if not turns:
        return []
    try:
        rows = read_neighbours(list(islice(places, MOST_PLACES)), space=home.space, shelf=home.shelf)
    except DatabaseError:
        log.exception("what waits could not be held against the answer")  # which stands without it
        return []
    judge = _Judge(rows, prepared, home)
    found: dict[UUID, WaitingChange] = {}
    held: set[UUID] = set()
    for capture, bearing in _bearings(turns, rows, judge):
        if bearing.row in held:
            continue
        held.add(bearing.row)
        if bearing.changes:
            found[bearing.row] = WaitingChange(
                row=bearing.row, capture=capture.id, is_weaker=bearing.is_weaker
            )
    return [found[row] for row in places if row in found]


def _held(captures: Iterable[Capture]) -> Iterator[Capture]:
    """Yield the latest turns that may change something: what an agent says by itself does not."""
    left = MOST_CHARACTERS
    said = (one for one in captures if one.role != "assistant" and len(one.text) <= LONGEST_TURN)
    for capture in islice(said, MOST_HELD):
        left -= len(capture.text)
        if left < 0:
            return
        if is_clean(capture):
            yield capture


def _bearings(
    turns: Iterable[Capture], rows: Sequence[Neighbour], judge: "_Judge"
) -> Iterator[tuple[Capture, Bearing]]:
    """Yield what the turns do to the rows, the latest turn first: by keys, else as the arbiter judges."""
    for capture in turns:
        for draft in read_waiting(capture):
            near = comparable(draft, rows, capture=capture)
            bearings = by_keys(draft, near) or judge.bearings(draft, near)
            yield from ((capture, bearing) for bearing in bearings)


class _Judge:
    """The local arbiter over one answer, with what is left of its means."""

    def __init__(self, rows: Sequence[Neighbour], prepared: Prepared, home: Home) -> None:
        self._prepared = prepared
        self._rows = {row.id: row for row in rows}
        self._judged = MOST_JUDGED
        self._embedded = MOST_EMBEDDED
        self._embedder = _embedder_for(home) if prepared.vector is not None else None
        self._query = _read_query(prepared) if self._embedder else None

    def bearings(self, draft: Draft, near: Sequence[Neighbour]) -> list[Bearing]:
        """Return what the draft does to these rows, as far as the arbiter is sure; nothing without means."""
        if self._embedder is None or not near or not may_be_judged(draft) or not self._judged:
            return []
        vector = self._vector(draft, self._embedder)
        if vector is None:
            return []
        self._judged -= 1
        measure = self._embedder.calibration("passage-passage")
        alike = similarities(vector, near, told=_is_told(draft), space=SPACE, calibration=measure)
        own = self._asked(vector, told=_is_told(draft))
        answers = [min(own, self._asked(row.vector, told=_is_told(row))) for row in near]
        return [
            Bearing(row=one, changes=True, is_weaker=_is_weaker(draft, self._rows[one]))
            for one in by_arbiter(draft, vector, near, alike=alike, answers=answers)
        ]

    def _asked(self, vector: Vectors | None, *, told: bool) -> float:
        """Return how similar a text is to the question, calibrated, in [0, 1]; 0 where nobody can tell."""
        if vector is None or self._query is None:
            return 0.0
        measure = self._prepared.of_turns if told else self._prepared.of_passages
        return float(measure.similarity([float(np.dot(self._query, vector))])[0])

    def _vector(self, draft: Draft, embedder: Embedder) -> Vectors | None:
        text = told_text(
            draft.content, kind=draft.kind, speaker=draft.speaker, said_at=draft.effective_at, zone=draft.zone
        )
        if (vector := _kept.get(text)) is not None:
            return vector
        if not self._embedded:
            return None
        self._embedded -= 1
        try:
            vector = np.asarray(embedder.embed_passages([text])[0], dtype=np.float32)
        except Exception:
            log.exception("a turn that waits could not be embedded")
            return None
        _kept.put(text, vector)
        return vector


def _embedder_for(home: Home) -> Embedder | None:
    """Return the built-in embedder where it is the tenant's: no other is asked for what only may be told."""
    return get_embedder_of(SPACE) if home.space == SPACE else None


def _read_query(prepared: Prepared) -> Vectors:
    return np.array(str(prepared.vector).strip("[]").split(","), dtype=np.float32)


def _is_told(one: Draft | Neighbour) -> bool:
    return is_told(kind=one.kind, speaker=one.speaker)


def _is_weaker(draft: Draft, near: Neighbour) -> bool:
    return is_weaker(draft.provenance, near.provenance, gap=near.trust - draft.trust)


class _Kept:
    """Vectors that were made of late, by a hash of their text. Thread-safe."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._vectors: OrderedDict[bytes, Vectors] = OrderedDict()

    def get(self, text: str) -> Vectors | None:
        with self._lock:
            return self._vectors.get(sha256(text.encode()).digest())

    def put(self, text: str, vector: Vectors) -> None:
        with self._lock:
            self._vectors[sha256(text.encode()).digest()] = vector
            while len(self._vectors) > MOST_KEPT:
                self._vectors.popitem(last=False)


_kept: Final = _Kept()
