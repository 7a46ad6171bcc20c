"""Read what may be reasoned with: what people stated and that holds (SPEC E-10)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from evolution.reasoning.deduction import Fact
from evolution.reasoning.relations import read_relation
from memories.candidates import Audience
from memories.language import split_sentences
from tenants.sql import Queries

SQL: Final = Queries(Path(__file__).parent.parent / "sql" / "reasoning.sql")

LONGEST: Final = 600
"""Characters of a memory that is read for relations; longer ones are passages in all but name. Ours."""

MOST_SENTENCES: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Premise:
    """A memory as it was read; another version is another premise."""

    id: UUID
    content: str
    version: int
    audience: Audience
    valid_from: datetime | None
    valid_until: datetime | None
    created_at: datetime
    novelty: float  #: how little of it was known when it was said, in [0, 1] (SPEC W-10)


def read_premises(now: datetime) -> tuple[Premise, ...]:
    """Return what holds and may be reasoned with. To be called in `unit_of_work` as the pipeline."""
    rows = SQL.run("find_premises", now=now, longest=LONGEST)
    return tuple(_premise(row) for row in rows)


def read_facts(premises: Sequence[Premise]) -> tuple[Fact, ...]:
    """Return the relations that the memories state, each sentence by itself."""
    return tuple(fact for premise in premises for fact in _facts(premise))


def _facts(premise: Premise) -> Iterator[Fact]:
    for sentence in split_sentences(premise.content)[:MOST_SENTENCES]:
        relation = None if sentence.asks else read_relation(sentence.text)
        if relation is not None and relation.subject_key != relation.object_key:
            yield Fact(
                memory_id=premise.id, relation=relation, audience=premise.audience,
                valid_from=premise.valid_from, valid_until=premise.valid_until,
            )  # fmt: skip


def _premise(row: Mapping[str, Any]) -> Premise:
    return Premise(
        id=row["id"], content=row["content"], version=row["version"], valid_from=row["valid_from"],
        valid_until=row["valid_until"], created_at=row["created_at"], novelty=row["novelty"],
        audience=Audience(
            agent_id=row["agent_id"], project_id=row["project_id"], shared=row["shared"],
            domain=row["domain"], classification=row["classification"], person=row["person"],
        ),
    )  # fmt: skip
