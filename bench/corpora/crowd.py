"""
Fill a database with tenants and memories by COPY, past the service: to measure reading, not writing.

The rows are as the service writes them, in everything that recall reads: words stemmed, days as terms, tags,
vectors of length 1. Embedding 110 000 texts would take an hour, so a part of them is embedded and the others
take the vector of one of these, moved a little and brought back to length 1: as near to each other as
sentences of one kind are.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from time import time_ns
from typing import Any, Final
from uuid import UUID, uuid4

import numpy as np
import psycopg
from numpy.typing import NDArray

from bench.corpora.sentences import Said
from bench.scoring.floors import plain_words

SPACE: Final = "e5-small-q4"
CLASS: Final = 1  #: internal
NOISE: Final = 0.25
"""Length of what moves a vector of length 1: a cosine of some .97 to where it came from."""

DIGITS: Final = 5
"""Significant digits of a vector's numbers: half precision has fewer than four."""

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whose the memories are."""

    tenant: UUID
    agent: UUID


def make_owner(connection: psycopg.Connection[Any], slug: str) -> Owner:
    """Insert a tenant with one agent."""
    owner = Owner(tenant=uuid4(), agent=uuid4())
    connection.execute(
        "INSERT INTO tenant (id, slug, name, recall_policy, time_zone, created_at) "
        "VALUES (%s, %s, %s, 'default', 'UTC', now())",
        (owner.tenant, slug, slug),
    )
    connection.execute(
        "INSERT INTO agent (id, tenant_id, slug, name, domains, ceiling, created_at) "
        "VALUES (%s, %s, 'crowd', 'Crowd', '{}', 3, now())",
        (owner.agent, owner.tenant),
    )
    return owner


def spread(embedded: Vectors, count: int, *, seed: int) -> Vectors:
    """Return `count` vectors of length 1: the embedded ones, and each again, moved, as often as needed."""
    rng = np.random.default_rng(seed)
    rows = np.resize(np.arange(len(embedded)), count)
    moved = embedded[rows].astype(np.float32)
    noise = rng.standard_normal(moved.shape, dtype=np.float32)
    noise *= NOISE / np.linalg.norm(noise, axis=1, keepdims=True)
    noise[: len(embedded)] = 0.0
    moved += noise
    moved /= np.linalg.norm(moved, axis=1, keepdims=True)
    return moved


def fill(
    connection: psycopg.Connection[Any], owner: Owner, notes: Sequence[Said], vectors: Vectors
) -> list[UUID]:
    """Copy the notes in as live memories of the owner; return their ids. Needs a superuser, and commits."""
    ids = [_new_id() for _note in notes]
    bags = [_terms(note) for note in notes]
    with connection.transaction(), connection.cursor() as cursor:
        # No foreign key is looked up three million times; what is copied refers to what is copied.
        cursor.execute("SET LOCAL session_replication_role = replica")
        _copy(cursor, "memory", _memories(owner, ids, notes))
        _copy(cursor, "usage", _usages(owner, ids, notes))
        _copy(cursor, "embedding", _embeddings(owner, ids, vectors))
        _copy(cursor, "posting", _postings(owner, ids, bags))
        cursor.execute(
            "INSERT INTO collection_stat (tenant_id, classification, documents, total_length, version) "
            "VALUES (%s, %s, %s, %s, 1)",
            (owner.tenant, CLASS, len(ids), sum(map(_length, bags))),
        )
        cursor.execute(VOCABULARY, (owner.tenant,))
    return ids


VOCABULARY: Final = """
INSERT INTO vocabulary (tenant_id, gram, term, size, classification)
SELECT w.tenant_id, g.gram, w.term, cardinality(w.grams), w.classification
FROM (SELECT o.tenant_id, o.term, o.classification, candor_grams(o.term) AS grams
      FROM (SELECT DISTINCT tenant_id, term, classification FROM posting WHERE tenant_id = %s) o) w
CROSS JOIN unnest(w.grams) AS g (gram)
ORDER BY 1, 2, 3, 5
"""
"""What triggers do for whoever writes through them; a copy goes past them."""

TABLES: Final = ("memory", "usage", "embedding", "posting", "collection_stat", "vocabulary")
"""What a tenant's memories consist of."""


def clone(connection: psycopg.Connection[Any], model: Owner, owner: Owner) -> None:
    """Give the owner the model's memories, under ids of their own. Needs a superuser, and commits."""
    changed = {
        "tenant_id": f"'{owner.tenant}'", "agent_id": f"'{owner.agent}'",
        # One id for another: the tenant's own number is put over the random half.
        "id": "overlay(id::text PLACING %(half)s FROM 20)::uuid",
        "memory_id": "overlay(memory_id::text PLACING %(half)s FROM 20)::uuid",
    }  # fmt: skip
    half = str(owner.tenant)[19:28]
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for table in TABLES:
            columns = _columns(cursor, table)
            values = ", ".join(changed.get(name, name) for name in columns)
            copy = f"SELECT {values} FROM {table} WHERE tenant_id = %(model)s"
            asked = {"half": half, "model": model.tenant}
            cursor.execute(f"INSERT INTO {table} ({', '.join(columns)}) {copy}", asked)


