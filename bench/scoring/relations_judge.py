"""What a later statement did to an earlier one, judged by what recall shows: pure, from answers to shares."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from bench.scoring.own_words import SHOWN, Row, coverage, is_intact, is_kept, result_text

CHANGES: Final = frozenset({"replaces", "ends", "corrects"})
"""Relations after which the earlier statement is outdated."""

KEEPS: Final = frozenset({"refines", "adds", "contradicts", "unrelated"})
"""Relations after which both statements have to be found."""

ASKED_AFTER: Final = timedelta(days=7)
"""How long after the later statement the question is asked."""

QUOTED: Final = 40
"""Characters of a result by which an alert's text may name it."""

FIGURES: Final = ("kept", "intact", "right1", "right5", "stale1", "unmarked5", "lost", "twice")

Figures = dict[str, float | int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What somebody said at one time."""

    role: str
    speaker: str
    clock: str  #: ISO-8601 with its offset
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two statements, how the later one relates to the earlier, and a question about them."""

    id: str
    lang: str
    first: Statement
    then: Statement
    relation: str
    question: str
    gold: tuple[tuple[str, ...], ...]  #: each a set of words that answer together
    stale: tuple[str, ...]  #: words that are outdated once the later statement is made

    @property
    def asked_at(self) -> str:
        """The moment from which everything about the pair is asked, ISO-8601."""
        clocks = (datetime.fromisoformat(one.clock) for one in (self.first, self.then))
        return (max(clocks) + ASKED_AFTER).isoformat()

    def is_right(self, text: str) -> bool:
        """Tell whether a text answers the question."""
        return any(all(word.lower() in text.lower() for word in words) for words in self.gold)

    def is_stale(self, text: str) -> bool:
        """Tell whether a text has outdated words and no right ones."""
        return any(word.lower() in text.lower() for word in self.stale) and not self.is_right(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a recall brought, best first."""

    results: Sequence[Row]
    alerts: Sequence[Row] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """All that was asked about a pair: each statement by its own words, and the question."""

    first: Answer
    then: Answer
    question: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of a pair."""

    id: str
    lang: str
    relation: str
    kept: tuple[bool, bool]  #: the earlier statement, the later one
    intact: tuple[bool, bool]
    right1: bool
    right5: bool
    stale1: bool
    unmarked5: bool
    twice: bool

    @property
    def lost(self) -> bool:
        """Whether one of the two statements is not kept."""
        return not all(self.kept)


def read_pair(row: Row) -> Pair:
    """Return a line of the file. Raises KeyError or TypeError where it is in another format."""
    statement: Any = {
        which: Statement(**{name: row[which][name] for name in Statement.__slots__})
        for which in ("first", "then")
    }
    return Pair(
        id=row["id"],
        lang=row["lang"],
        relation=row["relation"],
        question=row["question"],
        gold=tuple(tuple(words) for words in row["gold"]),
        stale=tuple(row["stale"]),
        **statement,
    )


def judge(pair: Pair, answers: Answers) -> Verdict:
    """Judge a pair by what was shown for it."""
    said = ((pair.first, answers.first), (pair.then, answers.then))
    texts = [result_text(result) for result in answers.question.results]
    first, then = ({place for place, text in enumerate(texts) if _shows(text, one)} for one, _ in said)
    if pair.relation == "contradicts":
        right = 0 if first and then else None  # both sides have to be shown, in whatever places
    else:
        right = next((place for place, text in enumerate(texts) if pair.is_right(text)), None)
    stale = next((place for place, text in enumerate(texts) if pair.is_stale(text)), None)
    return Verdict(
        id=pair.id,
        lang=pair.lang,
        relation=pair.relation,
        kept=_both(is_kept(one.text, answer.results) for one, answer in said),
        intact=_both(is_intact(one.text, answer.results) for one, answer in said),
        right1=right == 0,
        right5=right is not None,
        stale1=stale == 0,
        unmarked5=stale is not None and _is_unmarked(answers.question, stale),
        twice=bool(first and then and first != then),
    )


def _shows(text: str, statement: Statement) -> bool:
    return coverage(statement.text, text) >= SHOWN


def _both(each: Iterable[bool]) -> tuple[bool, bool]:
    first, then = each
    return first, then


def _is_unmarked(answer: Answer, place: int) -> bool:
    """Tell whether a result passes for current: by its standing, and with no alert that names it."""
    result = answer.results[place]
    names = (str(result.get("id")), (result.get("content") or "§")[:QUOTED])
    alerts = (json.dumps(alert, ensure_ascii=False) for alert in answer.alerts)
    is_named = any(name in alert for alert in alerts for name in names)
    return result.get("standing", "current") == "current" and not is_named


def figures(verdicts: Sequence[Verdict]) -> Figures:
    """
    Return {n, kept, intact, right1, right5, stale1, unmarked5, lost, twice}: shares to three decimals.

    kept, intact: of all statements; right: of all pairs; stale, unmarked: of those in CHANGES; lost: of
    those in KEEPS; twice: of «same». None where there is nothing to take a share of.
    """
    changes = [one for one in verdicts if one.relation in CHANGES]
    keeps = [one for one in verdicts if one.relation in KEEPS]
    same = [one for one in verdicts if one.relation == "same"]
    return {
        "n": len(verdicts),
        "kept": _share([kept for one in verdicts for kept in one.kept]),
        "intact": _share([intact for one in verdicts for intact in one.intact]),
        "right1": _share([one.right1 for one in verdicts]),
        "right5": _share([one.right5 for one in verdicts]),
        "stale1": _share([one.stale1 for one in changes]),
        "unmarked5": _share([one.unmarked5 for one in changes]),
        "lost": _share([one.lost for one in keeps]),
        "twice": _share([one.twice for one in same]),
    }


def _share(each: Sequence[bool]) -> float | None:
    return round(sum(each) / len(each), 3) if each else None
