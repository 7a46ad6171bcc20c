"""Nobody in force: our own code raises, and SQL beside it reads nothing and writes nothing (SPEC T-02)."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import models, transaction

from memories.models import Link, Memory
from tenants.managers import TenantManager
from tenants.models import Agent, Project
from tenants.scope import (
    NoTenant,
    OtherClearance,
    OtherTenant,
    Viewer,
    tenant_scope,
    unit_of_work,
)
from tests.factories import make_memory, make_project, make_tenant

pytestmark = pytest.mark.spec("T-02")

GUARDED = sorted(
    (model for model in apps.get_models() if isinstance(model._default_manager, TenantManager)),
    key=lambda model: model._meta.db_table,
)

Rows = models.QuerySet[Any]


def a_key(model: type[models.Model]) -> Any:
    """Return a primary key that no row has."""
    if not model._meta.is_composite_pk:
        return uuid4()
    values = {"TextField": "nothing", "SmallIntegerField": 0}
    return tuple(values.get(field.get_internal_type(), uuid4()) for field in model._meta.pk_fields)


def column_of(model: type[models.Model]) -> str:
    """Return the column that holds whose a row is."""
    return str(model._default_manager.tenant_column)  # type: ignore[attr-defined]


def anybody(model: type[models.Model]) -> dict[str, Any]:
    """Return the columns that give a row to a tenant that does not exist."""
    return {column_of(model): uuid4()}


WAYS: dict[str, Callable[[Rows], Any]] = {
    "list": list,
    "bool": bool,
    "len": len,
    "index": lambda rows: rows[0],
    "slice": lambda rows: list(rows[:2]),
    "count": lambda rows: rows.count(),
    "exists": lambda rows: rows.exists(),
    "first": lambda rows: rows.first(),
    "last": lambda rows: rows.last(),
    "get": lambda rows: rows.get(),
    "contains": lambda rows: rows.contains(rows.model(pk=a_key(rows.model))),
    "values": lambda rows: list(rows.values()),
    "values_list": lambda rows: list(rows.values_list("pk")),
    "distinct": lambda rows: list(rows.distinct()),
    "iterator": lambda rows: next(rows.iterator()),
    "aggregate": lambda rows: rows.aggregate(n=models.Count(column_of(rows.model))),
    "annotate": lambda rows: list(rows.annotate(n=models.Count(column_of(rows.model)))),
    "exclude": lambda rows: list(rows.exclude(pk__isnull=False)),
    "union": lambda rows: list(rows.order_by().union(rows.order_by())),
    "subquery": lambda rows: list(Project.objects.filter(models.Exists(rows))),
    "in": lambda rows: list(rows.filter(pk__in=rows.values("pk"))),
    "in_bulk": lambda rows: rows.in_bulk([a_key(rows.model)]),
    "for update": lambda rows: list(rows.select_for_update()),
    "related": lambda rows: list(rows.select_related()),
    "explain": lambda rows: rows.explain(),
    "update": lambda rows: rows.update(**anybody(rows.model)),
    "delete": lambda rows: rows.delete(),
    "raw delete": lambda rows: rows._raw_delete("default"),
    "create": lambda rows: rows.create(**anybody(rows.model)),
    "bulk_create": lambda rows: rows.bulk_create([rows.model(**anybody(rows.model))]),
    "bulk_create, conflicts ignored": lambda rows: rows.bulk_create(
        [rows.model(**anybody(rows.model))], ignore_conflicts=True
    ),
    "get_or_create": lambda rows: rows.get_or_create(**anybody(rows.model)),
    "update_or_create": lambda rows: rows.update_or_create(**anybody(rows.model)),
}
"""Ways to run a queryset; each must raise before PostgreSQL is asked."""


@pytest.fixture
def ada(database: None) -> Viewer:
    """A tenant with a memory and a project."""
    viewer = make_tenant("ada")
    make_memory(tenant=viewer)
    make_project(tenant=viewer)
    return viewer


@pytest.mark.parametrize("way", WAYS)
def test_a_manager_with_nobody_in_force_raises(asking: None, way: str) -> None:
    for model in GUARDED:
        for manager in (model._default_manager, model._base_manager):
            with pytest.raises(NoTenant):
                WAYS[way](manager.all())


@pytest.mark.parametrize("act", ["save", "delete", "refresh_from_db"])
def test_a_row_with_nobody_in_force_is_neither_saved_nor_deleted_nor_read(asking: None, act: str) -> None:
    for model in GUARDED:
        row = model(**{"pk": a_key(model), **anybody(model)})
        with pytest.raises(NoTenant):
            getattr(row, act)()


def test_a_scope_without_a_unit_of_work_raises(ada: Viewer) -> None:
    with tenant_scope(ada), pytest.raises(NoTenant):
        Memory.objects.count()


def test_a_plain_transaction_is_no_unit_of_work(ada: Viewer) -> None:
    with tenant_scope(ada), transaction.atomic(), pytest.raises(NoTenant):
        Memory.objects.count()


def test_a_lazy_queryset_raises_after_its_scope(ada: Viewer) -> None:
    with tenant_scope(ada), unit_of_work():
        rows = Memory.objects.all()
        memory = Memory.objects.get()
        links = memory.links_out.all()
    for late in (rows, links):
        with pytest.raises(NoTenant):
            list(late)
    with pytest.raises(NoTenant):
        memory.refresh_from_db()


def test_a_lazy_queryset_raises_in_another_tenants_scope(ada: Viewer) -> None:
    bo = make_tenant("bo")
    with tenant_scope(ada), unit_of_work():
        rows = Memory.objects.all()
    with tenant_scope(bo), unit_of_work():
        for run in (
            list,
            lambda late: late.count(),
            lambda late: late.update(content=""),
            lambda late: late.delete(),
        ):
            with pytest.raises(OtherTenant):
                run(rows)
        with pytest.raises(OtherTenant):
            Link.objects.filter(source__in=rows).exists()


def test_another_scope_inside_a_unit_of_work_raises(ada: Viewer) -> None:
    bo = make_tenant("bo")
    with tenant_scope(ada), unit_of_work(), tenant_scope(bo), pytest.raises(OtherTenant):
        Memory.objects.count()


def test_a_narrower_viewer_inside_a_unit_of_work_raises(ada: Viewer) -> None:
    with tenant_scope(ada), unit_of_work(), tenant_scope(ada.capped(0)), pytest.raises(OtherClearance):
        Memory.objects.count()


def test_a_queryset_made_before_anybody_was_in_force_answers_who_runs_it(ada: Viewer) -> None:
    rows = Agent.objects.all() | Agent.objects.filter(slug="atlas")
    memories = Memory.objects.all()
    bo = make_tenant("bo")
    for viewer, count in ((ada, 1), (bo, 0)):
        with tenant_scope(viewer), unit_of_work():
            assert (rows.count(), memories.count()) == (0, count)


def test_a_callback_after_the_commit_raises(ada: Viewer) -> None:
    caught: list[type[BaseException]] = []

    def late() -> None:
        try:
            Memory.objects.count()
        except NoTenant as error:
            caught.append(type(error))

    with tenant_scope(ada), unit_of_work():
        transaction.on_commit(late)
    assert caught == [NoTenant]


def test_a_streamed_answer_raises_when_it_is_read_after_its_scope(ada: Viewer) -> None:
    def lines() -> Iterator[str]:
        for memory in Memory.objects.all():
            yield memory.content

    with tenant_scope(ada), unit_of_work():
        stream = lines()
    with pytest.raises(NoTenant):
        next(stream)


def test_related_rows_are_fetched_under_the_same_guard(ada: Viewer) -> None:
    with tenant_scope(ada), unit_of_work():
        rows = Memory.objects.prefetch_related("links_out").select_related("project")
        assert [list(memory.links_out.all()) for memory in rows] == [[]]


def test_raw_queries_are_refused(ada: Viewer) -> None:
    with tenant_scope(ada), unit_of_work(), pytest.raises(NotImplementedError):
        Memory.objects.raw("SELECT * FROM memory")


def test_a_plain_queryset_would_answer_with_nothing_and_say_no_word(ada: Viewer) -> None:
    assert models.QuerySet(Memory).count() == 0
