"""
Ask the arbiter what a new row does to those that stand near it (SPEC K-05, K-06). Pure.

A verdict retires nothing: it is kept as a link, from the later statement to the earlier one, and recall reads
it. Whom recall believes is its own matter: a link of a row that nobody trusts moves nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from memories.candidates import Candidate, Draft, Neighbour, in_one_breath
from memories.domain import SAID_BY_NOBODY
from memories.language import words
from memories.reconciliation.arbiters.local import AROUND, SPACE, Pair, judge, measure_around
from memories.reconciliation.arbiters.verdicts import Relation, Said, Verdict, mouth_of

UPDATES_FROM: Final = 0.25
"""Chance of an update from which it is kept, if neither «same» nor «unrelated» is likelier. Ours."""

LINK_FROM: Final = 0.40
"""Precedence from which an update is kept; recall asks for more where the question is more of the earlier one
(docs/decisions/0079 has the figures)."""

DENIES_FROM: Final = 0.50
"""Confidence from which a contradiction is kept: more likely so than not."""

SAME_FROM: Final = 0.25
"""
Chance of «same» from which it is kept, if it is likelier than «adds» and than all that updates.

Low, for it hides nothing: recall shows both texts, as one result. On held-out domains it has 2 of 3
restatements of the pairs and 1 of 16 that add to each other, and half of the restatements in logs of teams.
"""

BY_CHANCE: Final = 0.06
"""
Similarity up to which two statements are as alike as any two: of its own pairs 95 % of those about different
things are below, and 10 % of the restatements, in another language or as a log line. «Same» counts there only
if it is likelier than «unrelated»: «is allergic to peanuts» was told as what a table for two says.
"""

NO_UPDATE_UP_TO: Final = 0.08
"""
Similarity up to which nothing is told to be updated: what updates a statement is about the same thing.

Of what was told of 595 statements of its own pairs and the twelve nearest about other things, three in five
were below, and 3 % of the true updates; on `relations.jsonl`, which it is not fitted on, six of seven and
none of 80.
"""

STANDS_OUT: Final = 0.03
"""
How much nearer an updated statement lies than the farther half of those that are looked at.

Where one person says everything, all is nearer to all, and statements about different things passed for
updates of each other: «the guest wifi has no password any more» ended «I never eat pork». With one speaker
for all, 378 updates were told of 600 statements of its own pairs that have none, with this 55, and 148 of 189
true ones stay; on `relations.jsonl` 38 of 200 became 5, and 82 of 83 stay.
"""

FEWEST_AROUND: Final = 6
"""Rows from which something can stand out: of three, two may be former values of the same. Ours."""

LONGEST_JUDGED: Final = 250
"""Bytes of UTF-8 of the longest text that is judged: of the pairs it is fitted on 99 in 100 are no longer."""

LONGEST_SAME: Final = 160
"""
Bytes of UTF-8 of the longest text that it tells to say the same again: 97 in 100 of the restated ones it is
fitted on are no longer.

Two long messages of one matter have many words in common, and each says something the other does not. Of long
messages to an assistant one answer in ten was lost in another one's result (docs/decisions/0099).
"""

SUREST: Final = 0.999
"""How sure an arbiter can be at most: full confidence is a person's word, which counts without conditions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedNeighbour:
    """A verdict on the new row and one that stands, sure enough to be kept."""

    near: Neighbour
    relation: Relation
    confidence: float  #: from LINK_FROM, DENIES_FROM or SAME_FROM, by the relation, to SUREST
    judge: str
    is_newer: bool = True  #: the new row is the later statement of the two
    reason: str = "signs"  #: why, in a word: see `memories.llms.opinions`


def judge_near(candidate: Candidate, neighbours: Sequence[Neighbour]) -> tuple[JudgedNeighbour, ...]:
    """
    Return the verdicts worth keeping on a new row and those near it that hold and stay, nearest first.

    What is asked, supposed or heard says nothing of what stands (SPEC K-08).
    """
    draft = candidate.draft
    if (
        draft.kind in SAID_BY_NOBODY
        or _size(draft.content) > LONGEST_JUDGED
        or draft.mode != "assertion"
        or (draft.span is None and not draft.verbatim)
    ):
        return ()
    rows = list(islice(_comparable(draft, neighbours), AROUND))
    said = Said(
        text=draft.content, at=draft.effective_at, speaker=draft.speaker, mouth=mouth_of(draft.provenance),
        vector=candidate.vector if candidate.space == SPACE else None,
    )  # fmt: skip
    newer = [draft.effective_at >= near.effective_at for near in rows]
    alike = [near.similarity or 0.0 for near in rows]
    pairs: list[Pair] = []
    for near, is_newer, similarity, around in zip(rows, newer, alike, measure_around(alike), strict=True):
        other = _said(near, candidate.space)
        first, then = (other, said) if is_newer else (said, other)
        pairs.append((first, then, similarity, around))
    found = zip(rows, newer, judge(pairs), strict=True)
    least = max(NO_UPDATE_UP_TO, _background(alike) + STANDS_OUT)
    return tuple(
        one
        for near, is_newer, verdict in found
        for one in _keep(near, verdict, is_newer=is_newer, update_above=least)
        if one.relation is not Relation.SAME or _size(draft.content, near.content) <= LONGEST_SAME
    )


