"""Search by meaning: the recall that agents use, with every filter and each place explained."""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone

from console.explain import explained
from console.frame import Desk, page

PLAIN: Final = ("project", "session", "person", "layer", "ceiling", "speaker")
WHERE: Final = (
    "agent",
    "entity_key",
    "concept_key",
    "created_from",
    "created_to",
    "occurred_from",
    "occurred_to",
)
"""What is sent as it is asked for: of the question, and within its `where`."""

MOST_DAYS_BACK: Final = 365
PLACES: Final = 10


@page
def search(desk: Desk) -> HttpResponse:
    """Ask; with nothing asked, offer the form. `as=context` shows what an agent's context would hold."""
    asked, is_part = desk.asked, "HX-Request" in desk.request.headers
    shown: dict[str, Any] = {"asked": asked, "most_days": MOST_DAYS_BACK}
    if "q" in asked:
        question = _question(asked)
        if asked.get("as") == "context" and not is_part:
            shown["later"] = True
        elif asked.get("as") == "context":
            shown["agent_context"] = desk.api.post("context", question | {"budget_tokens": _budget(asked)})
        else:
            answer = desk.api.post("recall", question | {"explain": True, "k": PLACES})
            alerts = list(dict.fromkeys(one["text"] for one in answer["alerts"]))
            shown |= {"answer": answer, "results": explained(answer), "alerts": alerts}
    return desk.show("search/results" if is_part else "search/page", shown)


@page
def past(desk: Desk, recall_id: UUID) -> HttpResponse:
    """Show an answer as it was given: the question, who asked, what they were shown."""
    return desk.show("search/past", {"recall": desk.api.get(f"recall/{recall_id}")})


def _question(asked: dict[str, str]) -> dict[str, Any]:
    """Return the question as the API takes it."""
    body: dict[str, Any] = {"query": asked["q"], **{name: asked[name] for name in PLAIN if name in asked}}
    for name in ("kinds", "tags"):
        if name in asked:
            body[name] = [one.strip() for one in asked[name].split(",") if one.strip()]
    where: dict[str, Any] = {name: _moment(name, asked[name]) for name in WHERE if name in asked}
    where |= {"cards": [asked["card"]]} if "card" in asked else {}
    where |= {"provenances": [asked["provenance"]]} if "provenance" in asked else {}
    where |= {"trust_from": _share(asked["trust_from"])} if "trust_from" in asked else {}
    if where:
        body["where"] = where
    if "valid_at" in asked:
        body["valid_at"] = f"{asked['valid_at']}T12:00:00Z"
    back = _whole(asked.get("back", "0"), most=MOST_DAYS_BACK)
    if back:
        body["known_at"] = (timezone.now() - timedelta(days=back)).isoformat()
    if asked.get("all"):
        body["min_relevance"] = 0
    if asked.get("deep"):
        body["deep"] = True
    return body


def _moment(name: str, text: str) -> str:
    """Return a day of a form as a moment; what is none is the API's to refuse."""
    if name.endswith("_from") and len(text) == len("2026-01-01"):
        return f"{text}T00:00:00Z"
    if name.endswith("_to") and len(text) == len("2026-01-01"):
        return f"{text}T23:59:59Z"
    return text


def _whole(text: str, *, most: int) -> int:
    return min(int(text), most) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def _share(text: str) -> float | str:
    """Return a share as a number; what is none is the API's to refuse."""
    try:
        return float(text)
    except ValueError:
        return text


def _budget(asked: dict[str, str]) -> int:
    return _whole(asked.get("budget", ""), most=32_000) or 1_500
