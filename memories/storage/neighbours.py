"""
Find what lies near a candidate: by vector, text, key and keywords, never through fusion (SPEC W-11).

# Note [Seen from one's own class]
What becomes of a note is told to whoever may read it: its decision, novelty, neighbours, links and trust. So
it is decided by rows of no higher class than its own, and row security sees to that: the search is run at
that class, and not filtered afterwards, since a hidden row that takes a place before a limit shows by what it
displaces. A hidden twin changes nothing; both stand, each for its own readers. Links to what lies above are
found by a search of their own (`find_above`) and are of the higher class.

# Note [Persons do not mix]
What is a person's own is looked for among that person's rows, and what is common among the common ones
(SPEC K-09): nothing is judged, grouped, superseded or linked across. One exception: what an agent says for a
person may only repeat what recall showed it of the common, so that is looked for, too, to be known as an echo
or as a source; `connect` and `store` leave it out of all else.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

import numpy as np

from memories.calibration import Calibration
from memories.candidates import Audience, Candidate, Draft, Neighbour, bare_cosines, is_told
from memories.embedders import Vectors
from memories.extraction import mark_recalled
from memories.language import stem, words
from memories.queries import run, run_alone, run_together, unit_that_runs
from memories.reconciliation import DECISION, SUPERSEDED, may_echo
from tenants.scope import viewer_in_force
from tenants.sql import Statement

MOST_NEAR: Final = 20
"""Nearest rows looked at: as many as may be linked (SPEC W-14)."""

MOST_EQUAL: Final = 100
"""Live rows of one text, and live values of one (entity, concept), looked at, newest first."""

MOST_PAST: Final = 50
"""Former values of one (entity, concept) looked at, latest first: what W-12 counts changes in."""


MOST_OF_SESSION: Final = 8
"""Latest live rows of the candidate's session looked at, however far: what is said again is said soon."""


COMMON: Final = ""
"""The person of what is nobody's in particular."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The neighbours of a candidate, and the version of the neighbourhood they were read in."""

    neighbours: tuple[Neighbour, ...]  #: live ones, nearest first
    past: tuple[Neighbour, ...]  #: former values of the candidate's (entity, concept), latest first
    version: int


def find_neighbours(
    candidate: Candidate, *, calibration: Calibration
) -> tuple[tuple[Neighbour, ...], tuple[Neighbour, ...]]:
    """
    Return the live memories near the candidate that its owner may see, nearest first, and former values.

    Of no higher class than the candidate's: see Note [Seen from one's own class]. To be called inside
    `unit_of_work` as the pipeline.
    calibration: of the candidate's space, passage to passage.
    """
    [rows] = _run_up_to(_rank(candidate), [("find_neighbours", _params(candidate))])
    return _read_neighbours(candidate, rows, calibration)


def find_above(
    candidate: Candidate, ranks: Iterable[int], *, calibration: Calibration
) -> tuple[Neighbour, ...]:
    """
    Return the live memories near the candidate that lie above its class, of these classes, nearest first.

    For links alone, which are of the higher class: of each class what is near as it is seen from there.
    To be called inside `unit_of_work` as the pipeline.
    """
    found: list[Neighbour] = []
    for rank in sorted(rank for rank in ranks if rank > _rank(candidate)):
        [rows] = _run_up_to(rank, [("find_neighbours", _params(candidate))])
        alike = _similarities(candidate, rows, calibration)
        near = (_neighbour(row, similarity) for row, similarity in zip(rows, alike, strict=True))
        found += [one for one in near if one.audience.classification == rank and one.standing != SUPERSEDED]
    return tuple(sorted(found, key=lambda near: (near.similarity or 0.0, near.id), reverse=True))


def _rank(candidate: Candidate) -> int:
    return candidate.draft.audience.classification


def _run_up_to(rank: int, statements: Sequence[Statement]) -> list[list[dict[str, Any]]]:
    """Run statements at this clearance inside a unit of work at a higher one, in one round trip."""
    return run_together([("keep_plans", {}), *_up_to(rank, statements)])[2:-1]


