"""
Judge whether a note only says again, in other words, what stands already (SPEC W-11). Pure.

People and agents restate at once what was said: in short, for the file, in another language. Such a note
lies no nearer to its original than to the rest of the session, so a vector alone never tells it. What tells
it is that it adds nothing: no figure, no time, no name, no «not», no change, and few words of its own; the
nearer in time, the fewer signs are needed. What adds something stays, and so does what leaves a doubt.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from memories.calibration import MERGE_FROM
from memories.candidate import Candidate, Draft, Neighbour
from memories.differ import Difference, differences
from memories.echo import is_tools
from memories.guesses import strip_guess
from memories.overlap import cover, has_chinese, has_words
from memories.particulars import FIELD, Particular, brings_name, count_common, find_missing, read_particulars
from memories.restated_keys import has_other_key, may_share_key
from memories.restated_manner import denies_alike, drop_duty
from memories.restated_words import CONCLUSION, DOUBLE_NEGATION, FRAME, REVERSAL, STILL, UNCHANGED
from memories.tokens import words
from security.patterns import bounded

RESTATED_FROM: Final = 1.3
"""Score from which a note that adds nothing is a restatement, however long ago the original was said."""

RESTATED_AT_ONCE: Final = 1.05
"""
The same where it was said in the same session or on the same day. Both were set on the first half of the
sample fleet: there restatements reach 1.08 to 2.6, and no other note that adds nothing reaches 1.0 at
once, or 1.13 later (docs/calibration.md).
"""

SUSPECTED_FROM: Final = 1.0
"""Score from which the doubt is worth telling in the trace."""

COMMON: Final = 0.15
"""What a figure, time or name in common adds to the score, up to three of them."""

AT_ONCE: Final = 0.35
"""What it adds that both were said in one session, or on one day to one agent."""

ANNOUNCED: Final = 0.45
"""What it adds that the note calls itself a restatement, or says that something stands as it stood."""

LEAST_COVER: Final = 0.30
"""Share of each sentence's own words that the original must have, whatever else speaks for it."""

LEAST_SHARE: Final = 0.15
"""Share of search terms, figures among them, beneath which the texts are not read closely."""

SPARE: Final = 0.15
"""How much the share of words may exceed the share of search terms: the ways of cutting differ."""

MOST_JUDGED: Final = 4
"""Captures that a note is held against closely, the likeliest ones."""

ACROSS: Final[dict[str, tuple[float, float]]] = {"e5-small-q4": (0.04, 0.12)}
"""
Space → similarities of a text in English and one in Chinese: from where they may say the same, and where half
of the translations lie. The table of one language places those low: 30 sentences of ours and their
translations have cosines of 0.77 to 0.86, median 0.834, others 0.80 at most (22 November 2026).
A space that is not listed tells nothing across languages.
"""

COVER_ACROSS: Final = 0.40
"""What stands for the words in common between two languages, where the particulars are all that meets."""

LONGER_ACROSS: Final = 1.6
"""How much longer than the original, in words, a translation may be; 1.5 characters count as a word."""

COMMON_UNDER_OTHER_KEYS: Final = 2
"""Particulars that texts filed under two entities must have in common: one of them tells no fact."""

A_DAY: Final = timedelta(hours=24)

_RULE: Final = "invariant"

_ACTS: Final = frozenset({"task", "decision", "correction", "negative", "meta", "example", "passage"})
"""Kinds that do something by being said: only one of the same kind says them again."""

_OWED: Final = frozenset({"task", "example"})
"""Kinds of which another kind is the outcome: «it is done» says no task again."""

_HEARD: Final[frozenset[Difference]] = frozenset(("polarity", "role", "modality", "wording"))
"""What must not differ; figures, times and names are weighed one-sidedly, for the original may tell more."""

