"""Fill a token budget with cards: stated shares, and unused room is passed on (SPEC C-01). No Django."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

SHARES: Final[dict[str, float]] = {
    "past_experience": 0.45,
    "recent_lessons": 0.25,
    "high_score_examples": 0.15,
    "reusable_patterns": 0.15,
}
"""
Section → its part of the room beside the frame; in sum 1.

Ours: what is known of the question has nearly half, what went wrong before a quarter. Where a section has
less to say, the others have its room, so the shares decide only when there is more than fits.
"""


class BudgetTooSmall(ValueError):
    """The budget has no room for the frame. Ask for at least as many tokens as `least` says."""

    def __init__(self, least: int) -> None:
        super().__init__(type(self).__doc__)
        self.least = least


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetItem:
    """A card that may be taken."""

    section: str
    text: str
    needs: tuple[str, ...] = ()  #: parts that stand once, however many cards need them: tags, alerts


@dataclass(slots=True, kw_only=True)
class _Room:
    """What is taken so far, and what it costs."""

    left: int
    parts: Mapping[str, int]
    taken: list[int] = field(default_factory=list)
    there: set[str] = field(default_factory=set)

    def cost(self, candidate: BudgetItem, own: int) -> int:
        """Return what the card costs now: its own tokens and those of the parts that only it would bring."""
        return own + sum(self.parts[name] for name in set(candidate.needs) - self.there)

    def take(self, number: int, candidate: BudgetItem, cost: int) -> None:
        """Take the card and what it needs."""
        self.left -= cost
        self.taken.append(number)
        self.there.update(candidate.needs)


def pack(
    candidates: Sequence[BudgetItem],
    *,
    room: int,
    parts: Mapping[str, int],
    count: Callable[[str], int],
    shares: Mapping[str, float] = SHARES,
) -> list[int]:
    """
    Return the numbers of the cards to take, the most wanted first.

    candidates: the most wanted first. room: tokens for cards and their parts; parts: part → tokens. First
    each section fills its share, then all that is left goes to whoever is next, of any section. A card that
    does not fit is passed over for the next smaller one. Costs are added up, which for most tokenizers is a
    close guess: count the whole afterwards.
    """
    state = _Room(left=room, parts=parts)
    costs = _Costs(candidates, count)
    for section, share in shares.items():
        own = [number for number, one in enumerate(candidates) if one.section == section]
        _fill(state, candidates, own, costs, most=int(share * room))
    rest = [number for number in range(len(candidates)) if number not in set(state.taken)]
    _fill(state, candidates, rest, costs, most=state.left)
    return sorted(state.taken)


class _Costs:
    """Tokens of each card, counted when they are first asked for: counting is the dear part."""

    def __init__(self, candidates: Sequence[BudgetItem], count: Callable[[str], int]) -> None:
        self._candidates = candidates
        self._count = count
        self._known: dict[int, int] = {}

    def of(self, number: int) -> int:
        if number not in self._known:
            self._known[number] = self._count(self._candidates[number].text)
        return self._known[number]


def _fill(
    state: _Room, candidates: Sequence[BudgetItem], numbers: Iterable[int], costs: _Costs, *, most: int
) -> None:
    left = min(most, state.left)
    for number in numbers:
        cost = state.cost(candidates[number], costs.of(number))
        if cost <= left:
            state.take(number, candidates[number], cost)
            left -= cost


MOST_CHARACTERS_A_TOKEN: Final = 12
"""Beyond so many characters for each token wanted nothing is looked at; English has four to five."""


def shorten(text: str, *, most: int, count: Callable[[str], int]) -> str:
    """
    Return the text, or about as much of its beginning, with « …» behind it, as has at most `most` tokens.

    Cut after a whole word where one ends in the last fifth. Empty when not even one character fits.
    """
    if len(text.encode("utf-8", "surrogatepass")) < most or count(text) <= most:
        return text
    length = min(len(text) - 1, most * MOST_CHARACTERS_A_TOKEN)
    while length > 0:
        kept = _cut(text, length)
        tokens = count(kept)
        if tokens <= most:
            return kept
        length = min(length - 1, length * most // tokens)
    return ""


def _cut(text: str, length: int) -> str:
    kept = text[:length]
    word_end = kept.rfind(" ")
    return (kept[:word_end] if word_end > 0.8 * length else kept).rstrip() + " …"
