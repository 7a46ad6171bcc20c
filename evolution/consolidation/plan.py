"""Decide which findings become a new pattern, and which join an old one (SPEC E-03). No I/O, no clock."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from evolution.consolidation.clusters import Finding
from evolution.consolidation.near import Singles
from evolution.consolidation.themes import find_themes
from memories.candidates import TRUST_GAP, Audience
from memories.reconciliation import GUESSED

FEWEST_FINDINGS: Final = 3
FEWEST_ORIGINS: Final = 2
"""Findings and independent origins from which a cluster becomes a pattern (SPEC E-03)."""

AGENTS: Final = "agent:"
"""How the voice of an agent begins: see `memories.candidates.voices`."""

TENANT: Final = "tenant"
"""The voice of a key that speaks for nobody in particular: the tenant's own."""

MOST_FINDINGS: Final = 500
"""Findings that a pattern stands for at most. Ours: words that more share tell of no one matter, and one text
of 1000 characters in the place of them all would lose what they say. They stay as they are, counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """
    Where something comes from: another agent or another person is another origin (SPEC E-03, E-08).

    What an agent says of itself is one origin, in whichever role, session or name it says so.
    """

    agent_id: UUID | None = None
    session: str = ""  #: of what was kept before voices were
    document_id: UUID | None = None
    voice: str = ""  #: of a person, a speaker whom a key may relay, or the tenant itself
    guessed: bool = False  #: the agent's own word


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A finding as consolidation knows it."""

    id: UUID
    audience: Audience  #: its owner None where the owner does not tell who reads it
    keywords: frozenset[str]  #: canonical
    trust: float  #: in [0, 1]; of what a pattern stands for, the pattern's
    provenance: str
    origins: frozenset[Origin]  #: of what it rests on in the end, else its own
    pattern_id: UUID | None = None  #: the pattern that stands for it already
    vector: Singles | None = field(default=None, compare=False, repr=False)  #: what it is about


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Findings that are to become a pattern, or to join one; without any, a pattern is worded anew."""

    findings: tuple[UUID, ...]  #: oldest first
    pattern_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a night is to do."""

    jobs: tuple[Job, ...]  #: in the order of their oldest findings
    too_wide: int = 0  #: findings in clusters of more than `MOST_FINDINGS`


def origin_of(row: Mapping[str, object]) -> Origin:
    """Return where a row comes from: an agent's own word, a document, a person; of old, a session."""
    agent: UUID | None = row["agent_id"]  # type: ignore[assignment]
    voice = str(row["voice"])
    if row["provenance"] == GUESSED:
        return Origin(agent_id=agent, guessed=True)
    if voice.startswith(AGENTS):
        return Origin(agent_id=UUID(voice.removeprefix(AGENTS)), guessed=True)
    if row["document_id"] is not None:
        return Origin(agent_id=None, document_id=row["document_id"])  # type: ignore[arg-type]
    if voice in ("", TENANT):  # who is behind is not known: a session is all there is to tell them by
        return Origin(agent_id=agent, session=str(row["session"]))
    return Origin(voice=voice)


def plan(findings: Sequence[Known]) -> Plan:
    """
    Decide what is to be done with the findings, which are given the oldest first.

    Where findings join several patterns at once, the one with the oldest finding takes them.
    """
    found = find_themes(
        [Finding(group=one.audience, keywords=one.keywords, vector=one.vector) for one in findings]
    )
    clusters = [[findings[place] for place in cluster] for cluster in found]
    alike = [part for cluster in clusters for part in split_by_trust(cluster)]
    narrow = [part for part in alike if len(part) <= MOST_FINDINGS]
    jobs = tuple(job for part in narrow if (job := _job(part)) is not None)
    return Plan(jobs=jobs, too_wide=sum(map(len, alike)) - sum(map(len, narrow)))


def split_by_trust(cluster: Sequence[Known]) -> list[list[Known]]:
    """
    Return the parts of a cluster whose members may stand for each other, most trusted first.

    A pattern is trusted as its weakest finding. So what is trusted less by
    `TRUST_GAP`, or a guess among statements, is a cluster of its own: else it would stand for what is better.
    Nor may it be what holds the others together.
    """
    if _is_even(cluster):
        return [list(cluster)]
    best = max(cluster, key=lambda one: (one.provenance != GUESSED, one.trust))
    near = [one for one in cluster if _is_near(one, best)]
    far = [one for one in cluster if not _is_near(one, best)]
    return [*_reconnect(near), *(part for rest in _reconnect(far) for part in split_by_trust(rest))]


def _is_even(cluster: Iterable[Known]) -> bool:
    trusts = [one.trust for one in cluster]
    kinds = {one.provenance == GUESSED for one in cluster}
    return len(kinds) == 1 and round(max(trusts) - min(trusts), 6) < TRUST_GAP


def _is_near(one: Known, best: Known) -> bool:
    is_same = (one.provenance == GUESSED) == (best.provenance == GUESSED)
    return is_same and round(best.trust - one.trust, 6) < TRUST_GAP


def _reconnect(part: Sequence[Known]) -> list[list[Known]]:
    """Return what still hangs together without those that were taken out."""
    found = find_themes([Finding(group=None, keywords=one.keywords, vector=one.vector) for one in part])
    return [[part[place] for place in cluster] for cluster in found]


def _job(cluster: Sequence[Known]) -> Job | None:
    new = tuple(one.id for one in cluster if one.pattern_id is None)
    known = next((one.pattern_id for one in cluster if one.pattern_id is not None), None)
    if known is not None:
        return Job(findings=new, pattern_id=known) if new else None
    origins = {origin for one in cluster for origin in one.origins}
    if len(new) < FEWEST_FINDINGS or len(origins) < FEWEST_ORIGINS:
        return None
    return Job(findings=new)
