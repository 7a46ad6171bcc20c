"""
The arbitration queue: what contradicts itself, and a person's answer (SPEC W-12, H-02).

# Note [Questions]
A contender waits for exactly one answer: the question between it and the value that is current. When that
value changes, questions about the former one are idle and closed as such, and the contender's is asked
against the new one. So whoever answers always answers about what recall shows.

# Note [Questions without a key]
Two rows may exclude each other under no common key: findings, decisions, statements that nobody keyed. Both
stand until somebody has answered, and recall says so beside either. Such a question has no entity and no
concept; it becomes idle when one side is retired, and nothing waits behind it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from memories.candidates import Outcome, Statement, arbitrate
from memories.language import concept_spelling, entity_spelling
from memories.models import Contradiction, Memory
from memories.queries import run
from memories.storage.lifecycle import move_stat, place_row, promote, supersede
from memories.storage.read import MemoryView, memory_view, within_sight
from memories.storage.relate import NewLink, write_links
from security import audit
from tenants.managers import page_of
from tenants.models import new_id
from tenants.rights import require_person, require_right
from tenants.scope import NotFound, unit_of_work
from tenants.sql import LockNamespace, lock_tenant

IDLE: Final = "superseded"
"""Who resolved a question that a later change made idle."""

NO_KEY: Final = {"entity_key": "", "concept_key": ""}
"""Under which questions stand whose sides have no key in common: see Note [Questions without a key]."""

TRUST_GAPPED: Final = "trust_gap"
"""Who resolved a question that the gap of trust decides (SPEC W-12)."""

_SETTLED: Final = {Outcome.KEEP_OLD: "keep_old", Outcome.ACCEPT_NEW: "accept_new"}


class AnsweredOtherwise(RuntimeError):
    """This contradiction was resolved already, with another verdict. Nothing was changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionView:
    """A contradiction as those see it who may see both memories."""

    id: UUID
    entity_key: str
    concept_key: str
    older: MemoryView
    newer: MemoryView
    trust_gap: float  #: trust of the newer one less that of the older when it arose, in [-1, 1]
    reason: str
    opened_at: datetime
    verdict: str | None  #: keep_old, accept_new, coexist
    resolved_at: datetime | None
    resolved_by: str
    classification: int

    @property
    def state(self) -> str:
        """Return open or resolved."""
        return "open" if self.resolved_at is None else "resolved"

    @property
    def created_at(self) -> datetime:
        """Return the moment that lists are ordered by."""
        return self.opened_at


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionFilter:
    """Which contradictions are wanted; what is left None or empty filters nothing."""

    states: tuple[str, ...] = ("open",)
    entity_key: str | None = None
    concept_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionPair:
    """Two rows that cannot both hold, in the order of their effective times."""

    older: UUID
    newer: UUID
    trust_gap: float
    reason: str
    classification: int


def ask(
    pair: ContradictionPair,
    *,
    entity_key: str,
    concept_key: str,
    now: datetime,
    verdict: str | None = None,
    by: str = "",
) -> None:
    """Put a contradiction on record: open, or with the verdict it had at once. One answered stays so."""
    asked = run(
        "ask_question", id=new_id(), older=pair.older, newer=pair.newer, entity_key=entity_key,
        concept_key=concept_key, trust_gap=pair.trust_gap, reason=pair.reason, now=now, verdict=verdict,
        resolved_by=by, classification=pair.classification,
    )  # fmt: skip
    for row in asked:
        action = "contradiction.resolve" if verdict else "contradiction.open"
        _note(action, row["id"], now, pair.classification, verdict=verdict, by=by, reason=pair.reason)


