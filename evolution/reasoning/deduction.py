"""
Draw what follows from facts that people stated, by sound rules over triples (SPEC E-10). Pure.

The rules compose two relations into one: part-of, lying-in, needing and kind-of are transitive; a member of a
part belongs to the whole; who lives in a place lives in what the place lies in; a name for a name may be put
in its place. Nothing else is concluded: an employee of a firm in Bergen need not be in Bergen.

# Note [What holds as long as its premises do]
A conclusion holds while all its premises hold: from the latest of their beginnings to the earliest of their
ends. Facts that never hold together conclude nothing. Who may see it is whoever may see all of them.
"""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from evolution.reasoning.relations import Predicate, StatedRelation, word
from memories.candidates import Audience

LAST, FIRST = -1, 0

RULES: Final[Mapping[tuple[Predicate, Predicate], tuple[Predicate, int]]] = {
    ("part_of", "part_of"): ("part_of", LAST),
    ("located_in", "located_in"): ("located_in", LAST),
    ("depends_on", "depends_on"): ("depends_on", LAST),
    ("kind_of", "kind_of"): ("kind_of", LAST),
    ("member_of", "part_of"): ("part_of", LAST),
    ("residence", "located_in"): ("residence", FIRST),
}
"""Two relations, the second of the first one's object → what they are together, and whose words say it."""

FEWEST, MOST = 2, 4
"""Premises of a deduction: two at least (SPEC E-10), four at most, ours: longer ones are seldom asked for."""

MOST_OF_ONE: Final = 25
"""Conclusions of one subject, those of the fewest premises first. Ours: five nights' worth."""

MOST_STEPS: Final = 200
"""Facts that are followed from one subject; a hub of a thousand parts would be all of a night. Ours."""

_Said = tuple[str, Predicate, str]  #: subject, predicate, object

Validity = tuple[datetime | None, datetime | None]  #: from, until; None: no bound is known


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A relation that a memory states."""

    memory_id: UUID
    relation: StatedRelation
    audience: Audience
    valid_from: datetime | None = None
    valid_until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deduction:
    """What follows from facts, in the words of one of them."""

    text: str
    subject: str  #: a key
    predicate: Predicate
    object: str  #: a key
    names: tuple[str, str]  #: subject and object as said
    premises: tuple[UUID, ...]  #: in the order in which they were chained
    audience: Audience
    valid_from: datetime | None
    valid_until: datetime | None

    @property
    def rule(self) -> str:
        """Return by which rule it follows, for people to read."""
        return f"{self.predicate} over {len(self.premises)} facts"


@dataclass(frozen=True, slots=True)
class _Chain:
    """Facts each of which is of the one before's object."""

    facts: tuple[Fact, ...]
    predicate: Predicate
    worded: int  #: place of the fact in whose words it is said
    audience: Audience
    valid_from: datetime | None
    valid_until: datetime | None

    @property
    def end(self) -> str:
        return self.facts[-1].relation.object_key

    def passes(self, key: str) -> bool:
        return any(key in (fact.relation.subject_key, fact.relation.object_key) for fact in self.facts)


def deduce(facts: Sequence[Fact]) -> tuple[Deduction, ...]:
    """
    Return what follows from the facts and is not stated by one of them; each once for an audience.

    In time and space near-linear in their number: of one subject `MOST_STEPS` facts are followed.
    """
    of: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        of[fact.relation.subject_key].append(fact)
    stated: dict[_Said, list[Audience]] = defaultdict(list)
    for fact in facts:
        stated[_said(fact.relation)].append(fact.audience)
    return tuple(one for subject in of for one in _of_subject(of, subject, stated))


def narrowest(audiences: Sequence[Audience]) -> Audience | None:
    """Return the audience all of which may see all of these, of the highest class; None: there is none."""
    rank = max(one.classification for one in audiences)
    level = [replace(one, classification=rank) for one in audiences]
    return next((one for one in level if all(other.covers(one) for other in level)), None)


def common_validity(bounds: Sequence[Validity]) -> Validity | None:
    """Return from when until when all of these hold; None: they never hold together."""
    begins = max((first for first, _ in bounds if first), default=None)
    ends = min((last for _, last in bounds if last), default=None)
    return None if begins is not None and ends is not None and begins >= ends else (begins, ends)


def _of_subject(
    of: Mapping[str, Sequence[Fact]], subject: str, stated: Mapping[_Said, Sequence[Audience]]
) -> Iterator[Deduction]:
    found: set[tuple[Predicate, str, Audience]] = set()
    for chain in _chains(of, subject):
        if len(found) >= MOST_OF_ONE:
            return
        key = (chain.predicate, chain.end, chain.audience)
        said = stated.get((subject, chain.predicate, chain.end), ())
        if key in found or any(audience.covers(chain.audience) for audience in said):
            continue
        if (deduction := _say(chain)) is not None:
            found.add(key)
            yield deduction


def _chains(of: Mapping[str, Sequence[Fact]], subject: str) -> Iterator[_Chain]:
    """Yield the chains from a subject that conclude something, those of the fewest facts first."""
    waiting = deque(_begin(fact) for fact in of[subject])
    steps = 0
    while waiting:
        chain = waiting.popleft()
        if len(chain.facts) >= FEWEST:
            yield chain
        if len(chain.facts) >= MOST:
            continue
        for fact in of.get(chain.end, ())[: MOST_STEPS - steps]:
            steps += 1
            if (longer := _join(chain, fact)) is not None:
                waiting.append(longer)


def _begin(fact: Fact) -> _Chain:
    return _Chain((fact,), fact.relation.predicate, 0, fact.audience, fact.valid_from, fact.valid_until)


def _join(chain: _Chain, fact: Fact) -> _Chain | None:
    """Return the chain with one more fact; None where no rule joins them, or nobody may know both."""
    rule = RULES.get((chain.predicate, fact.relation.predicate))
    if rule is None or chain.passes(fact.relation.object_key):
        return None
    if any(fact.memory_id == other.memory_id for other in chain.facts):
        return None
    audience = narrowest([chain.audience, fact.audience])
    validity = common_validity([(one.valid_from, one.valid_until) for one in (chain, fact)])
    if audience is None or validity is None:
        return None
    predicate, worded = rule
    place = len(chain.facts) if worded == LAST else chain.worded
    return _Chain((*chain.facts, fact), predicate, place, audience, *validity)


def _say(chain: _Chain) -> Deduction | None:
    """Return the conclusion in the words of its facts; None where none of them has the words."""
    first, last = chain.facts[0].relation, chain.facts[-1].relation
    nearest = sorted(chain.facts, key=lambda fact: abs(chain.facts.index(fact) - chain.worded))
    relation = next(
        (
            fact.relation
            for fact in nearest
            if fact.relation.is_worded and fact.relation.predicate == chain.predicate
        ),
        None,
    )
    if relation is None:
        return None
    return Deduction(
        text=word(first.subject, relation, last), subject=first.subject_key, predicate=chain.predicate,
        object=last.object_key, names=(first.subject, last.object),
        premises=tuple(fact.memory_id for fact in chain.facts), audience=chain.audience,
        valid_from=chain.valid_from, valid_until=chain.valid_until,
    )  # fmt: skip


def _said(relation: StatedRelation) -> _Said:
    return relation.subject_key, relation.predicate, relation.object_key