def _background(alike: Sequence[float]) -> float:
    """Return the mean similarity of the farther half of some rows, below 0 where they are too few to tell."""
    farther = sorted(alike)[: len(alike) // 2]
    return sum(farther) / len(farther) if len(alike) >= FEWEST_AROUND else -1.0


def _size(*texts: str) -> int:
    """Return the bytes of the longest text: a sentence has about as many of them in every script."""
    return max(len(text.encode("utf-8", "replace")) for text in texts)


def _comparable(draft: Draft, neighbours: Iterable[Neighbour]) -> Iterator[Neighbour]:
    """Yield the rows in sight of the draft's class that may be of the same, and not of one breath with it."""
    for near in neighbours:
        if (
            near.similarity is not None
            and not in_one_breath(draft, near)
            and not _tells_of_another_thing(draft, near)
            and near.kind not in SAID_BY_NOBODY
            and _size(near.content) <= LONGEST_JUDGED
            and near.audience.classification <= draft.audience.classification
        ):
            yield near


def _tells_of_another_thing(draft: Draft, near: Neighbour) -> bool:
    """
    Tell whether both say, in the same words, one attribute of two things, and of each another value.

    «Rugby was created in India» and «chess was created in Spain» are as alike as a value and its change, and
    the later one passed for a correction. Where the value is the same it may be one («Ann leads Falcon», «Ben
    leads Falcon»), and where the names share a word they may be of the same thing.
    """
    mine = (draft.entity_key, draft.concept_key, draft.value)
    theirs = (near.entity_key, near.concept_key, near.value)
    if None in (*mine, *theirs) or mine[1] != theirs[1] or mine[2] == theirs[2]:
        return False
    entity, other = words(mine[0] or ""), words(theirs[0] or "")
    if not set(entity).isdisjoint(other):
        return False
    said = Counter(words(draft.content)) - Counter([*entity, *words(mine[2] or "")])
    return said == Counter(words(near.content)) - Counter([*other, *words(theirs[2] or "")])


def _said(near: Neighbour, space: str) -> Said:
    return Said(
        text=near.content, at=near.effective_at, speaker=near.speaker, mouth=mouth_of(near.provenance),
        vector=near.vector if space == SPACE else None,
    )  # fmt: skip


def _keep(
    near: Neighbour, verdict: Verdict, *, is_newer: bool, update_above: float
) -> Iterator[JudgedNeighbour]:
    """
    Yield what is sure enough of a verdict: an update by all of UPDATES, a contradiction, or «same».

    update_above: similarity up to which nothing is updated.

    An update that may as well be «same» is told as both: recall shows the later one, with the words of both.
    """

    def told(relation: Relation, confidence: float) -> JudgedNeighbour:
        return JudgedNeighbour(
            near=near,
            relation=relation,
            confidence=min(confidence, SUREST),
            judge=verdict.judge,
            is_newer=is_newer,
        )

    denies, again = verdict.chances[Relation.CONTRADICTS], verdict.chances[Relation.SAME]
    likely = max(UPDATES_FROM, verdict.chances[Relation.UNRELATED], again)
    is_near = (near.similarity or 0.0) > update_above
    if is_near and verdict.updates >= likely and verdict.precedence >= LINK_FROM:
        yield told(verdict.update, verdict.precedence)
    elif denies >= DENIES_FROM:
        yield told(Relation.CONTRADICTS, denies)
        return
    by_chance = verdict.chances[Relation.UNRELATED] if (near.similarity or 0.0) <= BY_CHANCE else 0.0
    if again >= max(SAME_FROM, verdict.chances[Relation.ADDS], by_chance):
        yield told(Relation.SAME, again)
