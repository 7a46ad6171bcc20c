"""What became of a capture, told in sentences from the trace that it carries. Pure."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

Step = Mapping[str, Any]


def story_of(capture: Mapping[str, Any]) -> list[str]:
    """Return the sentences, in the order in which it happened; steps that had nothing to say are left out."""
    told = [_TOLD[step["step"]](step) for step in capture["trace"] if step.get("step") in _TOLD]
    return [sentence for sentence in [*told, _end(capture)] if sentence]


def _normalise(step: Step) -> str:
    times = step.get("times") or 0
    if not times:
        return ""
    found = ngettext("%(count)d time or amount was read.", "%(count)d times or amounts were read.", times)
    return found % {"count": times}


def _screen(step: Step) -> str:
    if step["verdict"] == "pass":
        return _("Passed screening.")
    return _("Held: %(reason)s.") % {"reason": step.get("reason") or step["verdict"]}


def _reflect(step: Step) -> str:
    notes = step.get("notes") or 0
    said = ngettext("%(model)s extracted %(count)d note.", "%(model)s extracted %(count)d notes.", notes)
    return said % {"model": step.get("model") or _("No model"), "count": notes} if notes else ""


def _connect(step: Step) -> str:
    reason = step.get("reason") or ""
    return _("Reconciled: %(verdict)s (%(reason)s).") % {
        "verdict": step["verdict"], "reason": reason,
    }  # fmt: skip


def _relate(step: Step) -> str:
    links = step.get("links") or 0
    return (
        ngettext("%(count)d link was added.", "%(count)d links were added.", links) % {"count": links}
        if links
        else ""
    )


_TOLD: Final[Mapping[str, Callable[[Step], str]]] = {
    "normalise": _normalise, "screen": _screen, "reflect": _reflect, "connect": _connect, "relate": _relate,
}  # fmt: skip
"""How the steps of a trace are told; those of the machine's own (embedding, storing) are not."""


def _end(capture: Mapping[str, Any]) -> str:
    if capture["state"] == "dead":
        return _("Failed repeatedly: %(error)s") % {"error": capture["error"]}
    if capture["waits_for"]:
        return _("Waiting for %(what)s.") % {"what": capture["waits_for"]}
    return ""
