"""A session: the talk in order, what became of each turn and why, and what was read in it."""

from typing import Any, Final

from django.http import HttpResponse
from django.shortcuts import redirect

from console.frame import Desk, page
from console.in_process import part
from console.story import story_of

MOST_TURNS: Final = 300


@page
def one(desk: Desk) -> HttpResponse:
    """Show the talk, each turn's way through the gates as a story, and how high its answers read."""
    session = desk.asked.get("session", "")
    if not session:
        return redirect("console-memories")
    turns, more = _turns(desk, session)
    shown = {
        "session": session,
        "turns": [{**turn, "story": story_of(turn)} for turn in turns],
        "more": more,
        "marks": desk.maybe(f"sessions/{part(session)}") if desk.api.may("sessions") else None,
    }
    return desk.show("sessions/one", shown)


def _turns(desk: Desk, session: str) -> tuple[list[dict[str, Any]], bool]:
    """Return the turns in order, at most so many, and whether there are more."""
    turns: list[dict[str, Any]] = []
    cursor = None
    while len(turns) < MOST_TURNS:
        found = desk.api.get("captures", session=session, limit=100, cursor=cursor)
        turns += found["results"]
        cursor = found["next"]
        if cursor is None:
            break
    return sorted(turns, key=lambda turn: turn["turn"]), cursor is not None
