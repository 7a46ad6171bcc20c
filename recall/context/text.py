"""
Write memories as one block for a prompt, within a token budget (SPEC C-01, C-02). No Django, no clock.

```
<memory_context>            ┐
<guard>…</guard>            │ the same bytes for every question: `stable_prefix`
<memories>                  ┘
<past_experience> a3f 03-02 Rui: … </past_experience> … three more sections, those that have cards
</memories>
<contradiction_alert> … <knowledge_cards_referenced>   what is to be known of these cards, if anything
<current_time>…</current_time>
</memory_context>
```
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Final, Literal
from uuid import UUID

from recall.context.budget import SHARES, BudgetItem, BudgetTooSmall, pack, shorten
from recall.context.disarm import disarm, escape, escape_attribute
from recall.context.guard import Strength, guard_text

SECTIONS: Final = tuple(SHARES)
"""Their order in the block."""

NoticeTag = Literal[
    "contradiction_alert", "aging_facts", "verify_first", "failed_approaches", "knowledge_cards_referenced"
]
NOTICES: Final[tuple[NoticeTag, ...]] = (
    "contradiction_alert", "aging_facts", "verify_first", "failed_approaches", "knowledge_cards_referenced",
)  # fmt: skip
"""Their order in the block (SPEC C-02)."""

LARGEST_CARD: Final = 0.25
"""Part of the budget that one card's text may have; a longer one is cut, and says so. Ours: one long passage
should not be all that is known."""

LARGEST_NOTICE: Final = 0.15
"""The same for one notice: it may quote what contradicts a card, and must not crowd out the card itself."""

LEGEND: Final = (
    "Each line: end of id, day (of this year unless it has one), speaker. "
    "Unless told: internal, trusted from 0.7, asserted, still valid."
)
"""What a card leaves out because it is the rule. Said once, before the cards: it costs less than on each."""

RULE_CLASS: Final = "internal"
RULE_TRUST: Final = 0.7
"""From here on a card's trust is not told: what people state and are not doubted in has more."""

SHORTEST_REFERENCE: Final = 3
"""Digits of an id that name it at least: of 4096 ends a block of some ten cards seldom has two alike."""

REFERENCE_TOKENS: Final = 6
"""What naming a card costs, about, in the built-in tokenizer; the whole is counted in the end."""

NOTHING_KNOWN: Final = "Nothing known: no memory speaks of what was asked."
"""What stands in place of the memories where there is none to tell (SPEC K-10)."""

_CLOCK: Final = "current_time"
_MOST_SPEAKER: Final = 40
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

OFTEN: Final = 3
"""Sessions from which a card says how often it was discussed. Ours: twice is said in passing."""

