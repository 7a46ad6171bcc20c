"""The step that looks around a few memories again: what holds is verified, what is new linked (SPEC W-14)."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import numpy as np

from evolution.steps import QUERIES, Night, StepOutcome, find_due, note_seen
from memories.calibration import LINK_ABOVE, Calibration, NoCalibration
from memories.candidates import Candidate, Draft, bare_cosines, is_told, terms_of
from memories.curation import as_neighbour
from memories.domain import CARDS
from memories.embedders import NoEmbedder, Vectors, get_embedder_of
from memories.models import Memory
from memories.reconciliation import SUPERSEDED
from memories.storage import find_above, find_neighbours, link_neighbours, vector_text, write_links
from memories.vectors import Home, read_homes
from tenants.scope import FULL_CLEARANCE, unit_of_work
from tenants.sql import LockNamespace, lock_tenant

DIGITS: Final = 6
"""To which a similarity is noted: what differs less is the same as before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A memory, its vector, and how cosines are read there."""

    row: Memory
    home: Home
    vector: Vectors
    calibration: Calibration


@dataclass(frozen=True, slots=True, kw_only=True)
class _Likeness:
    """The other end of a link of likeness, and how alike both are now."""

    other: UUID
    similarity: float | None  #: calibrated; None: the other has no vector here


def relink(night: Night) -> StepOutcome:
    """
    See to the links of 20 memories that were not looked around for 7 days.

    Links of likeness are measured anew: one that holds is verified, one that does not is left to pruning. The
    neighbours it has today are linked as if it were stored now. Each memory is one unit of work. A tenant
    whose space has no embedder here keeps what it has.
    """
    due = find_due("links", night)
    counts: Counter[str] = Counter(looked_at=len(due.memories))
    for done, memory_id in enumerate(due.memories, start=1):
        with unit_of_work():
            counts += _see_to(memory_id, night)
        night.progress(done, len(due.memories))
        if night.is_over():
            return StepOutcome(counts=dict(counts), resume_from=memory_id.hex)
    return StepOutcome(counts=dict(counts), resume_from=due.resume_from)


def _see_to(memory_id: UUID, night: Night) -> Counter[str]:
    lock_tenant(LockNamespace.STORE)
    row = Memory.objects.select_related("document", "agent").get(id=memory_id)
    place = _place(row)
    counts: Counter[str] = Counter()
    if place is not None and row.standing != SUPERSEDED:
        likenesses = _measure(place)
        counts = _verify(place, likenesses, night)
        counts["found"] = _link(place, {one.other for one in likenesses}, night)
    if not night.dry_run:
        note_seen("links", (memory_id,), night)
    return counts


def _place(row: Memory) -> _Place | None:
    """Return where the memory stands; None without a vector, or where nobody can read cosines."""
    home = read_homes()[0]
    found = QUERIES.run("read_vector", memory=row.id, space=home.space, shelf=home.shelf)
    try:
        calibration = get_embedder_of(home.space).calibration("passage-passage")
    except (NoEmbedder, NoCalibration):
        return None
    if not found:
        return None
    vector = np.array(found[0]["vector"].strip("[]").split(","), dtype=np.float32)
    return _Place(row=row, home=home, vector=vector, calibration=calibration)


def _measure(place: _Place) -> list[_Likeness]:
    """Return the memory's found links of likeness, measured anew."""
    rows = QUERIES.run(
        "find_likenesses", memory=place.row.id, vector=vector_text(place.vector), space=place.home.space,
        shelf=place.home.shelf,
    )  # fmt: skip
    return [_Likeness(other=one["target_id"], similarity=_alike(place, one)) for one in rows]


def _alike(place: _Place, other: dict[str, Any]) -> float | None:
    if other["cosine"] is None:
        return None
    ends = ((place.row.kind, place.row.speaker), (other["kind"], other["speaker"]))
    told = sum(is_told(kind=kind, speaker=speaker) for kind, speaker in ends)
    bare = bare_cosines([other["cosine"]], space=place.home.space, told=told)
    return round(float(place.calibration.similarity(bare)[0]), DIGITS)


def _verify(place: _Place, likenesses: list[_Likeness], night: Night) -> Counter[str]:
    """Write how far each link of likeness holds; one that does is verified by that."""
    known = {one.other: one.similarity for one in likenesses if one.similarity is not None}
    if known and not night.dry_run:
        QUERIES.run(
            "weigh_links", memory=place.row.id, others=list(known), confidences=list(known.values()),
            floor=LINK_ABOVE, now=night.now,
        )  # fmt: skip
    holding = sum(similarity > LINK_ABOVE for similarity in known.values())
    return Counter(verified=holding, doubtful=len(known) - holding)


def _link(place: _Place, known: set[UUID], night: Night) -> int:
    """Link the memory with the neighbours it has today; return how many new ones were found."""
    candidate = _as_candidate(place)
    neighbours, _ = find_neighbours(candidate, calibration=place.calibration)
    neighbours += find_above(candidate, range(FULL_CLEARANCE + 1), calibration=place.calibration)
    fresh = [near for near in neighbours if near.id != place.row.id and near.id not in known]
    links = link_neighbours(place.row.id, candidate, fresh)
    if links and not night.dry_run:
        write_links(links, now=night.now)
    return len(links) // 2


def _as_candidate(place: _Place) -> Candidate:
    """Return a stored row as one that is to be stored, as far as looking around needs it."""
    row = place.row
    near = as_neighbour(row)
    draft = Draft(
        content=near.content, kind=near.kind, card=CARDS[near.card], audience=near.audience,
        confidence=row.confidence, provenance=near.provenance, trust=near.trust,
        occurred_at=near.occurred_at, occurred_resolved=near.occurred_resolved,
        effective_at=near.effective_at, concept_key=near.concept_key, entity_key=near.entity_key,
        value=near.value, cardinality=near.cardinality, keywords=near.keywords, tags=near.tags,
        manual_tags=near.manual_tags, entities=near.entities, session=near.session, turn=near.turn,
        speaker=near.speaker, verbatim=True,  # asks for no echo: it was judged when it was stored
        owner_domains=_domains(row), zone=near.zone, title=near.title,
    )  # fmt: skip
    return Candidate(
        draft=draft, content_hash=near.content_hash, space=place.home.space, vector=place.vector,
        terms=terms_of(near),
    )  # fmt: skip


def _domains(row: Memory) -> tuple[str, ...]:
    """Return the domains of the memory's agent: what its owner may see is linked, and nothing else."""
    return tuple(row.agent.domains) if row.agent_id else ()
