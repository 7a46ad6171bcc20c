"""
Pages that are worked at: what a person may do to the row with a button, and what belongs to it in tables.

# Note [Deeds]
A deed is one call of a verb that the API calls, too: the verb asks for the right, writes the trail and says
why it refuses. The page only offers it. It is posted, with Django's token, from a form with a text and
buttons, so that it works by keyboard and without a script.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse

from security.admin_site.tenant_admin import TenantAdmin
from tenants.scope import NotAllowed, NotFound, Refused


class BadWords(ValueError):
    """What was written beside a deed cannot be read; the message says how to write it."""


REFUSALS: Final[tuple[type[Exception], ...]] = (NotAllowed, NotFound, Refused, BadWords)
"""What any verb raises when it does not do what was asked; its words are for whoever asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """Something a person may do to the row that they look at."""

    name: str  #: in the address
    label: str  #: on the button
    means: str  #: what comes of it, in a line
    do: Callable[[Any, str], str]  #: row and the person's words → what to tell them
    is_open: Callable[[Any], bool]  #: whether it is offered for the row
    asks: str = "Reason"  #: what the words are
    needs_words: bool = False
    is_grave: bool = False
    as_seen: bool = (
        False  #: not done to a row that is another one than the page showed, see `DeskAdmin.state_of`
    )
    refused_by: tuple[type[Exception], ...] = ()  #: what its verb raises besides `REFUSALS` to refuse


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What belongs to the row, to look at."""

    title: str
    headers: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    note: str = ""  #: below it: how much is not shown


@dataclass(frozen=True, slots=True, kw_only=True)
class DeedForm:
    """The deeds that ask for the same words."""

    asks: str
    needs_words: bool
    deeds: list[Deed]


def forms_of(deeds: Sequence[Deed]) -> list[DeedForm]:
    """Return the forms that offer these deeds, in their order."""
    forms: list[DeedForm] = []
    for deed in deeds:
        if not forms or forms[-1].asks != deed.asks:
            forms.append(DeedForm(asks=deed.asks, needs_words=deed.needs_words, deeds=[]))
        forms[-1].deeds.append(deed)
    return forms


class DeskAdmin(TenantAdmin):
    """A page with deeds above the row and tables below it."""

    deeds: ClassVar[tuple[Deed, ...]] = ()
    #: Row → table, or None; a floor above may add its own.
    asides: ClassVar[list[Callable[[Any], Table | None]]] = []
    #: Row → what tells whether it was changed since.
    state_of: Callable[[Any], str] = staticmethod(lambda _: "")
    change_form_outer_before_template = "admin/deeds.html"
    change_form_outer_after_template = "admin/tables.html"

    def get_urls(self) -> list[URLPattern]:
        """Return the page's addresses and that of its deeds."""
        deed = path(
            "<uuid:object_id>/deed/<slug:name>/",
            self.admin_site.admin_view(self.deed_view),
            name=f"{self.opts.app_label}_{self.opts.model_name}_deed",
        )
        return [deed, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the row with what may be done and what belongs to it."""
        row = self.get_object(request, object_id)
        beside: dict[str, Any] = {}
        if row is not None:
            offered = [deed for deed in self.deeds if deed.is_open(row)]
            tables = (aside(row) for aside in self.asides)
            beside = {"deed_forms": forms_of(offered), "tables": [table for table in tables if table]}
            beside["seen"] = self.state_of(row)
        answer: HttpResponse = super().change_view(
            request, object_id, form_url, {**beside, **(extra_context or {})}
        )
        return answer

    def deed_view(self, request: HttpRequest, object_id: Any, name: str) -> HttpResponse:
        """Do it, and lead back to the row with what came of it. Raises Http404, PermissionDenied."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        row = self.get_object(request, str(object_id))
        deed = next((one for one in self.deeds if one.name == name), None)
        if row is None or deed is None:
            raise Http404
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        if deed.as_seen and request.POST.get("seen") != self.state_of(row):
            level, told = messages.ERROR, "Nothing was done: it was changed meanwhile. Look at it again."
        else:
            level, told = self._carry_out(deed, row, request.POST.get("words", "").strip())
        self.message_user(request, told, level=level)
        return redirect(reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[row.pk]))

    def _carry_out(self, deed: Deed, row: Any, words: str) -> tuple[int, str]:
        """Return the level and the text of what to tell the person. What is not offered is not done."""
        if not deed.is_open(row):
            return messages.ERROR, "Nothing was done: this is not yours to do, or was done already."
        if deed.needs_words and not words:
            return messages.ERROR, f"Nothing was done: {deed.asks.lower()} is missing."
        try:
            return messages.SUCCESS, deed.do(row, words)
        except REFUSALS + deed.refused_by as refused:
            return messages.ERROR, f"Nothing was done: {refused}"
