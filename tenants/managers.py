"""Querysets that fail loudly when nobody is in force, rather than answer with nothing."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, models, router
from django.db.models.sql import Query
from django.db.models.sql.compiler import SQLCompiler

from tenants.roles import OWNER_ALIAS
from tenants.scope import OtherTenant, require_bound, viewer_or_none


class TenantQuery(Query):
    """
    A query that remembers the tenant it was made for and compiles only for that one.

    Compiling is where every way of running a query passes (iteration, `update`, `count`, a lazy queryset
    evaluated in an on_commit callback), so that the check stands there and not in a list of methods.
    What Django compiles past it, inserts and deletes, is guarded by the queryset and the manager below.
    """

    made_for: UUID | None = None

    def get_compiler(self, using: str | None = None, *args: Any, **kwargs: Any) -> SQLCompiler:
        """Return the compiler. Raises NoTenant, OtherTenant or OtherClearance when the parties disagree."""
        connection = kwargs.get("connection") or (args[0] if args else None)
        guard(self.made_for, using or (connection.alias if connection is not None else DEFAULT_DB_ALIAS))
        compiler: SQLCompiler = super().get_compiler(using, *args, **kwargs)
        return compiler

    def chain(self, klass: type[Query] | None = None) -> Any:
        """Return a copy; one of another class (update, aggregate) stays guarded."""
        if klass is None or issubclass(klass, TenantQuery):
            return super().chain(klass)
        return super().chain(_guarded(klass))


def guard(made_for: UUID | None, using: str) -> None:
    """Raise NoTenant, OtherTenant or OtherClearance unless such a query may run on this connection now."""
    if using == OWNER_ALIAS:
        return  # migrations; no policy is made for the owner, so that its forced row security answers nothing
    viewer = require_bound(using)
    if made_for is not None and made_for != viewer.tenant_id:
        raise OtherTenant(OtherTenant.__doc__)


_guarded_classes: dict[type[Query], type[Query]] = {}


def _guarded(klass: type[Query]) -> type[Query]:
    """Return `klass` with the guard of TenantQuery in front; the same class for the same `klass`."""
    if klass not in _guarded_classes:
        _guarded_classes[klass] = type(f"Tenant{klass.__name__}", (TenantQuery, klass), {})
    return _guarded_classes[klass]


class TenantQuerySet(models.QuerySet[Any]):
    """Rows of the tenant in force, and of nobody when none is (SPEC T-01)."""

    query: TenantQuery

    def raw(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refuse: a raw query is no TenantQuery. SQL stands in `sql/queries.sql` and runs on a cursor."""
        raise NotImplementedError("Write the SQL in sql/queries.sql and run it on a cursor.")

    def _raw_delete(self, using: str | None) -> int:
        guard(self.query.made_for, using or self.db)
        return super()._raw_delete(using)

    def _insert(self, *args: Any, using: str | None = None, **kwargs: Any) -> Any:
        guard(self.query.made_for, using or self.db)
        return super()._insert(*args, using=using, **kwargs)  # type: ignore[misc]


class TenantManager(models.Manager[Any]):
    """Makes guarded querysets, filtered by the tenant in force when there is one already."""

    tenant_column = "tenant_id"

    def get_queryset(self) -> TenantQuerySet:
        """Return the tenant's rows; made with nobody in force (a form's class) it waits for its run."""
        query = TenantQuery(self.model)
        rows = TenantQuerySet(self.model, query=query, using=self._db)
        viewer = viewer_or_none()
        if viewer is None:
            return rows
        query.made_for = viewer.tenant_id
        return rows.filter(**{self.tenant_column: viewer.tenant_id})

    def contribute_to_class(self, cls: type[models.Model], name: str) -> None:
        """Guard the model's own `delete` as well, which Django sends past every manager."""
        super().contribute_to_class(cls, name)
        cls.delete = _guarded_delete(cls.delete)  # type: ignore[method-assign]


class OwnTenantManager(TenantManager):
    """The same for the tenants' own table, which is walled by its id."""

    tenant_column = "id"


Rows = TypeVar("Rows", bound="models.QuerySet[Any]")


def page_of(rows: Rows, *, by: str, after: tuple[Any, UUID] | None) -> Rows:
    """
    Return the rows, the highest of a column first and then of the id, as a list is walked page by page.

    after: (value of the column, id) of the last row that the page before had; None: from the first.
    """
    ordered = rows.order_by(f"-{by}", "-id")
    if after is None:
        return ordered
    value, row_id = after
    return ordered.filter(models.Q(**{f"{by}__lt": value}) | models.Q(**{by: value, "id__lt": row_id}))


def _guarded_delete(delete: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(delete)
    def guarded(self: models.Model, using: str | None = None, keep_parents: bool = False) -> Any:
        using = using or router.db_for_write(type(self), instance=self)
        guard(None, using)
        return delete(self, using=using, keep_parents=keep_parents)

    return guarded
