"""
A class comes down by two persons' word and by no other statement (SPEC S-01).

Everything is tried as the service's own login, with plain SQL.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection, connections
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from memories.models import Downgrade, Memory
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import (
    NOW,
    make_agent,
    make_collection_stat,
    make_downgrade,
    make_key,
    make_memory,
    make_tenant,
)
from tests.isolation.doors import REFUSED, Outcome, ServiceDoor, Statement

pytestmark = pytest.mark.spec("S-01")

TEXT = "The vault code of the Basel office."
LATER = NOW + timedelta(days=36_500)
"""After whatever the database's own clock says."""

ASK = (
    "SELECT candor_ask_downgrade(%(id)s, %(memory)s, %(wanted)s::smallint, %(hash)s, %(reason)s, %(at)s, "
    "%(until)s)"
)
DECIDE = (
    "SELECT candor_decide_downgrade(%(id)s, %(approve)s, %(memory)s, %(wanted)s::smallint, %(hash)s, '', "
    "%(at)s)"
)


@pytest.fixture
def ada(database: None) -> Viewer:
    """A tenant; the tests here leave rows behind, which are emptied."""
    return make_tenant("ada")


def attempt(tenant: Viewer, sql: str, /, **params: Any) -> Outcome:
    """Run a statement as the service and commit it."""
    return ServiceDoor().attempt(tenant, Statement(sql=sql, params=params))


def person(tenant: Viewer, **columns: Any) -> Viewer:
    """Return a person of the tenant with a new key; by default one that may lower what is confidential."""
    key = make_key(tenant=tenant, **{"scopes": ["declassify"], **columns})
    return replace(tenant, actor_kind="person", actor_id=str(key.id), key_id=key.id)


def hash_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def verdict(viewer: Viewer, sql: str, **params: Any) -> str:
    """Return what a function of the database says to this viewer."""
    with tenant_scope(viewer), unit_of_work(), connection.cursor() as cursor:
        cursor.execute(sql, params)
        return str(cursor.fetchone()[0])


def ask(viewer: Viewer, memory: UUID, wanted: int, *, request: UUID | None = None, text: str = TEXT) -> str:
    return verdict(
        viewer, ASK, id=request or uuid4(), memory=memory, wanted=wanted, hash=hash_of(text), reason="known",
        at=NOW, until=LATER,
    )  # fmt: skip


def decide(
    viewer: Viewer, request: UUID, memory: UUID, wanted: int, *, approve: bool = True, text: str = TEXT,
    at: datetime = NOW,
) -> str:  # fmt: skip
    return verdict(
        viewer, DECIDE, id=request, approve=approve, memory=memory, wanted=wanted, hash=hash_of(text), at=at
    )  # fmt: skip


def standing(tenant: Viewer, memory: UUID, request: UUID) -> tuple[int, str]:
    """Return the memory's class and the request's state."""
    with tenant_scope(tenant), unit_of_work():
        return (
            Memory.objects.get(id=memory).classification,
            Downgrade.objects.get(id=request).state,
        )  # fmt: skip


@pytest.fixture
def asked(ada: Viewer) -> Downgrade:
    """An open wish that a confidential memory become public."""
    return make_downgrade(tenant=ada, memory=make_memory(tenant=ada, content=TEXT, classification=3))


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE downgrade SET state = 'approved', decided_at = now() WHERE id = %(id)s",
        "UPDATE downgrade SET asked_by = 'person:other' WHERE id = %(id)s",
        "DELETE FROM downgrade WHERE id = %(id)s",
        "INSERT INTO downgrade SELECT * FROM downgrade WHERE id = %(id)s",
        "SELECT candor_lower(%(tenant)s, %(memory)s, 0::smallint)",
        "SELECT candor_lowering_key(%(tenant)s, 0::smallint, NULL)",
        "SELECT candor_raise_beside(%(tenant)s, ARRAY[%(memory)s]::uuid[])",
        "UPDATE memory SET classification = 0 WHERE id = %(memory)s",
    ],
)
def test_no_statement_of_the_service_lowers_a_class_or_writes_a_wish(
    ada: Viewer, asked: Downgrade, sql: str
) -> None:
    outcome = attempt(ada, sql, id=asked.id, memory=asked.memory_id, tenant=ada.tenant_id)

    assert outcome.sqlstate == REFUSED, outcome
    assert standing(ada, asked.memory_id, asked.id) == (3, "open")


def test_who_has_no_such_key_is_refused(ada: Viewer, asked: Downgrade) -> None:
    agent = make_agent(tenant=ada)
    others = [
        ada,
        person(ada, scopes=["admin", "classify"]),
        person(ada, ceiling=2),
        person(ada, agent=agent),
        person(ada, revoked_at=NOW),
        person(ada, expires_at=NOW),
        replace(ada, actor_kind="person", actor_id=str(uuid4())),
    ]

    said = {decide(one, asked.id, asked.memory_id, 0, at=NOW) for one in others}

    assert said == {"not_allowed"}
    assert standing(ada, asked.memory_id, asked.id) == (3, "open")


def test_another_tenant_has_no_such_wish(ada: Viewer, asked: Downgrade) -> None:
    bo = make_tenant("bo")

    assert decide(person(bo), asked.id, asked.memory_id, 0) == "unknown"
    assert ask(person(bo), asked.memory_id, 2) == "unknown"
    assert standing(ada, asked.memory_id, asked.id) == (3, "open")