def _up_to(rank: int, statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements between those that narrow the clearance in force and give it back."""
    full = viewer_in_force().clearance
    narrow, widen = (("see_up_to", {"clearance": str(one)}) for one in (min(rank, full), full))
    return [narrow, *statements, widen]


def _read_neighbours(
    candidate: Candidate, rows: Sequence[dict[str, Any]], calibration: Calibration
) -> tuple[tuple[Neighbour, ...], tuple[Neighbour, ...]]:
    alike = _similarities(candidate, rows, calibration)
    found = [_neighbour(row, similarity) for row, similarity in zip(rows, alike, strict=True)]
    found = mark_recalled(candidate.draft, found)
    live = [near for near in found if near.standing != SUPERSEDED]
    past = [near for near in found if near.standing == SUPERSEDED]
    return (
        tuple(sorted(live, key=lambda near: (near.similarity or 0.0, near.id), reverse=True)),
        tuple(sorted(past, key=lambda near: (near.effective_at, near.id), reverse=True)),
    )


def _similarities(
    candidate: Candidate, rows: Sequence[dict[str, Any]], calibration: Calibration
) -> list[float | None]:
    """Return the calibrated similarity of each row to the candidate, None where the row has no vector."""
    mine = is_told(kind=candidate.draft.kind, speaker=candidate.draft.speaker)
    told = [mine + is_told(kind=row["kind"], speaker=row["speaker"]) for row in rows]
    cosines = [row.pop("cosine") for row in rows]
    return _calibrated(cosines, told, space=candidate.space, calibration=calibration)


def _calibrated(
    cosines: Sequence[float | None], told: Sequence[int], *, space: str, calibration: Calibration
) -> list[float | None]:
    """Return each cosine as a similarity, None for None; told: how many of both texts were so embedded."""
    known = np.array([np.nan if cosine is None else cosine for cosine in cosines], dtype=np.float64)
    both = np.array(told, dtype=np.intp)
    for how_many in set(told):
        known[both == how_many] = bare_cosines(known[both == how_many], space=space, told=how_many)
    return [None if math.isnan(one) else one for one in calibration.similarity(known).tolist()]


def read_neighbours(ids: Sequence[UUID], *, space: str, shelf: int) -> tuple[Neighbour, ...]:
    """
    Return rows by their ids, with their vectors in a space, in one round trip; their similarity is not known.

    For rows that the viewer was shown already: row security is asked again, sight is not.
    """
    [rows] = run_alone([("read_as_neighbours", {"ids": list(ids), "space": space, "shelf": shelf})])
    return tuple(_neighbour(row, None) for row in rows)


def similarities(
    vector: Vectors, rows: Sequence[Neighbour], *, told: bool, space: str, calibration: Calibration
) -> list[float | None]:
    """
    Return the calibrated similarity of a text's vector to that of each row, None where the row has none.

    told: the text was embedded with its speaker and day (`memories.candidates.index_text.is_told`).
    """
    both = [told + is_told(kind=row.kind, speaker=row.speaker) for row in rows]
    cosines = [None if row.vector is None else float(np.dot(row.vector, vector)) for row in rows]
    return _calibrated(cosines, both, space=space, calibration=calibration)


def read_version(rank: int) -> int:
    """Return the neighbourhood's version: equal as long as nothing of this class or below was stored."""
    return int(run("read_version", rank=rank)[0]["version"])


def look_around(candidate: Candidate, *, calibration: Calibration) -> Surroundings:
    """Return the candidate's surroundings; the version is read first: what comes between is noticed."""
    found = _run_up_to(_rank(candidate), _searches([candidate]))
    return _surroundings([candidate], found, calibration)[0]


def look_around_each(candidates: Sequence[Candidate], *, calibration: Calibration) -> list[Surroundings]:
    """
    Return the surroundings of each candidate, read as a unit of work in one round trip for all of them.

    The candidates are of one class.
    """
    [rank] = {_rank(candidate) for candidate in candidates}
    searches = _up_to(rank, _searches(candidates))
    if not any(may_echo(candidate.draft.provenance) for candidate in candidates):
        return _surroundings(candidates, run_alone(searches)[1:-1], calibration)
    with unit_that_runs(searches) as found:  # what the agent was shown is asked for next
        return _surroundings(candidates, found[1:-1], calibration)


def _searches(candidates: Sequence[Candidate]) -> list[Statement]:
    searches = [search for candidate in candidates for search in _searches_of(candidate)]
    return [("read_version", {"rank": max(_rank(candidate) for candidate in candidates)}), *searches]


def _searches_of(candidate: Candidate) -> list[Statement]:
    """Return the searches for a candidate: a second one where it may echo what is common."""
    searches: list[Statement] = [("find_neighbours", _params(candidate))]
    if _may_echo_common(candidate):
        searches.append(("find_neighbours", _params(candidate, person=COMMON)))
    return searches


def _may_echo_common(candidate: Candidate) -> bool:
    """Tell whether a person's row may say again what is common: see Note [Persons do not mix]."""
    draft = candidate.draft
    return draft.audience.person != COMMON and may_echo(draft.provenance)


def _surroundings(
    candidates: Sequence[Candidate], answers: Sequence[Sequence[dict[str, Any]]], calibration: Calibration
) -> list[Surroundings]:
    version, *answered = answers
    found = iter(answered)
    surroundings = []
    for candidate in candidates:
        rows = [row for _ in _searches_of(candidate) for row in next(found)]
        neighbours, past = _read_neighbours(candidate, rows, calibration)
        seen = Surroundings(neighbours=neighbours, past=past, version=int(version[0]["version"]))
        surroundings.append(seen)
    return surroundings


def vector_text(vector: Vectors) -> str:
    """Return the vector as PostgreSQL reads it; five digits are more than the 11 bits a halfvec keeps."""
    return _vector_text(vector.astype(np.float32).tobytes())


@lru_cache(maxsize=16)
def _vector_text(vector: bytes) -> str:
    """Return the text of single-precision numbers: a note's vector is looked around by, then stored."""
    numbers = np.frombuffer(vector, dtype=np.float32).tolist()
    return f"[{','.join([f'{number:.5g}' for number in numbers])}]"


def read_vector(sent: bytes) -> Vectors:
    """Return a vector from what `halfvec_send` makes of it: two numbers of 16 bits, then the halves."""
    return np.frombuffer(sent, dtype=">f2", offset=4).astype(np.float32)


def _params(candidate: Candidate, *, person: str | None = None) -> dict[str, Any]:
    """Return the search's parameters. person: among whose rows; None: those of the candidate's own."""
    draft = candidate.draft
    audience = draft.audience
    return {
        "space": candidate.space,
        "vector": vector_text(candidate.vector),
        "content_hash": candidate.content_hash,
        "entity_key": draft.entity_key,
        "concept_key": draft.concept_key,
        "keyword_terms": sorted({term for keyword in draft.keywords for term in words(keyword)}),
        "project": audience.project_id,
        "shared": audience.shared,
        "domain": audience.domain,
        "person": audience.person if person is None else person,
        "classification": audience.classification,
        "my_projects": [audience.project_id] if audience.project_id else [],
        "me": audience.agent_id,
        "my_domains": list(draft.owner_domains),
        "most": MOST_NEAR,
        "most_equal": MOST_EQUAL,
        "most_past": MOST_PAST,
        "session": "" if draft.verbatim else draft.session,
        "most_of_session": MOST_OF_SESSION,
        "told": sorted({*(one.row for one in draft.opinions), *draft.because, *_references(draft)}),
    }


def _references(draft: Draft) -> tuple[UUID, ...]:
    """Return what a decision says that it rests on; of other rows it says nothing of what becomes of them."""
    return draft.references if draft.kind == DECISION else ()


def _neighbour(row: dict[str, Any], similarity: float | None) -> Neighbour:
    audience = Audience(
        agent_id=row.pop("agent_id"),
        project_id=row.pop("project_id"),
        shared=row.pop("shared"),
        domain=row.pop("domain"),
        person=row.pop("person"),
        classification=row.pop("classification"),
    )
    for name in ("keywords", "tags", "manual_tags", "entities", "annotations"):
        row[name] = tuple(row[name])
    row["lost_to"] = tuple(row["lost_to"] or ())
    row["zone"] = row["zone"] or "UTC"
    row["title"] = row["title"] or ""
    row["content_hash"] = bytes(row["content_hash"])
    sent = row.pop("vector")
    row["vector"] = None if sent is None else read_vector(sent)
    return Neighbour(audience=audience, similarity=similarity, **row)


def measure_novelty(draft: Draft, neighbours: Iterable[Neighbour]) -> float:
    """
    Return 1 − the highest Jaccard of keywords between the note and a row, in [0, 1]; 1 beside nothing.

    Rows above the note's class are left out: how new it is must not tell of them. Stems are compared.
    """
    mine = _stems(draft.keywords)
    rank = draft.audience.classification
    alike = (
        len(mine & theirs) / len(mine | theirs)
        for near in neighbours
        if near.audience.classification <= rank and (theirs := _stems(near.keywords)) and mine
    )
    return 1.0 - max(alike, default=0.0)


def _stems(keywords: Iterable[str]) -> set[str]:
    return {stem(keyword.casefold()) for keyword in keywords}
