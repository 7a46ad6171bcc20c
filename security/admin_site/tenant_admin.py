"""What every admin page shares: rows of the chosen tenant, read-only unless said otherwise, written down."""

from collections.abc import Iterable
from typing import Any, ClassVar, Final

from django.contrib import admin
from django.contrib.admin import RelatedFieldListFilter
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from unfold.admin import ModelAdmin, TabularInline

from security import audit
from security.classification import Classification
from tenants.rights import narrowed
from tenants.scope import viewer_or_none


def may_look() -> bool:
    """Return whether a tenant is chosen; without one nothing is shown."""
    return viewer_or_none() is not None


def may_act() -> bool:
    """Return whether the person may change things in the chosen tenant."""
    viewer = viewer_or_none()
    return viewer is not None and "admin" in viewer.scopes


def may_see(page: Any) -> bool:
    """Return whether the page is for the person in force: one on projects' rows says how they lead there."""
    viewer = viewer_or_none()
    return viewer is not None and (viewer.rights is None or page.by_project is not None)


def seen_rows(page: Any, rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return those of a page's rows that the person in force may view; none with nobody in force."""
    viewer = viewer_or_none()
    if viewer is None or not may_see(page):
        return rows.none()
    return narrowed(rows, viewer, *(page.by_project or ()))


class SeenFilter(RelatedFieldListFilter):
    """A filter by another row that offers those its own page would show."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> list[Any]:
        """Return the rows to choose from."""
        rows = model_admin.admin_site.get_model_admin(field.related_model).get_queryset(request)
        return [(str(row.pk), str(row)) for row in rows]


BY_ROW: Final = frozenset({"agent", "project"})
"""Filters by another row."""


class TenantAdmin(ModelAdmin):  # type: ignore[misc]
    """
    A page on one kind of row.

    What the pipeline decides is looked at here and not changed; `editable` opens what people decide. Nothing
    is deleted. What is done is written to the tenant's trail: Django's own log has no tenant.
    """

    editable: ClassVar[bool] = False
    #: Ways from a row to its project, such as `project_id`. (): the rows are the whole tenant's.
    #: None: the page is for those only to whom no project is closed.
    by_project: ClassVar[tuple[str, ...] | None] = None
    list_per_page = 50
    list_fullwidth = True
    show_full_result_count = False

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether the app is shown in the menu."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        """Return whether the rows are shown."""
        return may_look() and may_see(self)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows, as far as the person may view their projects (SPEC S-04)."""
        return seen_rows(self, super().get_queryset(request))

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        """Return the filters; those by another row offer what the person may view."""
        return [
            (name, SeenFilter) if isinstance(name, str) and name in BY_ROW else name
            for name in super().get_list_filter(request)
        ]

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """Return whether a row can be made here."""
        return self.editable and may_act()

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        """Return whether a row can be changed here."""
        return self.editable and may_act()

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        """Return False."""
        return False

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> None:  # noqa: ARG002
        """Write down that a row was made."""
        self._log("create", obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> None:  # noqa: ARG002
        """Write down that a row was changed."""
        self._log("change", obj, message)

    def log_deletions(self, request: HttpRequest, queryset: "Iterable[Model]") -> None:  # noqa: ARG002
        """Write down that rows were deleted."""
        for row in queryset:
            self._log("delete", row, [])

    def _log(self, done: str, row: Model, message: Any) -> None:
        table = row._meta.db_table
        detail = {"through": "admin", "message": message}
        audit.append(
            f"{table}.{done}", object_type=table, object_id=str(row.pk), detail=detail, now=timezone.now()
        )

    def history_view(
        self,
        request: HttpRequest,  # noqa: ARG002
        object_id: str,
        extra_context: Any = None,  # noqa: ARG002
    ) -> HttpResponse:
        """Show what the trail has on the row."""
        return redirect(f"{reverse('admin:security_auditevent_changelist')}?object_id__exact={object_id}")


class Beside(TabularInline):  # type: ignore[misc]
    """Rows that belong to the one looked at, read-only."""

    extra = 0
    hide_title = True
    can_delete = False
    show_change_link = False
    by_project: ClassVar[tuple[str, ...] | None] = None  #: as of `TenantAdmin`

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        """Return whether the rows are shown."""
        return may_look() and may_see(self)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows, as far as the person may view their projects (SPEC S-04)."""
        return seen_rows(self, super().get_queryset(request))

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002
        """Return False."""
        return False

    has_change_permission = has_add_permission
    has_delete_permission = has_add_permission


@admin.display(description="class", ordering="classification")
def class_name(row: Any) -> str:
    """Return the name of a row's class, as a column."""
    return Classification(row.classification).label


@admin.display(description="ceiling", ordering="ceiling")
def ceiling_name(row: Any) -> str:
    """Return the name of a row's ceiling, as a column."""
    return Classification(row.ceiling).label


def ceiling_choices() -> list[tuple[int, str]]:
    """Return the ceilings that the person in force may give: none above their own."""
    viewer = viewer_or_none()
    most = viewer.clearance if viewer else -1
    return [(int(rank), rank.label) for rank in Classification if rank <= most]
