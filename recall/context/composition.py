"""Compose the context of a prompt: one recall, one look beside it, one block (SPEC C-01 to C-03)."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from memories.candidates import with_days
from memories.domain import KINDS
from memories.embedders import get_embedder
from recall.answering import (
    CHANGED,
    CHANGED_BY_WEAKER,
    LEADING,
    WAITS,
    WAITS_WEAKER,
    Alert,
    Answer,
    Shown,
    again_where_forgotten,
    count_later,
    find_alerts,
    recall,
)
from recall.context.guard import Strength
from recall.context.sections import LEAST_OUTCOME, Known, add_shown, read_known, read_waiting
from recall.context.text import (
    SECTIONS,
    Block,
    Card,
    Frame,
    Notice,
    check_budget,
    fingerprint,
    refer_to,
    stable_prefix,
    write_block,
    write_within,
)
from recall.context.verification_notices import Doubts, read_doubts, word_doubts
from recall.questions import Question
from security import audit
from security.classification import Classification
from tenants.scope import tenant_scope, unit_of_work, viewer_in_force
from tenants.switches import switched_off

log = logging.getLogger(__name__)

BUDGET_TOKENS: Final = 800
"""Tokens of a context unless it is asked for otherwise (SPEC C-01)."""

LEAST_Q: Final = 0.7
LEAST_VERIFIED: Final = 2
"""From these on, what was used stands among the high-score examples (SPEC C-01)."""

TOKENS_A_CARD: Final = 60
"""Budget for each memory that is looked for, unless the question says how many. Ours: a card with one
sentence has some 30 tokens; what is told beside has the rest, and a long one."""

MOST_FOUND: Final = 50
"""Memories that are looked for at most, unless the question says how many."""


WITHHELD: Final = "This tenant has switched off that memory is put into prompts."
"""Why a context is empty while the switch «injection» is off (SPEC W-20)."""

MAY_HAVE_CHANGED: Final[Mapping[str, str]] = {
    CHANGED: "the first may have changed",
    CHANGED_BY_WEAKER: "the first may have changed, by a weaker origin: ask",
    WAITS: "the first may have changed, by what waits",
    WAITS_WEAKER: "the first may have changed, by what waits, of a weaker origin: ask",
}
"""What a recall says of a memory on which later words bear (SPEC K-05, R-10) → what the block says, which is
shorter than a card."""

FAILED_NEAR: Final = "Near to what is asked. Read why it failed before trying it again."
"""What is said of a failed approach that the question comes near to (SPEC R-09)."""


class TokensUnknown(RuntimeError):
    """The embedder cannot count tokens, so no budget could be kept. Try again shortly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRequest:
    """What a prompt needs. `question.now` is the asker's clock; None means the service's."""

    question: Question
    guard: Strength
    budget_tokens: int = BUDGET_TOKENS


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A memory that stands in the text."""

    id: UUID
    reference: str  #: what it is called in the text; feedback takes it for its id
    content: str  #: as stored, whole
    card: str
    kind: str
    trust: float
    provenance: str
    classification: int
    occurred_at: datetime
    guess: bool
    pending: bool  #: said in this session and still to be processed: a capture, and no memory yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The block for a prompt, and what stands in it."""

    text: str
    tokens: int
    stable_prefix: int  #: characters with which the text of every question with this guard begins
    sections: dict[str, tuple[Item, ...]]
    alerts: tuple[Alert, ...]
    recall_id: UUID | None  #: None when nothing was asked, see `withheld`
    degraded: tuple[str, ...]
    withheld: str = ""  #: why no memory stands in it whatever is known; empty: none is withheld
    nothing_known: bool = False  #: nothing speaks of what was asked

    @property
    def fingerprint(self) -> str:
        """What tells the text from another one, but for its clock."""
        return fingerprint(self.text)


def compose(wanted: ContextRequest, *, now: datetime) -> Context:
    """
    Return the context for a prompt, for the viewer in force, and write down what it told.

    Raises BudgetTooSmall before anything is asked, TokensUnknown, and whatever `recall` raises.
    """
    return again_where_forgotten(lambda: _compose(wanted, now=now))


