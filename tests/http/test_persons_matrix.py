"""
Every operation asked about one end user's things for another, and for none (SPEC K-09).

All of it is Vera's. An agent that names nobody, or Willy, gets none of her bytes and cannot tell what is hers
from what is missing; one that names her, and who looks from above, does.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID, uuid4

import pytest
from django.db import connections
from django.http import HttpResponse
from django.utils import timezone

from tenants.scope import Viewer
from tests.factories import (
    make_agent,
    make_capture,
    make_consolidation,
    make_contradiction,
    make_document,
    make_downgrade,
    make_entity,
    make_link,
    make_memory,
    make_mention,
    make_recall_event,
    make_recalled_memory,
    make_triple,
    make_verification,
)
from tests.http.conftest import key_of
from tests.http.test_doors import NEEDED, OPEN, OPERATIONS
from tests.http.test_matrix import BROWSER, GATE, MARK, RESTRICTED, ROWS

pytestmark = pytest.mark.spec("K-09")

VERA: Final = "vera"
PARTS: Final = {
    "memory_id", "other_id", "capture_id", "recall_id", "entity_id", "link_id", "document_id",
    "contradiction_id", "verification_id", "downgrade_id",
}  # fmt: skip
"""What of an end user's is reached by an id."""

BY_ID: Final = [name for name, (_, path) in OPERATIONS.items() if PARTS & set(re.findall(r"{(\w+)}", path))]
LISTS: Final = (
    "compose_context", "list_captures", "list_contradictions", "list_documents", "list_downgrades",
    "list_entities", "list_memories", "list_verifications", "recall", "list_audit", "list_events",
    "slice_memories", "list_watermarks", "get_watermark_calibration", "list_lint", "get_statistics",
    "get_learning", "list_interests", "list_communities",
)  # fmt: skip
"""What is asked by no id and might tell of her all the same."""

TELLS: Final = {
    "compose_context", "get_capture", "get_contradiction", "get_document", "get_entity",
    "get_entity_profile", "get_memory", "get_memory_graph", "get_memory_history", "get_verification",
    "list_captures", "list_contradictions", "list_documents", "list_entities", "list_entity_memories",
    "list_entity_triples", "list_memories", "list_memory_recalls", "list_verifications", "get_recall",
    "recall",
}  # fmt: skip
"""What tells who names her of what is hers: else the rest of the table would prove nothing."""