def reconcile(*, entity_key: str, concept_key: str, now: datetime, closed_by: str = IDLE) -> None:
    """Close the concept's idle questions and ask for each contender that has none: see Note [Questions]."""
    concept = {"entity_key": entity_key, "concept_key": concept_key}
    for row in run("close_idle_questions", **concept, now=now, resolved_by=closed_by):
        _note(
            "contradiction.resolve",
            row["id"],
            now,
            row["classification"],
            verdict=row["verdict"],
            by=closed_by,
        )
    for row in run("find_unasked", **concept):
        waits_for_older = row["effective_at"] >= row["current_effective_at"]
        first, last = ("current_", "") if waits_for_older else ("", "current_")
        pair = ContradictionPair(
            older=row[f"{first}id"], newer=row[f"{last}id"], classification=row["classification"],
            trust_gap=round(row[f"{last}trust"] - row[f"{first}trust"], 6),
            reason="another value took the place of the one asked about",
        )  # fmt: skip
        ask(pair, **concept, now=now)


def list_contradictions(
    wanted: ContradictionFilter, *, after: tuple[datetime, UUID] | None = None, most: int
) -> tuple[ContradictionView, ...]:
    """
    Return at most `most` contradictions both sides of which the viewer in force may see, newest first.

    after: (opened_at, id) of the last one had already.
    """
    with unit_of_work():
        rows = page_of(_within_sight().filter(_condition(wanted)), by="opened_at", after=after)
        return tuple(_view(row) for row in rows[:most])


def get_contradiction(contradiction_id: UUID) -> ContradictionView:
    """Return the contradiction, if the viewer in force may see both its memories. Raises NotFound."""
    with unit_of_work():
        return _view(_one(contradiction_id))


def contradictions_in_sight(ids: Iterable[UUID]) -> dict[UUID, tuple[UUID, ...]]:
    """Return those that the viewer in force may see, with both memories, within a unit of work."""
    rows = _within_sight().filter(id__in=list(ids)).values_list("id", "older_id", "newer_id")
    return {row_id: (older, newer) for row_id, older, newer in rows}


def resolve_contradiction(
    contradiction_id: UUID, verdict: str, *, now: datetime, reason: str = ""
) -> ContradictionView:
    """
    Give a person's answer, and let what stands follow it; the same answer again changes nothing.

    verdict: keep_old, accept_new, coexist. Raises NotForAgents, NotFound, NoRight, AnsweredOtherwise.
    """
    viewer = require_person("Which of two values holds is a person's to say")
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        row = _one(contradiction_id)
        require_right(viewer, "arbitrate", row.older.project_id, row.newer.project_id)
        if row.verdict == verdict:
            return _view(row)
        if row.verdict is not None:
            raise AnsweredOtherwise(AnsweredOtherwise.__doc__)
        by = f"{viewer.actor_kind}:{viewer.actor_id}"
        Contradiction.objects.filter(id=row.id).update(verdict=verdict, resolved_at=now, resolved_by=by)
        _note("contradiction.resolve", row.id, now, row.classification, verdict=verdict, by=by, reason=reason)
        _carry_out(row, verdict, now)
        reconcile(entity_key=row.entity_key, concept_key=row.concept_key, now=now)
        return _view(_one(contradiction_id))


def settle_by_trust(contradiction_id: UUID, *, now: datetime) -> str | None:
    """
    Settle an open question if the gap of trust decides it as both are trusted now; return the verdict.

    None when it does not, or when the question is closed or idle meanwhile. To be called as the pipeline.
    """
    with unit_of_work():
        lock_tenant(LockNamespace.STORE)
        rows = Contradiction.objects.select_related("older", "newer").filter(
            id=contradiction_id, verdict=None, older__archived_at=None, newer__archived_at=None
        )
        row: Contradiction | None = rows.exclude(Q(older__standing=2) | Q(newer__standing=2)).first()
        if row is None:
            return None
        settled = arbitrate(_statement(row.older), _statement(row.newer))
        if (verdict := _SETTLED.get(settled.outcome)) is None:
            return None
        gap = round(row.newer.trust - row.older.trust, 6)
        Contradiction.objects.filter(id=row.id).update(
            verdict=verdict, resolved_at=now, resolved_by=TRUST_GAPPED, reason=settled.reason, trust_gap=gap
        )
        _note(
            "contradiction.resolve", row.id, now, row.classification, verdict=verdict, by=TRUST_GAPPED,
            reason=settled.reason,
        )  # fmt: skip
        _carry_out(row, verdict, now)
        reconcile(entity_key=row.entity_key, concept_key=row.concept_key, now=now)
        return verdict