GUESSES: Final[Mapping[str, str]] = {
    "inferred": "guess", "unassigned": "guess, unassigned", "concluded": "concluded",
}  # fmt: skip
"""Why a card is a guess, or what nobody stated → how it is marked (SPEC C-03, W-17)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A memory as it may stand in the block. `content` is the stored text."""

    id: UUID
    reference: str  #: what it is called in the block, of `refer_to`
    section: str
    content: str
    kind: str
    card: str
    known: datetime  #: when it happened or since when it holds, in the asker's zone
    trust: float
    classification: str
    origin: str
    speaker: str = ""
    until: datetime | None = None  #: when it ceased or will cease to hold, in the asker's zone
    guess: str | None = None  #: a key of GUESSES
    outcome: float | None = None  #: of an example, in [0, 1]
    mode: str = "assertion"  #: whether its speaker asserts it
    about: str | None = None  #: whose or what's state it is, as its key names it
    pending: bool = False  #: it is no memory yet: it was said in this session, and waits
    leads: bool = False  #: it stands before what holds as far as is known
    discussed: int = 1  #: sessions in which it was spoken of


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A line below the memories about some of them, which stands when one of them does. Text may be empty."""

    tag: NoticeTag
    text: str
    memories: tuple[UUID, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What stands around the memories. `now` is the asker's clock in the asker's zone, `zone` its name."""

    guard: Strength
    now: datetime
    zone: str = ""
    nothing_known: bool = False  #: nothing speaks of what was asked, which is told where no card stands


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The block, what it holds, and how many tokens it has."""

    text: str
    tokens: int
    cards: tuple[Card, ...]  #: as they stand in it


def stable_prefix(guard: Strength) -> str:
    """
    Return how every block with this guard begins, byte for byte, whatever is asked, known or the budget.

    The same until GUARD_VERSION moves; what follows it depends on the question.
    """
    text = guard_text(guard)
    rules = f"<guard>\n{escape(text)}\n</guard>\n" if text else ""
    return f"<memory_context>\n{rules}<memories>\n{LEGEND}\n"


def write_block(frame: Frame, cards: Sequence[Card], notices: Sequence[Notice]) -> str:
    """Return the block with these cards, in this order within their sections."""
    named = {card.id: card.reference for card in cards}
    says_so = frame.nothing_known and not cards
    lines = [
        f"<nothing_known>{NOTHING_KNOWN}</nothing_known>\n" if says_so else "",
        *(_write_section(section, cards, frame.now.year) for section in SECTIONS),
        "</memories>\n",
        *(_write_notices(tag, notices, named) for tag in NOTICES),
        _write_time(frame),
        "</memory_context>",
    ]
    return stable_prefix(frame.guard) + "".join(lines)


def _write_section(section: str, cards: Sequence[Card], year: int) -> str:
    inside = "".join(write_card(card, year=year) for card in cards if card.section == section)
    return _tag(section, inside)


def _tag(name: str, inside: str) -> str:
    return f"<{name}>\n{inside}</{name}>\n" if inside else ""


def write_card(card: Card, *, year: int) -> str:
    """
    Return one card on a line of its own; a line break of its text is followed by two blanks.

    `a3f 03-02 Rui, trust 0.48, guess: text`. Only a card begins a line with something else than a blank, so
    its text cannot begin another card. What `LEGEND` says of it is left out.
    """
    about = [
        f"{card.reference} {_day(card.known, year)}{_speaker(card)}",
        "pending" if card.pending else "",
        "" if card.until is None else f"until {_day(card.until, year)}",
        f"trust {_rounded(card.trust)}" if card.trust < RULE_TRUST and not card.pending else "",
        card.classification if card.classification != RULE_CLASS else "",
        card.mode if card.mode != "assertion" else "",
        "" if card.outcome is None else f"outcome {_rounded(card.outcome)}",
        GUESSES[card.guess] if card.guess else "",
        f"discussed {card.discussed} times" if card.discussed >= OFTEN else "",
    ]
    return f"{', '.join(one for one in about if one)}: {escape(_safe(card))}\n"


def _day(moment: datetime, year: int) -> str:
    day = moment.date().isoformat()
    return day[5:] if moment.year == year else day


def _rounded(share: float) -> str:
    return f"{share:.2f}".rstrip("0").rstrip(".")


def _speaker(card: Card) -> str:
    """
    Return the first word of the speaker's name where the reader needs it, behind a blank.

    An event is somebody's word. Of knowledge nobody's «I» is told, and a state is told by name unless its
    text names whose it is.
    """
    said = disarm(card.speaker, origin="").translate(_NO_JOINTS).split()
    return f" {escape(said[0][:_MOST_SPEAKER])}" if said and _needs_speaker(card) else ""


_NO_JOINTS: Final = str.maketrans({":": " ", ",": " "})


def _needs_speaker(card: Card) -> bool:
    names = (card.about or "").casefold()
    return card.card == "event" or (
        card.card == "state" and (not names or names not in card.content.casefold())
    )


def _safe(card: Card) -> str:
    return disarm(card.content, origin=card.origin)


def refer_to(ids: Collection[UUID], *, beside: Collection[UUID] = ()) -> dict[UUID, str]:
    """
    Return what each memory is called: the shortest end of its id, from three digits, that no other has.

    beside: what else feedback on the same recall can mean.
    """
    every = {str(one) for one in (*ids, *beside)}
    return {one: _shortest_end(str(one), every) for one in ids}


def _shortest_end(one: str, every: AbstractSet[str]) -> str:
    rivals = every - {one}
    length = SHORTEST_REFERENCE
    while length < len(one) and any(other.endswith(one[-length:]) for other in rivals):
        length += 1
    return one[-length:]


def _write_notices(tag: NoticeTag, notices: Iterable[Notice], named: Mapping[UUID, str]) -> str:
    lines = []
    for notice in notices:
        names = [named[one] for one in notice.memories if one in named]
        if notice.tag == tag and names:
            said = f": {escape(_said(notice))}" if notice.text else ""
            lines.append(f"- {', '.join(names)}{said}\n")
    return _tag(tag, "".join(lines))


def _said(notice: Notice) -> str:
    return disarm(notice.text, origin="")


def fingerprint(text: str) -> str:
    """
    Return what tells a block from another one, in hexadecimal: all of it but its clock.

    Two blocks of one fingerprint say the same, and differ in their last line but one.
    """
    lasting, _, _ = text.rpartition(f"<{_CLOCK}")
    return sha256(lasting.encode()).hexdigest()


def _write_time(frame: Frame) -> str:
    zone = f' zone="{escape_attribute(frame.zone)}"' if frame.zone else ""
    moment = frame.now.isoformat(timespec="seconds")
    return f"<{_CLOCK}{zone}>{_DAYS[frame.now.weekday()]} {moment}</{_CLOCK}>\n"


def check_budget(frame: Frame, *, budget: int, count: Callable[[str], int]) -> int:
    """Return the tokens of a block without memories. Raises BudgetTooSmall when the budget has fewer."""
    least = count(write_block(frame, (), ()))
    if least > budget:
        raise BudgetTooSmall(least)
    return least


def write_within(
    frame: Frame,
    cards: Sequence[Card],
    notices: Sequence[Notice],
    *,
    budget: int,
    least: int,
    count: Callable[[str], int],
) -> Block:
    """
    Return the block with as many of the cards as the budget has room for, and all there is to say of them.

    cards: the most wanted first; least: what `check_budget` returned. The tokens of the whole text are
    counted in the end, so that the budget holds whatever the tokenizer makes of the joints.
    """
    cut = [_shortened(card, most=int(budget * LARGEST_CARD), count=count) for card in cards]
    longest = int(budget * LARGEST_NOTICE)
    notices = [
        *(_shortened_notice(notice, most=longest, count=count) for notice in notices),
        *_told_by_kind(cut, notices),
    ]
    candidates = [_candidate(card, notices, frame.now.year) for card in cut]
    taken = pack(candidates, room=budget - least, parts=_part_costs(notices, count), count=count)
    while True:
        chosen = in_order([cut[number] for number in taken])
        text = write_block(frame, chosen, notices)
        tokens = count(text)
        if tokens <= budget or not taken:  # without a card it is the frame, which has `least`
            return Block(text=text, tokens=tokens, cards=chosen)
        del taken[-1]


def in_order(cards: Sequence[Card]) -> tuple[Card, ...]:
    """
    Return the cards as they stand: by section, what leads and what holds now first, else as given.

    Lessons stand newest first, and equal cards by id, so that the same choice is always written with the same
    bytes.
    """
    place = {card.id: number for number, card in enumerate(cards)}

    def key(card: Card) -> tuple[int, bool, bool, float, int, UUID]:
        section = SECTIONS.index(card.section)
        newest = -card.known.timestamp() if card.section == "recent_lessons" else 0.0
        return section, not card.leads, card.card != "state", newest, place[card.id], card.id

    return tuple(sorted(cards, key=key))


def _shortened(card: Card, *, most: int, count: Callable[[str], int]) -> Card:
    """Return the card with as much of its text, safe but not escaped, as one card may have."""
    safe = _safe(card)
    kept = shorten(safe, most=most, count=lambda text: count(escape(text)))
    return card if kept == safe else replace(card, content=kept)


def _shortened_notice(notice: Notice, *, most: int, count: Callable[[str], int]) -> Notice:
    said = shorten(_said(notice), most=most, count=lambda text: count(escape(text)))
    return replace(notice, text=said)


def _told_by_kind(cards: Sequence[Card], notices: Sequence[Notice]) -> list[Notice]:
    """
    Return what the cards' kinds say of them: which approaches failed, which are distilled knowledge.

    Lessons and patterns are knowledge by their section; it is told of those that stand with what happened.
    """
    warned = {one for notice in notices if notice.tag == "failed_approaches" for one in notice.memories}
    failed = tuple(card.id for card in cards if card.kind == "negative" and card.id not in warned)
    knowledge = tuple(
        card.id for card in cards if card.card == "knowledge" and card.section in _OF_EVENTS_TOO
    )
    return [
        Notice(tag="failed_approaches", text="", memories=failed),
        Notice(tag="knowledge_cards_referenced", text="", memories=knowledge),
    ]


_OF_EVENTS_TOO: Final = frozenset({"past_experience", "high_score_examples"})


def _candidate(card: Card, notices: Sequence[Notice], year: int) -> BudgetItem:
    """Return the card with everything that has to stand with it: a card is never shown without its alert."""
    needs = [card.section]
    for number, notice in enumerate(notices):
        if card.id in notice.memories:
            needs += [notice.tag, f"notice {number}", f"{card.id} in notice {number}"]
    return BudgetItem(section=card.section, text=write_card(card, year=year), needs=tuple(needs))


def _part_costs(notices: Sequence[Notice], count: Callable[[str], int]) -> dict[str, int]:
    costs = {name: _tag_tokens(name, count) for name in (*SECTIONS, *NOTICES)}
    for number, notice in enumerate(notices):
        costs[f"notice {number}"] = count(f"- : {escape(_said(notice))}\n")
        costs |= {f"{one} in notice {number}": REFERENCE_TOKENS for one in notice.memories}
    return costs


def _tag_tokens(name: str, count: Callable[[str], int]) -> int:
    return count(f"<{name}>\n</{name}>\n")
