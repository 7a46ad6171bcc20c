"""The last line: say what in an answer contradicts itself or has grown old (SPEC R-11)."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal
from uuid import UUID

from memories.domain import is_due

STATE_AGES_AFTER: Final = timedelta(days=180)
KNOWLEDGE_AGES_AFTER: Final = timedelta(days=90)
"""Unverified for longer than this, a single-valued state and a piece of knowledge are called old (R-11)."""

LEADING: Final = 3
"""First places whose age is spoken of (SPEC K-11). Ours: what a reader relies on; of what stands behind them
an alert would draw more attention than the row itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """What waits in arbitration against a shown memory: it is shown here and nowhere else (SPEC M-05)."""

    id: UUID
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterSaid:
    """Statements found with a memory after which it may not hold any more."""

    ids: tuple[UUID, ...]
    is_weaker: bool = False  #: none of them is to be preferred for being later


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What the alerts look at in a shown memory."""

    id: UUID
    card: str
    kind: str
    entity_key: str | None
    concept_key: str | None
    value: str | None
    cardinality: str | None
    assigned_by: str | None
    last_verified_at: datetime
    trust: float = 1.0
    provenance: str = ""
    rivals: tuple[Rival, ...] = ()
    later: LaterSaid | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """Something the reader should know before relying on these memories."""

    type: Literal["contradiction", "changed", "ageing", "unassigned_task", "failed_approach"]
    memories: tuple[UUID, ...]
    text: str


def find_alerts(
    shown: Sequence[Shown],
    *,
    now: datetime,
    leading: Collection[UUID] | None = None,
    watched: Collection[UUID] = frozenset(),
) -> tuple[Alert, ...]:
    """
    Return the alerts for one answer: contradictions, what may have changed, what is old, unassigned tasks.

    now: the asker's clock, in whose zone days are told. leading: what stands in the first places, of which
    alone age is told; None: the first `LEADING` of these. watched: memories with a watermark, which time
    alone does not age (SPEC E-08).
    """
    if leading is None:
        leading = {one.id for one in shown[:LEADING]}
    timed = [one for one in shown if one.id in leading and one.id not in watched]
    by_key = _contradictions(shown)
    return (
        *by_key,
        *_waiting_questions(shown),
        *_open_questions(shown, told=[frozenset(alert.memories) for alert in by_key]),
        *_changed(shown),
        *_ageing(timed, now),
        *_unassigned(shown),
    )


def _contradictions(shown: Sequence[Shown]) -> list[Alert]:
    by_key: defaultdict[tuple[str, str], list[Shown]] = defaultdict(list)
    for one in shown:
        if one.entity_key and one.concept_key and one.value is not None and one.cardinality == "single":
            by_key[one.entity_key, one.concept_key].append(one)
    return [
        Alert(
            type="contradiction",
            memories=tuple(one.id for one in rows),
            text=f"These disagree on {concept} of {entity}. Ask before relying on either.",
        )
        for (entity, concept), rows in by_key.items()
        if len({one.value for one in rows}) > 1
    ]


def _waiting_questions(shown: Sequence[Shown]) -> list[Alert]:
    """Return an alert for each shown memory against which another value waits that is not shown itself."""
    ids = {one.id for one in shown}
    return [
        Alert(
            type="contradiction",
            memories=(one.id, *(rival.id for rival in waiting)),
            text=f"Not settled against: {'; '.join(f'«{rival.content}»' for rival in waiting)}. "
            "Ask before relying on either.",
        )
        for one in shown
        if (waiting := [rival for rival in one.rivals if rival.id not in ids])
    ]


def _open_questions(shown: Sequence[Shown], *, told: Sequence[frozenset[UUID]]) -> list[Alert]:
    """Return an alert for each two shown memories that disagree under no common key, unless it is told."""
    places = {one.id: place for place, one in enumerate(shown)}
    pairs = [
        (one.id, rival.id)
        for one in shown
        for rival in one.rivals
        if places.get(rival.id, -1) > places[one.id]
    ]
    return [
        Alert(
            type="contradiction",
            memories=pair,
            text="These disagree, and nobody has settled it. Ask before relying on either.",
        )
        for pair in pairs
        if not any(set(pair) <= known for known in told)
    ]


CHANGED: Final = "This may have changed: a later statement bears on it. Prefer the later one, or ask."
CHANGED_BY_WEAKER: Final = (
    "A later statement of a weaker origin bears on this. Do not prefer it for being later: ask who knows."
)

WAITS: Final = (
    "This may have changed: something said in this session bears on it, and waits to be processed. "
    "Prefer that, or ask."
)
WAITS_WEAKER: Final = (
    "Something of a weaker origin that waits in this session bears on this. "
    "Do not prefer it for being later: ask who knows."
)


def _changed(shown: Sequence[Shown]) -> list[Alert]:
    """Return an alert for each shown memory that a later one may have made outdated (SPEC K-05)."""
    ids = {one.id for one in shown}
    return [
        Alert(
            type="changed",
            memories=(one.id, *(later for later in one.later.ids if later in ids)),
            text=CHANGED_BY_WEAKER if one.later.is_weaker else CHANGED,
        )
        for one in shown
        if one.later is not None
    ]


def _ageing(shown: Sequence[Shown], now: datetime) -> list[Alert]:
    return [
        Alert(
            type="ageing",
            memories=(one.id,),
            text=f"Last confirmed on {_told_age(one.last_verified_at, now)}. Verify it first.",
        )
        for one in shown
        if _is_old(one, now)
    ]


def _told_age(moment: datetime, now: datetime) -> str:
    """Return a moment's day in the zone of `now`, and how many days before that day it was."""
    day = moment.astimezone(now.tzinfo).date()
    return f"{day}, {(now.date() - day).days} days ago"


def _is_old(one: Shown, now: datetime) -> bool:
    """Tell whether nobody verified it for too long: by R-11's limits, or by a state's review score (E-08)."""
    limit = _limit(one)
    if limit is not None and now - one.last_verified_at > limit:
        return True
    return one.card == "state" and is_due(
        trust=one.trust,
        provenance=one.provenance,
        last_verified_at=one.last_verified_at,
        has_watermark=False,
        now=now,
    )


def _limit(one: Shown) -> timedelta | None:
    if one.card == "knowledge":
        return KNOWLEDGE_AGES_AFTER
    return STATE_AGES_AFTER if one.card == "state" and one.cardinality == "single" else None


def _unassigned(shown: Sequence[Shown]) -> list[Alert]:
    guesses = tuple(one.id for one in shown if one.kind == "task" and not one.assigned_by)
    if not guesses:
        return []
    return [
        Alert(type="unassigned_task", memories=guesses, text="Nobody assigned these tasks: they are guesses.")
    ]
