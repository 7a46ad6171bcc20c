"""
Count on how many occasions each agent asked about each word. Pure.

Questions are counted and not answers: what is lifted for being asked about is shown more often, and would
lift itself. An occasion is a session, or a UTC day where a question has none: who asks one thing twenty times
in a row, or in a loop, is interested once.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from memories.language import keywords, stem
from recall.ranking import INTEREST_WINDOWS

FEWEST: Final = 2
"""Occasions from which a word is an interest. Ours: what was asked about once was a question."""

MOST_KEPT: Final = 50
"""Words that are kept of one agent, project and class: those with the most occasions. Ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentQuestion:
    """A question."""

    agent: UUID
    project: UUID | None
    classification: int
    at: datetime
    session: str
    query: str

    @property
    def whose(self) -> "Whose":
        """Return among which questions it is counted."""
        return self.agent, self.project, self.classification

    @property
    def occasion(self) -> str:
        """Return its session, or its day."""
        return self.session or self.at.date().isoformat()


Whose = tuple[UUID, UUID | None, int]  #: agent, project, class
Counted = tuple[int, ...]  #: occasions in each of `INTEREST_WINDOWS`


def count_occasions(
    asked: Iterable[AgentQuestion], *, now: datetime
) -> Mapping[Whose, Mapping[str, Counted]]:
    """
    Return by whose questions they are, word → occasions in the last 7, 30 and 90 days; «» is for any word.

    asked: in any order. Words come as they were asked first; forms of one word are counted together.
    """
    latest: dict[Whose, dict[str, dict[str, datetime]]] = defaultdict(lambda: defaultdict(dict))
    shown: dict[tuple[Whose, str], str] = {}
    for one in sorted(asked, key=lambda each: each.at):
        for word in ("", *keywords(one.query)):
            root = stem(word)
            shown.setdefault((one.whose, root), word)
            latest[one.whose][root][one.occasion] = one.at
    return {
        whose: _most_frequent(
            {shown[whose, root]: _by_window(found.values(), now) for root, found in of.items()}
        )
        for whose, of in latest.items()
    }


def _by_window(moments: Iterable[datetime], now: datetime) -> Counted:
    found = Counter(days for at in moments for days in INTEREST_WINDOWS if at > now - timedelta(days=days))
    return tuple(found[days] for days in INTEREST_WINDOWS)


def _most_frequent(counted: Mapping[str, Counted]) -> Mapping[str, Counted]:
    """Return the count of all occasions, and of the words that were asked about on enough of them."""
    words = [(word, counts) for word, counts in counted.items() if word and counts[-1] >= FEWEST]
    words.sort(key=lambda one: (tuple(-count for count in reversed(one[1])), one[0]))
    return {"": counted[""], **dict(words[:MOST_KEPT])}
