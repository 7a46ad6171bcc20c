"""The playground: a question's channels side by side, and a text's way through the gates; nothing is kept."""

from typing import Any, Final

from django.http import HttpResponse

from console.explain import explained
from console.frame import Desk, page
from console.in_process import ApiRefused

CHANNELS: Final = ("semantic", "lexical", "tag", "fuzzy", "time", "graph")
PLACES: Final = 6


@page
def ask(desk: Desk) -> HttpResponse:
    """Ask all channels together; the page fetches what each says alone, and the context, when it stands."""
    asked = desk.asked
    shown: dict[str, Any] = {"asked": asked}
    if "q" in asked:
        answer = desk.api.post("recall", _question(asked) | {"explain": True, "k": PLACES})
        shown |= {"answer": answer, "results": explained(answer)}
    return desk.show("playground/ask", shown)


@page
def channels(desk: Desk) -> HttpResponse:
    """Ask every channel by itself, and show the context that would be sent: a part of the page."""
    question = _question(desk.asked)
    shown = {
        "channels": [_alone(desk, question, name) for name in CHANNELS],
        "sent": desk.api.post("context", question | {"budget_tokens": 1_000}),
    }
    return desk.show_part("playground/channels", shown)


@page
def write(desk: Desk) -> HttpResponse:
    """Show what would become of a text: each gate's verdict and the memory it would be. Nothing is kept."""
    shown: dict[str, Any] = {"sent": desk.sent}
    if desk.request.method == "POST" and "text" in desk.sent:
        body = {"text": desk.sent["text"], "role": desk.sent.get("role", "user")}
        shown["outcome"] = desk.api.post("captures", body, dry_run="true")
    return desk.show("playground/write", shown)


def _question(asked: dict[str, str]) -> dict[str, Any]:
    ceiling = {"ceiling": asked["ceiling"]} if "ceiling" in asked else {}
    return {"query": asked.get("q", ""), **ceiling}


def _alone(desk: Desk, question: dict[str, Any], name: str) -> dict[str, Any]:
    try:
        alone = question | {"channels": [name], "explain": True, "k": PLACES, "min_relevance": 0}
        answer = desk.api.post("recall", alone)
    except ApiRefused as refused:  # a channel alone may be out, or have nothing to ask
        return {"name": name, "results": [], "reason": refused.detail}
    told = answer["channels"].get(name, {})
    return {"name": name, "results": answer["results"], "reason": told.get("reason")}
