"""What people do to a memory: each button is one verb of the API, with its rights and its audit."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from console.frame import Desk, page
from console.in_process import Service

Deed = Callable[[Service, str, Mapping[str, str]], Any]


def _posted(verb: str, *fields: str) -> Deed:
    """Return the deed that sends these fields of the form to the verb."""

    def deed(api: Service, path: str, sent: Mapping[str, str]) -> Any:
        return api.post(f"{path}/{verb}", {name: sent[name] for name in fields if name in sent})

    return deed


def _tag(api: Service, path: str, sent: Mapping[str, str]) -> Any:
    tags = [one.strip() for one in sent.get("tags", "").split(",") if one.strip()]
    return api.patch(path, {"tags": tags})


def _pin(api: Service, path: str, sent: Mapping[str, str]) -> Any:
    return api.patch(path, {"pinned": sent.get("pinned") == "true"})


def _share(api: Service, path: str, sent: Mapping[str, str]) -> Any:
    shared = sent.get("shared") == "true"
    return api.patch(path, {"shared": shared, **({"domain": sent["domain"]} if "domain" in sent else {})})


def _validity(api: Service, path: str, sent: Mapping[str, str]) -> Any:
    days = {name: sent.get(name) for name in ("valid_from", "valid_until")}
    return api.patch(path, {name: f"{day}T00:00:00Z" if day else None for name, day in days.items()})


def _importance(api: Service, path: str, sent: Mapping[str, str]) -> Any:
    text = sent.get("importance", "")
    return api.patch(path, {"importance": int(text) if text.isascii() and text.isdigit() else text})


DEEDS: Final[Mapping[str, tuple[Deed, Any]]] = {
    "correct": (
        _posted("correct", "content", "value", "reason", "cause", "check"),
        gettext_lazy("Corrected."),
    ),
    "archive": (_posted("archive", "reason", "hash"), gettext_lazy("Archived.")),
    "unarchive": (_posted("unarchive", "reason"), gettext_lazy("Unarchived.")),
    "reinstate": (_posted("reinstate", "reason"), gettext_lazy("Reinstated.")),
    "ungroup": (_posted("ungroup", "reason"), gettext_lazy("Removed from its group.")),
    "unconsolidate": (_posted("unconsolidate", "reason"), gettext_lazy("Consolidation undone.")),
    "classify": (_posted("classify", "classification", "reason"), gettext_lazy("Class raised.")),
    "tag": (_tag, gettext_lazy("Tags set.")),
    "pin": (_pin, gettext_lazy("Done.")),
    "share": (_share, gettext_lazy("Done.")),
    "validity": (_validity, gettext_lazy("Validity set.")),
    "importance": (_importance, gettext_lazy("Importance set.")),
}


@require_POST
@page
def do(desk: Desk, memory_id: UUID, deed: str) -> HttpResponse:
    """Carry out one deed, then show the memory again."""
    if deed not in DEEDS:
        raise Http404
    act, said = DEEDS[deed]
    path, back = f"memories/{memory_id}", reverse("console-memory", args=[memory_id])
    return desk.carry_out(lambda: act(desk.api, path, desk.sent), said=str(said), back=back)


@require_POST
@page
def lower(desk: Desk, memory_id: UUID) -> HttpResponse:
    """Show the text that more would see; with its hash, lower the class, or ask that a second person does."""
    path, wish = f"memories/{memory_id}/downgrade", desk.only("classification", "reason", "hash")
    if "hash" in wish:
        back = reverse("console-memory", args=[memory_id])
        return desk.carry_out(
            lambda: desk.api.post(path, wish), said=_("Lowered, or sent for approval."), back=back
        )
    preview = desk.api.post(path, wish)
    return desk.show("memories/lower", {"preview": preview, **wish})


@require_POST
@page
def forget(desk: Desk, memory_id: UUID) -> HttpResponse:
    """Show what would go with a memory; with the hash that was shown, forget it for good."""
    path = f"memories/{memory_id}/forget"
    sent = desk.only("reason", "hash")
    if "hash" in sent:
        return desk.carry_out(
            lambda: desk.api.post(path, sent),
            said=_("Forgotten. The audit trail keeps the fact, not the content."),
            back=reverse("console-memories"),
        )
    preview = desk.api.post(path, sent)
    if preview["forgotten"]:
        return redirect("console-memories")
    return desk.show("memories/forget", {"preview": preview, "reason": sent.get("reason", "")})
