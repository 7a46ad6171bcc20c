"""
Write down what memories say of entities: subject, predicate, object (SPEC M-10).

# Note [When a triple holds]
A triple of a memory holds exactly as long as the memory stands: that is read from the memory itself, and
cannot be forgotten when one supersedes, restores or archives it. `superseded_at` of the row is set for what
a memory that was rewritten in place says no more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from memories.language import concept_spelling, name_key, split_sentences
from memories.llms.rules import ME, read_relation
from memories.storage import Told
from tenants.models import new_id
from tenants.sql import Statement

MOST_SENTENCES: Final = 12
"""Sentences of a memory that are read for relations; a passage has fewer as a rule."""

LONGEST_OBJECT: Final = 200
"""Characters of an object that no state's value is; longer is a sentence, and no object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TripleClaim:
    """What a memory says, by names: whose predicate is what."""

    memory_id: UUID
    subject: str  #: a name's key
    predicate: str  #: a concept key
    object_text: str


def read_claims(memory: Told) -> Iterator[TripleClaim]:
    """Yield what a memory says: a state its one fact, another what the relations in its sentences tell."""
    if memory.card == "state":
        if memory.entity_key and memory.concept_key and memory.value:
            yield TripleClaim(
                memory_id=memory.id,
                subject=name_key(memory.entity_key),
                predicate=memory.concept_key,
                object_text=memory.value,
            )
        return
    for sentence in split_sentences(memory.content)[:MOST_SENTENCES]:
        told = None if sentence.asks else read_relation(sentence.text.rstrip(".。!！"))
        if told is None or ME in told.entity + told.value or len(told.value) > LONGEST_OBJECT:
            continue
        yield TripleClaim(
            memory_id=memory.id,
            subject=name_key(told.entity),
            predicate=concept_spelling(told.concept) or told.concept,
            object_text=told.value,
        )


def build_triples(memories: Sequence[Told], now: datetime) -> list[Statement]:
    """
    Return what writes the triples of these stored memories; done again, it changes nothing more.

    Only what is said of an entity that the memory mentions: to be run inside `unit_of_work` as the pipeline,
    after the mentions are written.
    """
    claims = list(dict.fromkeys(claim for memory in memories for claim in read_claims(memory)))
    rewritten = [memory.id for memory in memories if memory.version > 1]
    if not claims and not rewritten:
        return []
    params = {
        "now": now,
        "rewritten": rewritten,
        "ids": [new_id() for _ in claims],
        "memories": [claim.memory_id for claim in claims],
        "subjects": [claim.subject for claim in claims],
        "predicates": [claim.predicate for claim in claims],
        "objects": [name_key(claim.object_text) for claim in claims],
        "texts": [claim.object_text for claim in claims],
    }
    return [("write_triples", params)]