_FRAME: Final = bounded(FRAME, re.IGNORECASE)
_UNCHANGED: Final = bounded(UNCHANGED, re.IGNORECASE)
_STILL: Final = bounded(STILL, re.IGNORECASE)
_CLAUSE: Final = bounded(r"(?<!\d)[,;.!?](?!\d)|[，。；！？\n]")
_SENTENCE: Final = bounded(r"[.!?;](?=\s|$)|[。！？；\n]")
_CONCLUSION: Final = bounded(CONCLUSION, re.IGNORECASE)
_DOUBLE_NEGATION: Final = bounded(DOUBLE_NEGATION, re.IGNORECASE)
_ZERO: Final = bounded(r"(?<![\w.,:/-])=?\s?0(?![\w.,:/%-])")
_REVERSAL: Final = bounded(REVERSAL, re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Restated:
    """What the judge makes of a note beside what stands."""

    near: Neighbour
    score: float  #: sum of the signs; 0 where something is new
    adds: frozenset[Particular | Difference]  #: in what respects the note is news
    at_once: bool = False

    @property
    def is_certain(self) -> bool:
        """Whether the note may be left out for it."""
        return self.score >= (RESTATED_AT_ONCE if self.at_once else RESTATED_FROM)


def find_restated(candidate: Candidate, neighbours: Sequence[Neighbour]) -> Restated | None:
    """Return what the note says again by the strongest signs, if they reach SUSPECTED_FROM."""
    draft = candidate.draft
    if not may_restate(draft):
        return None
    judged = [judge_restated(draft, told, space=candidate.space) for told in _choose(candidate, neighbours)]
    best = max(judged, key=lambda one: (one.is_certain, one.score), default=None)
    return best if best is not None and best.score >= SUSPECTED_FROM else None


def may_restate(draft: Draft) -> bool:
    """Tell whether a note may be a restatement: no verbatim turn, no correction."""
    is_news = draft.change == "correction" or draft.provenance == "user_correction"
    return not draft.verbatim and not is_news and draft.kind not in ("correction", "passage")


def judge_restated(draft: Draft, told: Sequence[Neighbour], *, space: str) -> Restated:
    """
    Judge whether the note says again what rows of one capture say, the nearest of them first.

    Raises ValueError when there is no row.
    """
    if not told:
        raise ValueError("A note is judged beside at least one row.")
    near = told[0]
    if (
        near.similarity or 0.0
    ) >= MERGE_FROM:  # so near that `alike` has looked at every word, and was not sure
        return Restated(near=near, score=0.0, adds=frozenset())
    said, announced = _strip_frame(strip_guess(draft.content))
    old = _join(strip_guess(row.content) for row in told)
    adds = _find_news(draft, near, said, old)
    if adds:
        return Restated(near=near, score=0.0, adds=adds)
    score = _weigh(draft, near, said, old, announced=announced, space=space)
    return Restated(near=near, score=score, adds=frozenset(), at_once=is_at_once(draft, near))


def _group(draft: Draft, neighbours: Iterable[Neighbour]) -> Iterator[list[Neighbour]]:
    """Yield the rows that may be said again, those of one capture together: it was cut into notes."""
    groups: dict[object, list[Neighbour]] = {}
    for near in neighbours:
        if _may_be_restated(draft, near):
            groups.setdefault(near.capture_id or near.id, []).append(near)
    yield from groups.values()


def _choose(candidate: Candidate, neighbours: Iterable[Neighbour]) -> list[list[Neighbour]]:
    """
    Return the few groups of rows that could reach SUSPECTED_FROM, the likeliest first.

    To read a text's particulars costs a millisecond, to cut it into words next to nothing.
    """
    draft, promising = candidate.draft, []
    said = strip_guess(draft.content)
    mine = _words_of(said)
    announced = any(marks.search(said) for marks in (_FRAME, _STILL, _UNCHANGED))
    for told in _group(draft, neighbours):
        theirs = frozenset().union(*(_words_of(row.content) for row in told))
        share = len(mine & theirs) / len(mine) if mine else 0.0
        most = _bound(draft, told, share, announced=announced, space=candidate.space)
        old = _join(row.content for row in told)
        if most >= SUSPECTED_FROM and not brings_name(
            _strip_frame(said)[0], old, known=_names_of(draft, told[0])
        ):
            promising.append((most, told))
    promising.sort(key=lambda one: -one[0])
    return [told for _, told in promising[:MOST_JUDGED]]


@lru_cache(maxsize=1024)
def _words_of(text: str) -> frozenset[str]:
    """Return the words of a text; the same rows lie near one note of a session after the other."""
    return frozenset(words(text))


def _bound(draft: Draft, told: Sequence[Neighbour], share: float, *, announced: bool, space: str) -> float:
    """Return the score that a note may reach at most; 0 where it cannot be a restatement."""
    near = told[0]
    similarity = near.similarity or 0.0
    if has_chinese(draft.content) != any(has_chinese(row.content) for row in told):
        similarity, share = _across(similarity, space), COVER_ACROSS
        if not similarity:
            return 0.0
    elif share < LEAST_SHARE or similarity >= MERGE_FROM:
        return 0.0
    return similarity + share + SPARE + 3 * COMMON + AT_ONCE * is_at_once(draft, near) + ANNOUNCED * announced


def _may_be_restated(draft: Draft, near: Neighbour) -> bool:
    """Tell whether this row could be the original: seen by all who may see the note, of a kind with it."""
    if near.kind == "passage" or (near.capture_id is not None and near.capture_id == draft.capture_id):
        return False
    same_act = draft.kind == near.kind or (draft.kind not in _ACTS and near.kind not in _OWED)
    brings_key = draft.card == "state" != near.card  # (entity, concept), by which it can be replaced one day
    # What is read off verifies what is known to be so; two readings are two happenings.
    reads_other = is_tools(draft) and near.card != "state"
    rank = draft.audience.classification
    return (
        same_act
        and not brings_key
        and not reads_other
        and may_share_key(draft, near)
        and near.audience.classification <= rank
        and near.audience.covers(draft.audience)
    )


def _find_news(draft: Draft, near: Neighbour, said: str, old: str) -> frozenset[Particular | Difference]:
    """Return in what respects the note tells something that the rows do not."""
    new = read_particulars(said, clock=draft.effective_at, zone=draft.zone)
    known = read_particulars(old, clock=near.effective_at, zone=near.zone)
    day = near.effective_at.astimezone(ZoneInfo(near.zone)).date()
    missing = find_missing(new, known, known=_names_of(draft, near), day=day)
    if missing:
        return frozenset(missing)
    if any(marks.search(said) and not marks.search(old) for marks in (_REVERSAL, _CONCLUSION)):
        return frozenset({"wording"})
    meant, told = _plain(_find_meant(said, old)), _plain(said)
    if near.kind == _RULE and draft.card != "event":
        told, meant = drop_duty(told, meant)
    heard = differences(meant, told) & _HEARD
    return frozenset() if heard == {"polarity"} and denies_alike(told, meant) else heard


def _find_meant(said: str, old: str) -> str:
    """Return the clauses of the old text that speak of what is said: a «not» elsewhere denies nothing."""
    if has_chinese(said) != has_chinese(old):
        return old
    meant = [clause for clause in _CLAUSE.split(old) if cover(said, clause)]
    return ", ".join(meant) or old


def _plain(text: str) -> str:
    """Return a text without the negations that deny nothing, «none» for a count of zero, fields as words."""
    bare = _DOUBLE_NEGATION.sub(lambda pair: pair["between"], _UNCHANGED.sub(" ", text))
    bare = FIELD.sub(lambda field: f"{field[1].replace('_', ' ')} ", bare)
    return _ZERO.sub(" none ", bare)


def _weigh(draft: Draft, near: Neighbour, said: str, old: str, *, announced: bool, space: str) -> float:
    similarity, covered = near.similarity or 0.0, cover(said, old)
    if has_chinese(said) != has_chinese(old):
        similarity, covered = _across(similarity, space), COVER_ACROSS
        if not similarity or _length(said) > LONGER_ACROSS * _length(old):
            return 0.0
    elif _least_cover(said, old) < LEAST_COVER:
        return 0.0
    common = count_common(
        read_particulars(said, clock=draft.effective_at, zone=draft.zone),
        read_particulars(old, clock=near.effective_at, zone=near.zone),
        known=_names_of(draft, near),
    )
    announced = announced or bool(_STILL.search(said) or _UNCHANGED.search(said))
    if not (common or announced):  # «a dog catches a ball», «a dog bites a ball»: nothing ties them together
        return 0.0
    if common < COMMON_UNDER_OTHER_KEYS and has_other_key(draft, near):
        return 0.0
    signs = COMMON * min(common, 3) + AT_ONCE * is_at_once(draft, near) + ANNOUNCED * announced
    return similarity + covered + signs


def _least_cover(said: str, old: str) -> float:
    """Return the cover of the sentence that is covered least: one of its own is news."""
    return min((cover(part, old) for part in _SENTENCE.split(said) if has_words(part)), default=0.0)


def is_at_once(draft: Draft, near: Neighbour) -> bool:
    """Tell whether both were said in one session, or to one agent within a day."""
    if near.audience.agent_id != draft.audience.agent_id:
        return False
    if draft.session and near.session == draft.session:
        return True
    return abs(draft.effective_at - near.effective_at) <= A_DAY


def _across(similarity: float, space: str) -> float:
    """Return a similarity across languages as one within: 0 below all translations, 0.5 at half."""
    low, middle = ACROSS.get(space, (1.0, 1.0))
    return max(0.0, min(0.8, 0.5 * (similarity - low) / (middle - low))) if middle > low else 0.0


def _strip_frame(text: str) -> tuple[str, bool]:
    """Return what is said behind «in short:» and the like, and whether there was such a frame."""
    said = _FRAME.sub("", text, count=1)
    return (said, True) if said != text and said.strip() else (text, False)


def _names_of(draft: Draft, near: Neighbour) -> tuple[str, ...]:
    """Return the names that need not be told again: who speaks, and of what the row is known to speak."""
    return tuple(filter(None, (near.speaker, near.entity_key, draft.speaker)))


def _join(texts: Iterable[str]) -> str:
    return "\n".join(texts)


def _length(text: str) -> float:
    """Return how much a text says, in words."""
    characters = sum("\u3400" <= sign <= "\u9fff" for sign in text)
    return len(bounded(r"[A-Za-z0-9]+").findall(text)) + characters / 1.5


def tells_all(draft: Draft, near: Neighbour) -> bool:
    """Tell whether the note has every figure, time and name of the row, so that it could take its place."""
    old = read_particulars(strip_guess(near.content), clock=near.effective_at, zone=near.zone)
    new = read_particulars(draft.content, clock=draft.effective_at, zone=draft.zone)
    return not find_missing(old, new, known=tuple(filter(None, (draft.speaker, draft.entity_key))))