def test_the_clock_of_the_database_counts_when_the_later_one_is_its_own(
    ada: Viewer, asked: Downgrade
) -> None:
    """The wish was made long ago by the service's word; what it says of now cannot bring it back."""
    assert decide(person(ada), asked.id, asked.memory_id, 0, at=NOW) == "expired"
    assert standing(ada, asked.memory_id, asked.id) == (3, "expired")


# Whatever persons do in whatever order


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """Something that one of three persons does to one memory."""

    what: str
    who: int
    rank: int = 0
    text: int = 0  #: which text they have read
    wish: int = -1  #: which wish they answer, from the last


@dataclass(slots=True, kw_only=True)
class Wish:
    """A wish as it must stand."""

    id: UUID
    who: int
    former: int
    wanted: int
    text: int
    state: str = "open"
    by: int = -1


@dataclass(slots=True, kw_only=True)
class Model:
    """What must come out, said in the plainest way."""

    rank: int
    text: int
    wishes: list[Wish]

    def open(self) -> Wish | None:
        """Return the wish that waits."""
        return next((one for one in self.wishes if one.state == "open"), None)

    def began(self) -> int:
        """Return the class that steps are counted from."""
        began = self.rank
        for one in reversed(self.wishes):
            if one.state == "approved" and one.by != one.who:
                break
            if one.state == "approved":
                began = max(began, one.former)
        return began

    def ask(self, deed: Deed, request: UUID) -> str:
        """Ask, and say what the database has to say."""
        if deed.text != self.text:
            return "changed"
        if deed.rank >= self.rank:
            return "not_lower"
        if self.open():
            return "asked_already"
        wish = Wish(id=request, who=deed.who, former=self.rank, wanted=deed.rank, text=deed.text)
        alone = self.began() - deed.rank <= 1
        self.wishes.append(wish)
        if not alone:
            return "open"
        wish.state, wish.by, self.rank = "approved", deed.who, deed.rank
        return "approved"

    def decide(self, deed: Deed, wish: Wish) -> str:
        """Approve or reject, and say what the database has to say."""
        if wish.state != "open":
            return "decided"
        if deed.what == "reject":
            wish.state, wish.by = "rejected", deed.who
            return "rejected"
        if deed.who == wish.who:
            return "same_person"
        if deed.rank != wish.wanted:
            return "other_target"
        if deed.text != wish.text or self.text != wish.text or self.rank != wish.former:
            return "changed"
        wish.state, wish.by, self.rank = "approved", deed.who, wish.wanted
        return "approved"


DEEDS = st.builds(
    Deed,
    what=st.sampled_from(["ask", "ask", "approve", "approve", "approve", "reject", "raise", "edit"]),
    who=st.integers(0, 2),
    rank=st.sampled_from([0, 0, 1, 1, 2, 3]),
    text=st.sampled_from([0, 0, 0, 0, 1]),
    wish=st.sampled_from([-1, -1, -1, -2]),
)


@pytest.fixture
def base(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database for all examples of one test, emptied once."""
    from tests.conftest import empty_tables

    with django_db_blocker.unblock():
        yield
        connections["default"].close()
        empty_tables()
        connections["owner"].close()


@given(deeds=st.lists(DEEDS, min_size=8, max_size=20))
@settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_in_whatever_order_a_class_falls_as_two_persons_agreed(base: None, deeds: list[Deed]) -> None:
    tenant = make_tenant(f"g{uuid4().hex[:12]}")
    make_collection_stat(tenant=tenant, documents=9, total_length=99)
    persons = [person(tenant) for _ in range(3)]
    memory = make_memory(tenant=tenant, content=text(0), classification=3)
    model = Model(rank=3, text=0, wishes=[])

    for deed in deeds:
        do(tenant, persons, memory.id, model, deed)

        with tenant_scope(tenant), unit_of_work():
            assert Memory.objects.get(id=memory.id).classification == model.rank
            states = dict(Downgrade.objects.values_list("id", "state"))
        assert states == {one.id: one.state for one in model.wishes}


def text(number: int) -> str:
    return TEXT if number == 0 else f"{TEXT} {number}"


def do(tenant: Viewer, persons: list[Viewer], memory: UUID, model: Model, deed: Deed) -> None:
    """Do a deed in the database and in the model; both must say the same."""
    if deed.what == "ask":
        request = uuid4()
        said = ask(persons[deed.who], memory, deed.rank, request=request, text=text(deed.text))
        assert said == model.ask(deed, request)
    elif deed.what in ("approve", "reject") and len(model.wishes) >= -deed.wish:
        wish = model.wishes[deed.wish]
        said = decide(
            persons[deed.who], wish.id, memory, deed.rank, approve=deed.what == "approve",
            text=text(deed.text),
        )  # fmt: skip
        assert said == model.decide(deed, wish)
    elif deed.what == "raise" and deed.rank > model.rank:
        attempt(
            tenant, "UPDATE memory SET classification = %(rank)s WHERE id = %(id)s", rank=deed.rank, id=memory
        )
        model.rank = deed.rank
    elif deed.what == "edit":
        attempt(
            tenant, "UPDATE memory SET content = %(text)s WHERE id = %(id)s", text=text(deed.text), id=memory
        )
        model.text = deed.text