def _compose(wanted: ContextRequest, *, now: datetime) -> Context:
    frame = _frame(wanted, now)
    least = check_budget(frame, budget=wanted.budget_tokens, count=_count)
    if "injection" in switched_off():
        return _withhold(wanted, frame, tokens=least)
    with tenant_scope(viewer_in_force().capped(wanted.question.ceiling)):
        # A card has no room for the words of two memories, so none is left out for one it only resembles.
        answer = recall(replace(wanted.question, quotes=False), now=now)
        known, degraded = read_known(wanted.question, answer, now=now)
        if answer.nothing_known and answer.min_relevance > 0:
            # What nobody asked for would be read as the answer; what moved in this session concerns any.
            known = [one for one in known if one.place == 0]
        known = _said_once(known)
        frame, least = _saying_so(answer, frame, least, budget=wanted.budget_tokens)
        doubts = _doubts(known)
        alerts = _alerts(answer, known, doubts, now=wanted.question.local(now))
        told_of = _with_waiting(known, answer)
        named = refer_to([one.id for one in told_of], beside=answer.on_record)
        cards = [_card(one, frame, named[one.id]) for one in told_of]
        notices = _notices(alerts, known, doubts)
        block = write_within(frame, cards, notices, budget=wanted.budget_tokens, least=least, count=_count)
        told = {one.id: one for one in told_of}
        _record(answer, [told[card.id] for card in block.cards], wanted, block, now=now)
    return Context(
        text=block.text,
        tokens=block.tokens,
        stable_prefix=len(stable_prefix(wanted.guard)),
        sections=_sections(block, told),
        alerts=tuple(alert for alert in alerts if {card.id for card in block.cards} & {*alert.memories}),
        recall_id=answer.recall_id,
        degraded=(*answer.degraded, *degraded),
        nothing_known=answer.nothing_known,
    )


def _said_once(known: Sequence[Known]) -> list[Known]:
    """Return what may be told without the findings that a pattern beside them quotes (SPEC E-03)."""
    quoted = {one.content for one in known if one.kind == "pattern"}
    return [one for one in known if one.kind == "pattern" or one.content not in quoted]


def _with_waiting(known: Sequence[Known], answer: Answer) -> list[Known]:
    """Return what may be told, with what waits beside the first row that it bears on."""
    waiting = {one.id: one for one in read_waiting(answer)}
    told: list[Known] = []
    for one in known:
        bearing = [change.capture for change in answer.overlay.changes if change.row == one.id]
        own = [waiting.pop(capture) for capture in bearing if capture in waiting]
        told += [*(each for each in own if each.leads), one, *(each for each in own if not each.leads)]
    return told


def _saying_so(answer: Answer, frame: Frame, least: int, *, budget: int) -> tuple[Frame, int]:
    """Return the frame that says when nothing is known, if the budget has room for it, and its tokens."""
    if not answer.nothing_known:
        return frame, least
    saying = replace(frame, nothing_known=True)
    tokens = _count(write_block(saying, (), ()))
    return (saying, tokens) if tokens <= budget else (frame, least)


def _withhold(wanted: ContextRequest, frame: Frame, *, tokens: int) -> Context:
    """Return the frame alone: nothing is asked, so nothing is recorded as told."""
    return Context(
        text=write_block(frame, (), ()),
        tokens=tokens,
        stable_prefix=len(stable_prefix(wanted.guard)),
        sections=dict.fromkeys(SECTIONS, ()),
        alerts=(),
        recall_id=None,
        degraded=(),
        withheld=WITHHELD,
    )


def _frame(wanted: ContextRequest, now: datetime) -> Frame:
    """Return the frame with the asker's clock: in the zone named, else at the offset it came with."""
    question = wanted.question
    zone = question.timezone if question.names_zone else ""
    return Frame(guard=wanted.guard, now=question.local(now), zone=zone)


def _count(text: str) -> int:
    """Return how many tokens the embedder's own tokenizer makes of the text. Raises TokensUnknown."""
    try:
        return get_embedder().count_tokens(text)
    except Exception as out:  # whatever stops an embedder, as in `recall.questions.question`
        log.exception("tokens cannot be counted")
        raise TokensUnknown(TokensUnknown.__doc__) from out


def _doubts(known: Sequence[Known]) -> Doubts:
    """Return what is doubted of what holds now; that of another time is history."""
    with unit_of_work():
        return read_doubts([one.id for one in known if one.standing == "current"])


def _alerts(answer: Answer, known: Sequence[Known], doubts: Doubts, *, now: datetime) -> tuple[Alert, ...]:
    """
    Return the recall's own alerts, and those in which what stands beside it has a part.

    What has a watermark does not age by time, and of what is behind the first places no age is told.
    """
    leading = {one.id for one in known[:LEADING]}
    ages = leading - doubts.watched
    own = tuple(one for one in answer.alerts if one.type != "ageing" or ages.issuperset(one.memories))
    beside = {one.id for one in known if one.place is not None}
    beside -= {result.id for result in answer.results}
    known = [one for one in known if one.standing == "current"]
    if not beside:
        return own
    names = {field.name for field in fields(Shown)} & {field.name for field in fields(Known)}
    shown = [Shown(**{name: getattr(one, name) for name in names}) for one in known]
    found = find_alerts(shown, now=now, leading=leading, watched=doubts.watched)
    return (*own, *(one for one in found if beside & {*one.memories}))


