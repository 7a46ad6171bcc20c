"""
Gather what a model that judges is shown with a turn (SPEC K-07).

The words as they were said, what its times and amounts mean, up to six turns before in the session, and the
rows that stand near. All of it is of the turn's own class or below and in its owner's sight: what a model
says of it is told to whoever reads the memory, see Note [Seen from one's own class].
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Final
from uuid import UUID

from memories.candidates import Draft, Made, Neighbour, Places, annotate, find_places, index_drafts
from memories.domain import SAID_BY_NOBODY
from memories.extraction import keep_words
from memories.gates import read_turns_before
from memories.language import fold, split_sentences
from memories.llms import MOST_EARLIER, MOST_ROWS, Annotated, Briefing, Earlier, ShownRow, Turn
from memories.models import Capture
from memories.reconciliation import SUPERSEDED
from memories.storage import look_around_each
from memories.temporal import Normalised
from memories.vectors import active_embedder
from tenants.scope import unit_of_work

MOST_LOOKED_AROUND: Final = 8
"""Rows of one capture whose neighbours are looked for; what is longer is a paste."""

MOST_ANNOTATED: Final = 24

MOST_OF_SESSION: Final = 4
"""Of the rows shown, the latest of the turn's session: what is said again or put right is said soon."""

_SCREENED: Final = ("stored", "discarded")
"""States of captures that passed the guard: what is in quarantine, or waits for it, is shown to no model."""


def brief(
    capture: Capture, turn: Turn, normalised: Normalised, *, owner_domains: Sequence[str], made: Made
) -> Briefing:
    """
    Return what a model is shown with this turn. Embeds: never in a transaction.

    made: where vectors are kept, so that what is stored of the turn need not be embedded again.
    """
    places = find_places(capture.text)
    drafts = keep_words(capture, turn, normalised, (), owner_domains=owner_domains)
    return Briefing(
        said=_as_said(capture.text, turn.text, places),
        annotations=tuple(islice(_annotated(capture.text, normalised, places), MOST_ANNOTATED)),
        earlier=_read_earlier(capture),
        rows=_find_rows(drafts[:MOST_LOOKED_AROUND], capture, made),
    )


def _as_said(said: str, text: str, places: Places) -> tuple[str, ...]:
    spans = (places.of_folded(one.start, one.end) for one in split_sentences(text))
    return tuple(said[start:end] for start, end in spans)


def _annotated(said: str, normalised: Normalised, places: Places) -> Iterator[Annotated]:
    for one in annotate(normalised, fold(said), places):
        if one.value:
            yield Annotated(words=said[one.start : one.end], kind=one.kind, value=one.value)


def _read_earlier(capture: Capture) -> tuple[Earlier, ...]:
    """Return the turns before of the same session, agent and project, oldest first."""
    latest = read_turns_before(
        capture, "role", "speaker", "text", most=MOST_EARLIER, state__in=_SCREENED
    )  # fmt: skip
    return tuple(Earlier(role=role, speaker=speaker, text=text) for role, speaker, text in reversed(latest))


def _find_rows(drafts: Sequence[Draft], capture: Capture, made: Made) -> tuple[ShownRow, ...]:
    """Return the live rows nearest to any of the drafts that were said no later than the capture."""
    if not drafts:
        return ()
    embedder = active_embedder()
    candidates = index_drafts(drafts, embedder=embedder, made=made)
    looks = look_around_each(candidates, calibration=embedder.calibration("passage-passage"))
    nearest: dict[UUID, Neighbour] = {}
    for near in (near for look in looks for near in look.neighbours):
        if near.standing == SUPERSEDED or near.kind in SAID_BY_NOBODY or near.capture_id == capture.id:
            continue
        if near.id not in nearest or (near.similarity or 0.0) > (nearest[near.id].similarity or 0.0):
            nearest[near.id] = near
    said_at = read_said_at(tuple(nearest.values()))
    known = [near for near in nearest.values() if said_at[near.id] <= capture.clock]
    rows = choose_rows(known, session=capture.session, said_at=said_at)
    return tuple(_shown(f"m{place}", near, said_at[near.id]) for place, near in enumerate(rows, start=1))


def choose_rows(
    known: Iterable[Neighbour], *, session: str, said_at: Mapping[UUID, datetime]
) -> list[Neighbour]:
    """
    Return the rows that a model is shown, at most MOST_ROWS: the latest of the session, then the nearest.

    One of the session may be far by its vector and bear on the turn all the same: in another language.
    """
    nearest = sorted(
        known, key=lambda near: (near.similarity or 0.0, near.effective_at, near.id), reverse=True
    )
    own = [near for near in nearest if session and near.session == session]
    latest = sorted(own, key=lambda near: (said_at[near.id], near.id))[-MOST_OF_SESSION:]
    taken = {near.id for near in latest}
    others = [near for near in nearest if near.id not in taken]
    return [*latest[::-1], *others][:MOST_ROWS]


def read_said_at(rows: Sequence[Neighbour]) -> dict[UUID, datetime]:
    """Return when each row was said: by its capture's clock, else since when it holds."""
    captures = {near.capture_id for near in rows if near.capture_id is not None}
    with unit_of_work():
        clocks = dict(Capture.objects.filter(id__in=captures).values_list("id", "clock"))
    return {near.id: clocks.get(near.capture_id, near.effective_at) for near in rows}


def _shown(handle: str, near: Neighbour, said_at: datetime) -> ShownRow:
    return ShownRow(
        handle=handle, id=near.id, version=near.version, text=near.content, said_at=said_at,
        speaker=near.speaker, kind=near.kind, entity_key=near.entity_key, concept_key=near.concept_key,
        value=near.value,
    )  # fmt: skip
