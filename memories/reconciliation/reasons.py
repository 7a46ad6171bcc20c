"""
Find what a new row rests on among those near it: the why of a decision or finding (SPEC M-09). Pure.

# Note [Three signs]
A reason that the text itself gives, a row that was recalled in the same session just before a decision, and
a person whom the text names as its source. Each draws a link and nothing else: trust, class and lineage
stay as they are. A wrong link costs a look at the decision when what it names falls; a missing one hides
that it fell.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from memories.calibration import LINK_ABOVE
from memories.candidates import Draft, Neighbour, in_one_breath
from memories.language import split_sentences, words
from memories.reconciliation.decision import CURRENT
from security.patterns import bounded

DECISION: Final = "decision"
REASONED: Final = frozenset({DECISION, "finding", "negative", "correction", "pattern", "concept"})
"""Kinds whose reason clauses are read: what was decided, and what was found out."""

NO_REASON: Final = frozenset({"task", "meta", "example"})
"""Kinds that nothing rests on."""

FEWEST_SHARED: Final = 3
SHARE: Final = 0.5
"""Words that a reason clause and a row must have in common, and which share of the fewer. Ours: of ten links
on the sample fleet three had two words in common («the partition job»), and none of those was a reason."""

BEARS_ON: Final = 2
"""Words that a decision and what was recalled before it must have in common, where likeness is low. Ours."""

ON_THE_SAME: Final = 0.50
"""Calibrated similarity that two texts on one thing have: docs/calibration.md."""

MOST: Final = 3
"""Reasons that are drawn at most for each sign, the surest first. Ours."""

BY_LIKENESS: Final = 0.9
"""How far likeness is trusted where words would be sure."""

_AFTER: Final = bounded(
    r"\b(?:because(?: of)?|due to|owing to|given that|since|weil|wegen|aufgrund|denn|parce qu['’e]"
    r"|puisqu['’e]|en raison d['’e]|porque|ya que|debido a)\b|因为|由于|鉴于|理由是|原因是",
    re.IGNORECASE,
)
"""Words that a reason follows."""

_BEFORE: Final = bounded(
    r"[,;，；]\s?(?:so|therefore|hence|which is why|deshalb|daher|darum|donc|c['’]est pourquoi|por eso"
    r"|así que)\b|[,;，；]?(?:所以|因此)|ので|ため、|からである|때문에",
    re.IGNORECASE,
)
"""Words that a reason stands before, in its sentence."""

_SOURCE: Final = bounded(
    r"\b(?:as|like|wie|comme|como|according to|per|laut|nach|selon|según)"
    r"\s(?P<who>[A-ZÀ-ÝÄÖÜ][\w'’-]{1,30})"
    r"|(?:正如|据|按照|根据)(?P<whom>\w{1,8}?)(?:的?(?:测|说|报|查|发现|统计))"
)
"""Words that name who found out what a text rests on: «as Rui measured», 据陈伟统计."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """A row that the new one rests on."""

    near: Neighbour
    confidence: float  #: in [0, 1]


def find_reasons(
    draft: Draft, neighbours: Sequence[Neighbour], *, shown: Mapping[UUID, frozenset[str]]
) -> list[Reason]:
    """
    Return what the row rests on, the surest first, each once.

    shown: which of the neighbours were recalled by the row's agent, in which sessions.
    """
    if draft.kind not in REASONED:
        return []
    earlier = [near for near in neighbours if _may_be_reason(draft, near)]
    found: dict[UUID, Reason] = {}
    for reasons in (
        _by_clause(draft, earlier),
        _by_recall(draft, earlier, shown) if draft.kind == DECISION else (),
        _by_source(draft, earlier),
    ):
        for one in sorted(reasons, key=lambda one: -one.confidence)[:MOST]:
            known = found.get(one.near.id)
            if known is None or known.confidence < one.confidence:
                found[one.near.id] = one
    return sorted(found.values(), key=lambda one: (-one.confidence, one.near.id))


def read_clauses(text: str) -> str:
    """Return what a text gives as its reasons, in its own words; empty: it gives none."""
    found = []
    for sentence in split_sentences(text):
        if after := _AFTER.search(sentence.text):
            found.append(sentence.text[after.end() :])
        if before := _BEFORE.search(sentence.text):
            found.append(sentence.text[: before.start()])
    return " ".join(found)


def _may_be_reason(draft: Draft, near: Neighbour) -> bool:
    return (
        near.standing == CURRENT
        and near.kind not in NO_REASON
        and not in_one_breath(draft, near)
        and near.effective_at <= draft.effective_at
    )


def _by_clause(draft: Draft, near: Iterable[Neighbour]) -> Iterable[Reason]:
    clause = set(words(read_clauses(draft.content)))
    if not clause:
        return
    claim = set(words(draft.content)) - clause
    for one in near:
        said = set(words(one.content))
        if claim and len(claim & said) / len(claim) >= SHARE:
            continue  # it claims the same, perhaps of something else: a parallel, and no reason
        shared = len(clause & said)
        share = shared / max(1, min(len(clause), len(said)))
        if shared >= FEWEST_SHARED and share >= SHARE:
            yield Reason(near=one, confidence=share * BY_LIKENESS)
        elif one.kind != draft.kind and (one.similarity or 0.0) >= ON_THE_SAME:
            yield Reason(near=one, confidence=(one.similarity or 0.0) * BY_LIKENESS)


def _by_recall(
    draft: Draft, near: Iterable[Neighbour], shown: Mapping[UUID, frozenset[str]]
) -> Iterable[Reason]:
    own = set(words(draft.content))
    for one in near:
        said, likeness = set(words(one.content)), one.similarity or 0.0
        shared = len(own & said)
        if draft.session in shown.get(one.id, ()) and (likeness >= LINK_ABOVE or shared >= BEARS_ON):
            share = shared / max(1, min(len(own), len(said)))
            yield Reason(near=one, confidence=max(likeness, share) * BY_LIKENESS)


def _by_source(draft: Draft, near: Iterable[Neighbour]) -> Iterable[Reason]:
    named = {name.casefold() for match in _SOURCE.finditer(draft.content) for name in match.groups() if name}
    for one in near:
        whose = {one.speaker.casefold(), *one.speaker.casefold().split()} - {""}
        if whose & named and (one.similarity or 0.0) >= LINK_ABOVE:
            yield Reason(near=one, confidence=(one.similarity or 0.0) * BY_LIKENESS)
