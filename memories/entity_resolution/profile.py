"""
Say who or what an entity is, in the sentences of the memories that the asker may see (SPEC E-10).

# Note [Profiles are not stored]
A profile is composed when it is asked for: of what holds then, for who asks. So it is never out of date,
tells nobody what they may not read, and forgets with the memories. Its sentences are quoted, each with its
memory; nothing is said that no memory says.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import Q, QuerySet

from memories.entity_resolution.entity_queries import get_entity
from memories.language import fold_all, split_sentences
from memories.models import Memory, Mention, Standing
from memories.reconciliation import GUESSED
from memories.storage import CONCLUSION, within_sight
from tenants.scope import unit_of_work

FEWEST_FACTS: Final = 5
"""Facts from which an entity has a profile (SPEC E-10)."""

MOST_SENTENCES: Final = 12
LONGEST_SENTENCE: Final = 300
"""Of a profile, which is read at one look. Ours."""

MOST_READ: Final = 300
"""Memories that are looked through, the newest. Ours: an entity with more is the tenant's own name."""

NO_FACTS: Final = (CONCLUSION, "echo")
"""Keys of metadata of what the memory concluded itself, and of what repeats what was recalled."""

_ORDER: Final = ("state", "knowledge", "event")
"""What is so, what was learnt, what happened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactSentence:
    """A sentence of a profile, and the memory whose words it is."""

    text: str
    memory_id: UUID
    card: str
    known_at: datetime  #: since when it holds, or when it happened
    classification: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is known of an entity, in prose."""

    entity_id: UUID
    name: str
    classification: int  #: the highest of what tells it here
    facts: int  #: different sentences about it that hold and that the viewer may see
    sentences: tuple[FactSentence, ...]  #: none below `FEWEST_FACTS`

    @property
    def text(self) -> str:
        """Return the sentences as one text, what happened with its day."""
        parts = (
            f"{one.known_at.date().isoformat()}: {one.text}" if one.card == "event" else one.text
            for one in self.sentences
        )
        return " ".join(part if part[-1] in ".!?。！？…" else f"{part}." for part in parts)


def get_profile(entity_id: UUID, *, now: datetime) -> Profile:
    """
    Return what may be told of an entity: what is so first, then what was learnt, then what happened.

    Empty for an entity of fewer than `FEWEST_FACTS` facts. Raises NotFound.
    """
    with unit_of_work():
        entity = get_entity(entity_id)
        mentions = {
            memory: [entity.name, *entity.aliases, *names]
            for memory, names in Mention.objects.filter(entity_id=entity.id).values_list("memory_id", "names")
        }
        rows = list(telling(now).filter(id__in=list(mentions)).order_by("-effective_at", "-id")[:MOST_READ])
    told = list(_different(one for row in rows for one in sentences_naming(row, mentions[row.id])))
    chosen = _chosen(told) if len(told) >= FEWEST_FACTS else ()
    return Profile(
        entity_id=entity.id,
        name=entity.name,
        classification=entity.classification,
        facts=len(told),
        sentences=tuple(chosen),
    )


def telling(now: datetime) -> QuerySet[Memory]:
    """Return what the viewer may see that somebody outside the agents asserts and that holds now."""
    begun = Q(valid_from=None) | Q(valid_from__lte=now)
    lasting = Q(valid_until=None) | Q(valid_until__gt=now)
    asserted = Q(standing=Standing.CURRENT, archived_at=None, mode="assertion")
    rows = within_sight(None).filter(asserted & begun & lasting)
    # What an agent concluded or took for its task itself is no fact about anybody (SPEC W-17).
    return rows.exclude(provenance=GUESSED).exclude(kind="task").exclude(metadata__has_any_keys=NO_FACTS)


def sentences_naming(row: Memory, names: Sequence[str]) -> Iterator[FactSentence]:
    """Yield the sentences of a memory that name the entity, and the one of a state that is its own."""
    cut = [one for one in split_sentences(row.content) if not one.asks]
    known = [fold_all(name) for name in names]
    is_its_own = len(cut) == 1 and row.card == "state" and fold_all(row.entity_key) in known
    for one in cut:
        named = is_its_own or any(name in fold_all(one.text) for name in known)
        if named and len(one.text) <= LONGEST_SENTENCE:
            yield FactSentence(
                text=one.text, memory_id=row.id, card=row.card,
                known_at=row.occurred_at if row.card == "event" else row.effective_at,
                classification=row.classification,
            )  # fmt: skip


def _different(sentences: Iterator[FactSentence]) -> Iterator[FactSentence]:
    """Yield each sentence once, as it was said last."""
    seen: set[str] = set()
    for one in sentences:
        key = fold_all(one.text).strip(" .!。！")
        if key not in seen:
            seen.add(key)
            yield one


def _chosen(told: Sequence[FactSentence]) -> Iterator[FactSentence]:
    """Yield the newest of what is so, was learnt and happened, what happened in the order of time."""
    best = sorted(told, key=lambda one: _ORDER.index(one.card))[:MOST_SENTENCES]
    yield from (one for one in best if one.card != "event")
    yield from sorted((one for one in best if one.card == "event"), key=lambda one: one.known_at)
