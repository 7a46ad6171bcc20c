"""Home: what waits for a person, and how the memory does."""

from datetime import UTC, datetime
from typing import Any, Final

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from console.charts import columns, lines
from console.frame import Desk, page
from console.in_process import MOST_ROWS, Service

PERIODS: Final = (7, 30, 90)
"""Days that the charts may go back."""


@page
def home(desk: Desk) -> HttpResponse:
    """Show what waits for a person, and what was stored last."""
    shown = {
        "waiting": [one for one in _waiting(desk.api) if one["count"]],
        "days": _days(desk),
        "newest": desk.api.get("memories", limit=5)["results"],
    }
    return desk.show("home/page", shown)


@page
def charts(desk: Desk) -> HttpResponse:
    """Show how the memory does, day by day; fetched by the page when it stands, for it takes a moment."""
    days = _days(desk)
    statistics = desk.api.get("statistics", days=days)
    shown = {"days": days, "periods": PERIODS, "statistics": statistics, "charts": _charts(statistics)}
    return desk.show_part("home/charts", shown)


@page
def tour(desk: Desk) -> HttpResponse:
    """Show what there is to see in two minutes, each with the page where it is."""
    newest = desk.api.get("memories", limit=1)["results"] if desk.api.may("read") else []
    conflicts = desk.api.get("contradictions", state="open", limit=1)["results"]
    return desk.show(
        "home/tour", {"memory": next(iter(newest), None), "conflict": next(iter(conflicts), None)}
    )


def _days(desk: Desk) -> int:
    asked = desk.asked.get("days", "")
    return int(asked) if asked in map(str, PERIODS) else PERIODS[1]


def _waiting(api: Service) -> list[dict[str, Any]]:
    """Return what waits for a person: its name, how many, since when, and where it is worked on."""
    queues = [
        (_("in quarantine"), "console-quarantine", "captures", {"state": "quarantined"}),
        (_("contradictions"), "console-arbitration", "contradictions", {"state": "open"}),
        (_("to verify"), "console-verify", "verify-first", {"state": "open"}),
        (_("class downgrades"), "console-downgrades", "downgrades", {"state": "open"}),
        (_("dead captures"), "console-dead", "captures", {"state": "dead"}),
    ]
    told = [_queue(api, name, address, path, query) for name, address, path, query in queues]
    gate = api.get("gate") if api.may("admin") else None
    if gate is not None and gate["keys"] and gate["state"] != "open":
        told.append({"name": _("gate not open"), "address": reverse("console-health"), "count": 1,
                     "more": False, "since": _moment(gate["changed_at"])})  # fmt: skip
    return told


def _queue(api: Service, name: str, address: str, path: str, query: dict[str, str]) -> dict[str, Any]:
    found = api.get(path, limit=MOST_ROWS, **query)
    rows = found["results"]
    since = [one.get("created_at") or one.get("opened_at") for one in rows]
    return {
        "name": name,
        "address": reverse(address),
        "count": len(rows),
        "more": bool(found["next"]),
        "since": _moment(min(filter(None, since), default=None)),
    }


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).astimezone(UTC) if text else None


def _charts(statistics: dict[str, Any]) -> list[dict[str, Any]]:
    days = statistics["days"]
    labels = [one["day"] for one in days]

    def series(*names: str) -> list[tuple[str, list[float]]]:
        words = _names()
        return [(words[name], [one[name] or 0 for one in days]) for name in names]

    return [
        columns(_("Memories stored"), labels, series("memories")),
        columns(_("Captures not stored"), labels, series("discarded", "quarantined", "dead")),
        columns(_("Questions asked"), labels, series("answered", "nothing_known", "degraded")),
        lines(_("Recall time, ms"), labels, series("p50_ms", "p95_ms")),
        columns(_("Feedback"), labels, series("helpful", "unhelpful", "used")),
        columns(_("Language model tokens"), labels, series("tokens_in", "tokens_out")),
    ]


def _names() -> dict[str, str]:
    return {
        "memories": _("stored"), "discarded": _("discarded"), "quarantined": _("quarantined"),
        "dead": _("dead"), "answered": _("answered"), "nothing_known": _("nothing known"),
        "degraded": _("degraded"), "p50_ms": "p50", "p95_ms": "p95", "helpful": _("helpful"),
        "unhelpful": _("unhelpful"), "used": _("used"), "tokens_in": _("read"), "tokens_out": _("written"),
    }  # fmt: skip
