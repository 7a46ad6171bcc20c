"""
Read a capture: normalise, screen, reflect, and keep the words (SPEC K-01, K-03).

It reads as the pipeline, at the tenant's full clearance; language models are asked outside of transactions.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from memories.candidates import OUTSIDE, Draft, Made, origin_of_old, weaker
from memories.comparison import is_stated
from memories.domain import PROVENANCE_WEIGHT, Trace
from memories.extraction import (
    SECTION,
    draft_facts,
    draft_passage,
    keep_words,
    own_key,
)
from memories.gates import (
    is_judged,
    is_read_by_model,
    normalise_text,
    pass_quality,
    read_turns_before,
    reflect_turn,
    screen_text,
)
from memories.llms import Note, Turn
from memories.models import Capture
from memories.pipeline.briefing import brief
from memories.recall_log import recall_log
from memories.reconciliation import leave_out_quotes
from memories.temporal import Normalised
from tenants.scope import FULL_CLEARANCE, unit_of_work

EARLIER_TURNS: Final = 50
"""Turns of a session looked through for whether they state what an assistant says."""


def pass_gates(
    capture: Capture,
    trace: Trace,
    *,
    owner_domains: Sequence[str],
    reach: int = FULL_CLEARANCE,
    without: frozenset[str] = frozenset(),
    made: Made | None = None,
) -> tuple[Draft, ...]:
    """
    Return what is worth remembering of the capture. Raises GateRefused.

    reach: the highest class that who captured it may read. without: parts of the write track that the tenant
    has switched off (see `tenants.switches`). made: where vectors are kept for what is embedded next.
    """
    normalised = normalise_text(capture.text, capture, trace)
    screen_text(capture.text, trace, names=_names_beside(capture), without=without)
    if capture.document_id is not None:
        return _read_passage(
            capture, normalised, trace, owner_domains, reach=reach, without=without, made=made
        )
    origin = capture.origin or origin_of_old(capture.role, by_agent=capture.agent_id is not None)
    stated = who_stated(capture)
    turn = replace(
        _turn_of(capture, normalised, without=without),
        stated_in_session=stated is not None,
        origin=weaker(origin, stated or origin),
        outside=(stated or origin) in OUTSIDE,
    )
    notes, asked_about = _read_turn(capture, turn, normalised, trace, owner_domains, made=made)
    with trace.step("keep") as entry:
        drafts = keep_words(capture, turn, normalised, notes, owner_domains=owner_domains)
        entry |= {"rows": len(drafts), "statements": sum(draft.kind == "statement" for draft in drafts)}
    return tuple(replace(draft, without=without, reach=reach, asked_about=asked_about) for draft in drafts)


def _turn_of(capture: Capture, normalised: Normalised, *, without: frozenset[str]) -> Turn:
    """Return what a reader is given of a capture."""
    return Turn(
        text=normalised.text,
        original=capture.text,
        role=capture.role,
        speaker=capture.speaker or None,
        clock=capture.clock,
        zone=ZoneInfo(capture.timezone),
        mentions=tuple(one for one in normalised.mentions if one.kind == "date"),
        occurred_at=normalised.occurred_at,
        verbatim=capture.verbatim or "extraction" in without,
        origin=capture.origin or None,
        own_key=own_key(capture),
    )


def _read_turn(
    capture: Capture, turn: Turn, normalised: Normalised, trace: Trace, owner_domains: Sequence[str],
    *, made: Made | None,
) -> tuple[tuple[Note, ...], frozenset[UUID]]:  # fmt: skip
    """Return the notes on a turn that may stand, and the rows that their model was asked about."""
    if is_judged(turn):
        known: Made = {} if made is None else made
        briefing = brief(capture, turn, normalised, owner_domains=owner_domains, made=known)
        turn = replace(turn, briefing=briefing)
    read, asked_about = reflect_turn(turn, trace)
    return pass_quality(read, trace), asked_about


def _read_passage(
    capture: Capture, normalised: Normalised, trace: Trace, owner_domains: Sequence[str],
    *, reach: int, without: frozenset[str], made: Made | None,
) -> tuple[Draft, ...]:  # fmt: skip
    """Return a document's passage, and the sentences of it that may be facts: see `draft_facts`."""
    passage = replace(draft_passage(capture, normalised, owner_domains=owner_domains), reach=reach)
    turn = _turn_of(capture, normalised, without=without)
    if turn.verbatim:
        return (passage,)
    notes, asked_about = tuple[Note, ...](), frozenset[UUID]()
    if is_read_by_model():
        notes, asked_about = _read_turn(capture, turn, normalised, trace, owner_domains, made=made)
    facts = draft_facts(capture, turn, passage, notes, owner_domains=owner_domains)
    return (
        passage,
        *(replace(fact, without=without, reach=reach, asked_about=asked_about) for fact in facts),
    )


def _names_beside(capture: Capture) -> list[str]:
    """Return what readers are shown beside the capture's words."""
    document = capture.document if capture.document_id is not None else None
    if document is None:
        return [capture.speaker]
    return [capture.speaker, document.title, str(capture.metadata.get(SECTION, "")), *document.tags]


def who_stated(capture: Capture) -> str | None:
    """
    Return the best origin of the turns of the session that said before what this assistant's turn says.

    None: nobody did (SPEC M-08). To repeat an agent's word for what others said lends it nothing more. Turns
    above its own class are not looked at, and take no place among the latest: whoever reads the memory reads
    its trust, and who may try one sentence after the other would be told what stands in them.
    """
    if capture.role != "assistant":
        return None
    turns = read_turns_before(
        capture, "role", "text", "origin", most=EARLIER_TURNS, role__in=("user", "tool")
    )  # fmt: skip
    if not turns:
        return None
    with unit_of_work():
        shown = recall_log().texts_in(capture.agent_id, capture.session, rank=capture.classification)
    by_origin: dict[str, list[tuple[str, str]]] = {}
    for role, text, origin in turns:
        known = origin or origin_of_old(role, by_agent=capture.agent_id is not None)
        by_origin.setdefault(known, []).append((role, text))
    said: list[tuple[str, str]] = []
    for origin in sorted(by_origin, key=PROVENANCE_WEIGHT.__getitem__, reverse=True):
        said += by_origin[origin]
        if is_stated(capture.text, leave_out_quotes(said, shown)):
            return origin
    return None