def _notices(alerts: Sequence[Alert], known: Sequence[Known], doubts: Doubts) -> list[Notice]:
    """
    Return the alerts as lines of the block; that a task is a guess stands on its card.

    That a card may have changed is told where a reader sees by what, or relies on it for its place.
    """
    notices = []
    leading = {one.id for one in known[:LEADING]}
    states = {one.id for one in known if one.card == "state"}
    for alert in alerts:
        if alert.type == "contradiction":
            notices.append(Notice(tag="contradiction_alert", text=alert.text, memories=alert.memories))
        elif alert.type == "changed" and (len(alert.memories) > 1 or alert.memories[0] in leading):
            text = MAY_HAVE_CHANGED[alert.text]
            notices.append(Notice(tag="contradiction_alert", text=text, memories=alert.memories))
        elif alert.type == "ageing":
            notices.append(Notice(tag="aging_facts", text=alert.text, memories=alert.memories))
        elif alert.type == "failed_approach":  # its text stands on the card
            notices.append(Notice(tag="failed_approaches", text=FAILED_NEAR, memories=alert.memories))
    old = [one for alert in alerts if alert.type == "ageing" for one in alert.memories if one in states]
    notices += [
        Notice(tag="verify_first", text=text, memories=memories)
        for text, memories in word_doubts(doubts.open)
    ]
    first = tuple(dict.fromkeys([*old, *doubts.aged]))
    return [*notices, Notice(tag="verify_first", text="", memories=first)]


def _card(one: Known, frame: Frame, reference: str) -> Card:
    known = one.occurred_at if one.card == "event" else one.effective_at
    return Card(
        id=one.id,
        reference=reference,
        section=_section(one),
        content=with_days(one.content, one.annotations),
        mode=one.mode,
        kind=one.kind,
        card=one.card,
        known=_local(known, frame),
        trust=one.trust,
        classification=Classification(one.classification).label,
        origin=one.provenance,
        speaker=one.speaker,
        until=one.valid_until and _local(one.valid_until, frame),
        guess=_guess(one),
        outcome=one.outcome if one.kind == "example" else None,
        about=one.entity_key,
        pending=one.pending,
        leads=one.leads,
        discussed=one.discussed,
    )


def _local(moment: datetime, frame: Frame) -> datetime:
    try:
        return moment.astimezone(frame.now.tzinfo)
    except OverflowError:  # the first or the last day there is
        return moment


def _section(one: Known) -> str:
    """
    Return the section of SPEC M-02's table, but for what proved itself and for examples that did not.

    A state stays where what holds now stands, however useful it was.
    """
    proven = one.q_value >= LEAST_Q and one.verified >= LEAST_VERIFIED
    section = KINDS[one.kind].section
    if section == "high_score_examples":
        good = one.outcome is not None and one.outcome >= LEAST_OUTCOME
        return section if good or proven else "past_experience"
    return (
        "high_score_examples" if section == "past_experience" and proven and one.card != "state" else section
    )


def _guess(one: Known) -> str | None:
    if KINDS[one.kind].needs_assigner and not one.assigned_by:
        return "unassigned"
    if one.concluded:
        return "concluded"
    return "inferred" if one.provenance == "agent_inferred" else None


def _record(
    answer: Answer, told: Sequence[Known], wanted: ContextRequest, block: Block, *, now: datetime
) -> None:
    """
    Write down, before the block leaves, what went into a prompt: beside the recall's event and in the audit.

    What stands beside it is recorded like what was found, or the echo rule (SPEC W-17) would not know it.
    """
    found = {result.id for result in answer.results}
    memories = [one for one in told if not one.pending]
    waiting = [str(one.id) for one in told if one.pending]
    beside = [one for one in memories if one.id not in found]
    unrecorded = [one for one in memories if one.id not in answer.on_record]
    with unit_of_work():
        if unrecorded:
            add_shown(answer, unrecorded)
        audit.append(
            "recall_into_prompt",
            object_type="recall_event",
            object_id=answer.recall_id,
            now=now,
            detail={
                "memories": [str(one.id) for one in memories],
                "tokens": block.tokens,
                "guard": wanted.guard,
                **({"captures": waiting} if waiting else {}),
            },
            classification=max((one.classification for one in told), default=Classification.PUBLIC),
        )
    count_later([one.id for one in beside], now=now)


def _sections(block: Block, told: dict[UUID, Known]) -> dict[str, tuple[Item, ...]]:
    return {
        section: tuple(
            _item(told[card.id], card.reference) for card in block.cards if card.section == section
        )
        for section in SECTIONS
    }


def _item(one: Known, reference: str) -> Item:
    shared = {field.name: getattr(one, field.name) for field in fields(Item) if hasattr(one, field.name)}
    return Item(**shared, reference=reference, guess=_guess(one) is not None)


def places_for(budget_tokens: int) -> int:
    """Return how many memories are looked for when the question does not say: some more than fit."""
    return min(max(5, budget_tokens // TOKENS_A_CARD), MOST_FOUND)