def _statement(row: Memory) -> Statement:
    return Statement(
        provenance=row.provenance, trust=row.trust, effective_at=row.effective_at, session=row.session,
        speaker=row.speaker, voice=row.voice,
    )  # fmt: skip


def _carry_out(row: Contradiction, verdict: str, now: datetime) -> None:
    """Let the two memories stand as the verdict says."""
    if verdict == "coexist":
        sides = [*_with_restatements(row.older), *_with_restatements(row.newer)]
        ids = [side.id for side in sides]
        Memory.objects.filter(id__in=ids, card="state").update(cardinality="multi", updated_at=now)
        for side in sides:
            promote(place_row(side), now=now)
        move_stat(row.classification, documents=0, length=0)
        return
    holds, loses = (row.older, row.newer) if verdict == "keep_old" else (row.newer, row.older)
    supersede([place_row(one) for one in _with_restatements(loses)], by=holds.id, now=now)
    for one in _with_restatements(holds):
        promote(place_row(one), now=now)
    link = NewLink(
        source=holds.id, target=loses.id, type="supersedes", weight=1.0, confidence=1.0,
        classification=row.classification,
    )  # fmt: skip
    write_links([link], now=now)


def _with_restatements(side: Memory) -> list[Memory]:
    """Return a side of a question with the rows that say its value again for the same readers."""
    if side.group_id is None:
        return [side]
    others = Memory.objects.filter(
        group_id=side.group_id, standing=side.standing, archived_at=None, card=side.card,
        agent_id=side.agent_id, project_id=side.project_id, shared=side.shared, domain=side.domain,
        person=side.person, classification=side.classification,
    ).exclude(id=side.id)  # fmt: skip
    return [side, *others.order_by("effective_at", "id")]


def _within_sight() -> QuerySet[Any]:
    """Return the contradictions both memories of which may be seen."""
    rows = Contradiction.objects.select_related("older__usage", "newer__usage")
    for side in ("older_id", "newer_id"):
        rows = rows.filter(Exists(within_sight(None).filter(id=OuterRef(side))))
    return rows


def _condition(wanted: ContradictionFilter) -> Q:
    condition = Q()
    if set(wanted.states) == {"open"}:
        condition &= Q(resolved_at__isnull=True)
    if set(wanted.states) == {"resolved"}:
        condition &= Q(resolved_at__isnull=False)
    if wanted.entity_key is not None:
        condition &= Q(entity_key=entity_spelling(wanted.entity_key) or "")
    if wanted.concept_key is not None:
        condition &= Q(concept_key=concept_spelling(wanted.concept_key) or "")
    return condition


def _one(contradiction_id: UUID) -> Contradiction:
    row: Contradiction | None = _within_sight().filter(id=contradiction_id).first()
    if row is None:
        raise NotFound(NotFound.__doc__)
    return row


def _view(row: Contradiction) -> ContradictionView:
    return ContradictionView(
        id=row.id, entity_key=row.entity_key, concept_key=row.concept_key, older=memory_view(row.older),
        newer=memory_view(row.newer), trust_gap=row.trust_gap, reason=row.reason, opened_at=row.opened_at,
        verdict=row.verdict, resolved_at=row.resolved_at, resolved_by=row.resolved_by,
        classification=row.classification,
    )  # fmt: skip


def _note(
    action: str, object_id: UUID, now: datetime, classification: int, *,
    verdict: str | None, by: str, reason: str = "",
) -> None:  # fmt: skip
    detail = {"verdict": verdict, "by": by} if verdict else {}
    audit.append(
        action, object_type="contradiction", object_id=object_id, now=now, detail=detail, reason=reason,
        classification=classification,
    )  # fmt: skip