def _columns(cursor: psycopg.Cursor[Any], table: str) -> list[str]:
    """Return the columns that are written, those that PostgreSQL computes left out."""
    cursor.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' "
        "AND table_name = %s AND is_generated = 'NEVER' ORDER BY ordinal_position",
        (table,),
    )
    return [row[0] for row in cursor.fetchall()]


def _copy(cursor: psycopg.Cursor[Any], table: str, rows: Iterable[dict[str, Any]]) -> None:
    every = iter(rows)
    first = next(every)
    with cursor.copy(f"COPY {table} ({', '.join(first)}) FROM STDIN") as copy:
        copy.write_row(tuple(first.values()))
        for row in every:
            copy.write_row(tuple(row.values()))


def _memories(owner: Owner, ids: Sequence[UUID], notes: Sequence[Said]) -> Iterator[dict[str, Any]]:
    now = datetime.now(UTC)
    for memory, note in zip(ids, notes, strict=True):
        yield {
            "id": memory, "tenant_id": owner.tenant, "agent_id": owner.agent, "content": note.text,
            "kind": "episode", "card": "event", "standing": 0, "classification": CLASS, "shared": False,
            "domain": "", "layer": "work", "keywords": _tags(note), "tags": _tags(note), "manual_tags": [],
            "entities": [], "importance": 3, "confidence": 1.0, "provenance": "user_stated", "trust": 0.95,
            "session": note.session, "turn": note.turn, "speaker": note.speaker,
            "content_hash": sha256(note.text.encode()).digest(), "created_at": now, "occurred_at": note.clock,
            "occurred_resolved": False, "effective_at": note.clock, "last_verified_at": note.clock,
            "updated_at": now, "version": 1, "metadata": json.dumps({}),
        }  # fmt: skip


def _usages(owner: Owner, ids: Sequence[UUID], notes: Sequence[Said]) -> Iterator[dict[str, Any]]:
    for memory, note in zip(ids, notes, strict=True):
        yield {
            "memory_id": memory, "tenant_id": owner.tenant, "q_value": 0.5, "recalled": 0, "verified": 0,
            "last_accessed_at": note.clock, "tier": "hot", "pinned": False, "classification": CLASS,
        }  # fmt: skip


def _embeddings(owner: Owner, ids: Sequence[UUID], vectors: Vectors) -> Iterator[dict[str, Any]]:
    for memory, vector in zip(ids, vectors, strict=True):
        yield {
            "tenant_id": owner.tenant, "space": SPACE, "memory_id": memory, "shelf": 0,
            "classification": CLASS, "vector": written(vector),
        }  # fmt: skip


def _postings(owner: Owner, ids: Sequence[UUID], bags: Sequence[Counter[str]]) -> Iterator[dict[str, Any]]:
    for memory, bag in zip(ids, bags, strict=True):
        length = _length(bag)
        for term, frequency in bag.items():
            yield {
                "tenant_id": owner.tenant, "term": term, "memory_id": memory, "frequency": frequency,
                "length": length, "classification": CLASS, "live": True,
            }  # fmt: skip


def written(vector: NDArray[np.float32]) -> str:
    """Return a vector as PostgreSQL reads it."""
    return "[" + ",".join(f"{value:.{DIGITS}g}" for value in vector.tolist()) + "]"


def _terms(note: Said) -> Counter[str]:
    day = note.clock
    days = [
        f"{day:%Y-%m-%d}", f"{day:%Y-%m}", f"{day:%Y}", *plain_words(f"{day:%B %A}"), f"{day.month}月",
        str(day.day), *_chinese_weekday(day),
    ]  # fmt: skip
    return Counter([*plain_words(f"{note.speaker} {note.text}"), *days, *(f"#{tag}" for tag in _tags(note))])


def _chinese_weekday(day: datetime) -> tuple[str]:
    return ("周" + "一二三四五六日"[day.weekday()],)


def _length(bag: Counter[str]) -> int:
    return sum(frequency for term, frequency in bag.items() if not term.startswith("#"))


def _tags(note: Said) -> list[str]:
    long_enough = (word.strip(".,;") for word in note.text.lower().split())
    return list(dict.fromkeys(word for word in long_enough if len(word) >= 4 and word.isalpha()))[:6]


def _new_id() -> UUID:
    """Return an id whose first half is the time (UUIDv7), as the service makes them."""
    random = uuid4().int & ((1 << 62) - 1)
    milliseconds, fraction = divmod(time_ns(), 1_000_000)
    return UUID(int=milliseconds << 80 | 7 << 76 | (fraction * 4096 // 1_000_000) << 64 | 2 << 62 | random)