BODIES: Final[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {
    "recall": lambda _: {"query": MARK, "min_relevance": 0},
    "compose_context": lambda _: {"query": MARK, "min_relevance": 0},
    "archive_memory": lambda _: {"reason": "x"},
}


def things(tenant: Viewer) -> dict[str, UUID]:
    """Make one of everything that is Vera's, and return the ids by which it is reached."""
    rank = {"tenant": tenant, "classification": RESTRICTED}
    hers = {**rank, "person": VERA}
    memory, other = (make_memory(**hers, content=f"{MARK} has {what}.") for what in ("a gate", "a dome"))
    recall = make_recall_event(**hers, query=MARK)
    make_recalled_memory(**rank, recall=recall, memory=memory)
    make_consolidation(tenant=tenant, pattern=memory)
    entity = make_entity(**rank, name=f"{MARK} {memory.id}")
    make_mention(**rank, entity=entity, memory=memory, names=[MARK], keys=[entity.key])
    make_triple(**rank, memory=memory, subject=entity)
    return {
        "session": uuid4(),
        "memory_id": memory.id,
        "other_id": other.id,
        "capture_id": make_capture(**hers, text=GATE, state="quarantined").id,
        "recall_id": recall.id,
        "entity_id": entity.id,
        "link_id": make_link(**rank, source=memory, target=other, origin="manual").id,
        "document_id": make_document(**hers, title=f"{MARK} {memory.id}").id,
        "contradiction_id": make_contradiction(**rank, older=memory, newer=other).id,
        "verification_id": make_verification(**rank, memory=memory).id,
        "downgrade_id": make_downgrade(tenant=tenant, memory=memory, now=timezone.now()).id,
    }


def ask(name: str, key: str, ids: Mapping[str, Any], *, person: str = "") -> HttpResponse:
    """Ask for the operation on the things of these ids, for a person or for none."""
    method, path = OPERATIONS[name]
    headers = {"Authorization": f"Bearer {key}"} | ({"Candor-Person": person} if person else {})
    body = BODIES[name](ids) if name in BODIES else ROWS[name].body({**ids, "project": None})
    sent = {"data": json.dumps(body), "content_type": "application/json"}
    answer = getattr(BROWSER, method)(
        path.format(**ids), headers=headers, **(sent if method in {"post", "put", "patch"} else {})
    )
    assert isinstance(answer, HttpResponse)
    return answer


def foreign_bytes(ada: Viewer) -> dict[str, list[str]]:
    """Return what operations tell of Vera's things to who names her not."""
    agent = key_of(ada, agent=make_agent(tenant=ada, slug=f"a-{uuid4().hex[:8]}").id)
    free, ids = key_of(ada), things(ada)
    missing = {part: uuid4() for part in ids}
    found: dict[str, list[str]] = {}
    for name in (*BY_ID, *LISTS):
        for who, key, person in (
            ("an agent for nobody", agent, ""),
            ("an agent for Willy", agent, "willy"),
            ("a free key for Willy", free, "willy"),
        ):
            there, nowhere = ask(name, key, ids, person=person), ask(name, key, missing, person=person)
            faults = [f"{who} is told of her"] if MARK in there.content.decode() else []
            if name in BY_ID and plain(there, ids) != plain(nowhere, missing):
                faults.append(f"{who} can tell: {there.content[:120]!r} is not {nowhere.content[:120]!r}")
            found.setdefault(name, []).extend(faults)
    return {name: faults for name, faults in found.items() if faults}


def plain(answer: HttpResponse, ids: Mapping[str, Any]) -> str:
    """Return the answer's status and text without the ids that were asked for."""
    known = "|".join(str(value) for value in ids.values())
    return f"{answer.status_code} {re.sub(known, 'ID', answer.content.decode())}"


def test_nothing_of_a_persons_is_told_to_who_names_another_or_none(ada: Viewer) -> None:
    found = foreign_bytes(ada)

    assert found == {}, json.dumps(found, indent=1)


def test_who_names_her_or_looks_from_above_is_told(ada: Viewer) -> None:
    agent = key_of(ada, agent=make_agent(tenant=ada, slug="atlas").id)
    ids, free = things(ada), key_of(ada)

    for key, person in ((agent, VERA), (free, VERA), (free, "")):
        told = {
            name
            for name in (*BY_ID, *LISTS)
            if NEEDED[name] in ("read", "recall", "audit")
            and MARK in ask(name, key, ids, person=person).content.decode()
        }
        less = set() if person else {"recall", "compose_context"}  # whoever asks names for whom
        others = {"get_capture", "list_captures", "get_recall", "list_memory_recalls"}
        less |= others if key == agent else set()
        assert told == TELLS - less, (person, told ^ TELLS)


def test_every_operation_by_an_id_is_asked() -> None:
    others = OPERATIONS.keys() - {*BY_ID, *LISTS} - OPEN
    hers = re.compile("{(?:memory|capture|recall|entity|document|contradiction|verification|downgrade)_id}")

    assert {name for name in others if hers.search(OPERATIONS[name][1])} == set()


@pytest.mark.parametrize("wall", ["predicate", "row security"])
def test_breaking_both_walls_is_seen_and_one_holds_for_the_other(ada: Viewer, wall: str) -> None:
    """The control: the predicate without the person, or the tables without their policy."""
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT pg_get_functiondef('candor_visible_v3'::regproc)")
        whole = cursor.fetchone()[0]
        blind = whole.replace("person = '' OR person = my_person OR sees_every_person", "true")
        assert blind != whole
        cursor.execute(
            "SELECT relname FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid "
            "WHERE p.polname = 'candor_person'"
        )
        tables = [name for (name,) in cursor.fetchall()]

    def break_walls(*, predicate: bool, policies: bool) -> None:
        with connections["owner"].cursor() as cursor:
            cursor.execute(blind if predicate else whole)
            for name in tables:
                off = "true OR " if policies else ""
                cursor.execute(
                    f"ALTER POLICY candor_person ON \"{name}\" USING ({off}person = '' "
                    "OR person = (SELECT current_setting('candor.person', true)) "
                    "OR (SELECT current_setting('candor.every_person', true) = 'on'))"
                )
        connections["owner"].close()

    try:
        break_walls(predicate=wall == "predicate", policies=wall != "predicate")
        alone = foreign_bytes(ada)
        break_walls(predicate=True, policies=True)
        both = foreign_bytes(ada)
    finally:
        break_walls(predicate=False, policies=False)
    assert {"get_memory", "list_memories", "recall"} <= both.keys()
    assert "list_memories" not in alone
