"""Draft a memory from a note: whose it is, where it comes from, how far it is believed (SPEC M-08)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from memories.candidates import ACCOUNT, END_USER, Audience, Draft
from memories.domain import KINDS, PROVENANCE_WEIGHT, from_rows
from memories.extraction.lineage import find_references
from memories.language import canonical_tag, concept_spelling, entity_spelling
from memories.llms import Note
from memories.models import Capture
from security.patterns import bounded

GUESS_CEILING: Final = 0.40
"""The highest trust of what an agent inferred (SPEC M-08); a constraint of the table holds it, too."""

NAMELESS: Final = "nameless user"
"""How the key of somebody begins of whom nothing is known: what such keys name is filed under none."""

_USER: Final = "user"
_MODELS_USER: Final = bounded(r"(?:the )?user(?:\Z| s(?= ))")
"""What a language model calls a user without a name, and what is theirs («user's sister»), as a key."""

MOST_TAGS: Final = 6
SHORTEST_TAG, SHORTEST_TAG_CJK = 4, 2
"""Automatic tags: at most six content words of at least 4 letters or 2 CJK characters (SPEC M-12)."""


def believe(provenance: str, confidence: float) -> float:
    """Return the trust of a new memory in [0, 1]: extraction confidence × weight of its origin."""
    trust = round(confidence * PROVENANCE_WEIGHT[provenance], 6)
    return min(trust, GUESS_CEILING) if provenance == "agent_inferred" else trust


def draft_note(note: Note, capture: Capture, *, owner_domains: Sequence[str]) -> Draft:
    """Return the draft of a note of this capture."""
    policy = KINDS[note.kind]
    is_state = policy.card == "state"
    clock: datetime = capture.clock
    return Draft(
        content=note.content,
        kind=note.kind,
        card=policy.card,
        audience=capture_audience(capture),
        confidence=note.confidence,
        provenance=note.provenance,
        trust=believe(note.provenance, note.confidence),
        occurred_at=note.occurred_at,
        occurred_resolved=note.occurred_resolved,
        effective_at=note.occurred_at if is_state and note.occurred_resolved else clock,
        said_at=clock,
        concept_key=concept_spelling(note.concept_key),
        entity_key=owned_key(note.entity_key, capture),
        value=note.value,
        cardinality=note.cardinality or policy.cardinality if is_state else None,
        change=note.change,
        keywords=note.keywords,
        tags=automatic_tags(note.keywords),
        entities=note.entities,
        importance=note.importance,
        assigned_by=note.assigned_by,
        layer=capture.layer,
        of_speaker=is_of_speaker(note.entity_key, capture),
        capture_id=capture.id,
        session=capture.session,
        turn=capture.turn,
        speaker=capture.speaker,
        role=capture.role,
        voice=capture.voice,
        corrects=capture.corrects,
        verbatim=capture.verbatim,
        owner_domains=tuple(owner_domains),
        zone=capture.timezone,
        references=find_references(capture.references),
        fingerprints=from_rows(capture.fingerprints),
        metadata=capture.metadata,
    )


def own_key(capture: Capture) -> str:
    """
    Return the key of who says «I» in a turn (SPEC K-09); empty where the speaker's name or role tells.

    Of a user without a name: the end user, else whose account the key is, else who speaks in this session.
    Without any of these it is somebody of whom nothing else is known, and no two turns are one's.
    """
    if capture.role != "user" or capture.speaker.strip():
        return ""
    if capture.voice.startswith(END_USER):
        return capture.voice.removeprefix(END_USER)
    if capture.person:
        return str(capture.person)
    if capture.voice.startswith(ACCOUNT):
        return f"{_USER} {capture.voice.removeprefix(ACCOUNT)}"
    return f"{_USER} of {capture.session}" if capture.session else NAMELESS


def is_of_speaker(key: str | None, capture: Capture) -> bool:
    """Tell whether a key is that of the user who says «I» in a turn, as rules or models spell it."""
    spelled = entity_spelling(key)
    if spelled is None or capture.role != _USER:
        return False
    own = entity_spelling(capture.speaker) or entity_spelling(own_key(capture))
    return spelled == own or _MODELS_USER.fullmatch(spelled) is not None


def owned_key(key: str | None, capture: Capture) -> str | None:
    """Return an entity's key in its one spelling, with who says «I» in place of a model's «user»."""
    spelled = entity_spelling(key)
    if spelled is None or not (own := own_key(capture)):
        return spelled
    if (said := _MODELS_USER.match(spelled)) is not None:
        spelled = entity_spelling(own + spelled[said.end() :])
    return None if spelled is not None and spelled.startswith(NAMELESS) else spelled


def capture_audience(capture: Capture) -> Audience:
    """Return whose the memories of this capture are, and who else may see them."""
    agent_id: UUID | None = capture.agent_id
    return Audience(
        agent_id=agent_id,
        project_id=capture.project_id,
        shared=capture.shared,
        domain=capture.domain,
        classification=capture.classification,
        person=capture.person,
    )


def automatic_tags(keywords: tuple[str, ...]) -> tuple[str, ...]:
    """Choose the keywords that may be tags."""
    long_enough = [
        word for word in keywords if len(word) >= (SHORTEST_TAG if word.isascii() else SHORTEST_TAG_CJK)
    ]
    return tuple(dict.fromkeys(canonical_tag(word) for word in long_enough[:MOST_TAGS]))
