"""Find what lies near a candidate: by vector, text, key and keywords, never through fusion (SPEC W-11)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from memories.calibration import Calibration
from memories.candidate import Audience, Candidate, Neighbour
from memories.embedders.base import Vectors
from memories.queries import run
from memories.searched import bare_cosines, is_told
from memories.tokens import words

MOST_NEAR: Final = 20
"""Nearest rows looked at: as many as may be linked (SPEC W-14)."""

MOST_EQUAL: Final = 100
"""Live rows of one text, and live values of one (entity, concept), looked at, newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The neighbours of a candidate, and the version of the neighbourhood they were read in."""

    neighbours: tuple[Neighbour, ...]  #: nearest first
    version: int


def find_neighbours(candidate: Candidate, *, calibration: Calibration) -> tuple[Neighbour, ...]:
    """
    Return the live memories near the candidate that its owner may see, nearest first.

    To be called as the pipeline, at full clearance: a twin above the writer's class must be known to connect.
    calibration: of the candidate's space, passage to passage.
    """
    rows = run("find_neighbours", **_params(candidate))
    alike = _similarities(candidate, rows, calibration)
    found = [_neighbour(row, similarity) for row, similarity in zip(rows, alike, strict=True)]
    return tuple(sorted(found, key=lambda near: (near.similarity or 0.0, near.id), reverse=True))


def _similarities(
    candidate: Candidate, rows: Sequence[dict[str, Any]], calibration: Calibration
) -> list[float | None]:
    """Return the calibrated similarity of each row to the candidate, None where the row has no vector."""
    mine = is_told(kind=candidate.draft.kind, speaker=candidate.draft.speaker)
    found: list[float | None] = []
    for row in rows:
        cosine = row.pop("cosine")
        told = mine + is_told(kind=row["kind"], speaker=row["speaker"])
        bare = None if cosine is None else bare_cosines(cosine, space=candidate.space, told=told)
        found.append(None if bare is None else float(calibration.similarity(bare)))
    return found


def read_version() -> int:
    """Return the neighbourhood's version: equal as long as nothing was stored in the tenant."""
    return int(run("read_version")[0]["version"])


def look_around(candidate: Candidate, *, calibration: Calibration) -> Surroundings:
    """Return the candidate's surroundings; the version is read first: what comes between is noticed."""
    version = read_version()
    return Surroundings(neighbours=find_neighbours(candidate, calibration=calibration), version=version)


def vector_text(vector: Vectors) -> str:
    """Return the vector as PostgreSQL reads it; five digits are more than the 11 bits a halfvec keeps."""
    return f"[{','.join([f'{number:.5g}' for number in vector.tolist()])}]"


def _params(candidate: Candidate) -> dict[str, Any]:
    draft = candidate.draft
    audience = draft.audience
    return {
        "space": candidate.space,
        "vector": vector_text(candidate.vector),
        "content_hash": candidate.content_hash,
        "entity_key": draft.entity_key,
        "concept_key": draft.concept_key,
        "keyword_terms": sorted({term for keyword in draft.keywords for term in words(keyword)}),
        "my_projects": [audience.project_id] if audience.project_id else [],
        "me": audience.agent_id,
        "my_domains": list(draft.owner_domains),
        "most": MOST_NEAR,
        "most_equal": MOST_EQUAL,
    }


def _neighbour(row: dict[str, Any], similarity: float | None) -> Neighbour:
    audience = Audience(
        agent_id=row.pop("agent_id"),
        project_id=row.pop("project_id"),
        shared=row.pop("shared"),
        domain=row.pop("domain"),
        classification=row.pop("classification"),
    )
    for name in ("keywords", "tags", "manual_tags", "entities"):
        row[name] = tuple(row[name])
    row["zone"] = row["zone"] or "UTC"
    row["content_hash"] = bytes(row["content_hash"])
    return Neighbour(audience=audience, similarity=similarity, **row)
