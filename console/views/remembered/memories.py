"""A memory: its words and the talk around them, its past, what it rests on, who was shown it."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from django.http import HttpResponse

from console.frame import Desk, page

FILTERS: Final = (
    "agent", "archived", "card", "classification", "concept_key", "document", "entity", "entity_key", "kind",
    "layer", "person", "project", "provenance", "session", "speaker", "standing", "tag", "trust_from",
)  # fmt: skip
BESIDE: Final = 20
"""Rows that are shown of each thing around a memory."""


@page
def browse(desk: Desk) -> HttpResponse:
    """List memories, newest first, filtered on any axis."""
    asked = {name: value for name, value in desk.asked.items() if name in FILTERS}
    found = desk.api.get("memories", limit=25, cursor=desk.asked.get("cursor"), **asked)
    shown = {"rows": found["results"], "next": found["next"], "asked": asked}
    return desk.show("memories/list", shown)


@page
def one(desk: Desk, memory_id: UUID) -> HttpResponse:
    """Show a memory with all that stands around it, as far as the person may see that."""
    api, path = desk.api, f"memories/{memory_id}"
    memory = api.get(path)
    capture = desk.maybe(f"captures/{memory['capture_id']}") if memory["capture_id"] else None
    history = desk.maybe(f"{path}/history") or {"versions": [], "chain": []}
    shown = {
        "memory": memory,
        "capture": capture,
        "talk": _talk(desk, memory),
        "history": history,
        "values": _values(desk, memory),
        "lineage": desk.maybe(f"{path}/lineage", limit=BESIDE),
        "links": _links(desk, path, memory["id"]),
        "group": desk.maybe("memories", same_as=memory["id"], limit=BESIDE),
        "recalls": desk.maybe(f"{path}/recalls", limit=BESIDE),
        "events": desk.maybe("audit", object_id=memory["id"], limit=BESIDE) if api.may("audit") else None,
        "conflicts": _conflicts(desk, memory),
        "questions": _questions(desk, memory["id"]),
        "verdicts": _verdicts(capture),
    }
    return desk.show("memories/one", shown)


def _talk(desk: Desk, memory: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the turns of the session around the one that the memory is of, in order."""
    if not memory["session"] or memory["turn"] is None:
        return []
    found = desk.maybe("captures", session=memory["session"], limit=100)
    turns = sorted(found["results"], key=lambda turn: turn["turn"]) if found else []
    return [turn for turn in turns if abs(turn["turn"] - memory["turn"]) <= 2]


def _values(desk: Desk, memory: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what the concept of a state was over time, oldest first."""
    if not (memory["concept_key"] and memory["entity_key"]):
        return []
    found = desk.maybe(
        "memories", concept_key=memory["concept_key"], entity_key=memory["entity_key"], limit=50
    )  # fmt: skip
    rows = [one for one in (found["results"] if found else []) if one["value"]]
    return sorted(rows, key=lambda row: row["effective_at"]) if len(rows) > 1 else []


def _links(desk: Desk, path: str, own: str) -> list[dict[str, Any]]:
    """Return the links with the memory at their other end in words."""
    found = desk.maybe(f"{path}/links", limit=50)
    graph = desk.maybe(f"{path}/graph", depth=1, limit=100)
    words = {node["id"]: node for node in (graph["nodes"] if graph else [])}
    told = []
    for link in found["results"] if found else []:
        outward = link["source"] == own
        other = words.get(link["target"] if outward else link["source"])
        told += [{**link, "outward": outward, "other": other}] if other else []
    return told


def _conflicts(desk: Desk, memory: Mapping[str, Any]) -> list[dict[str, Any]]:
    if not memory["concept_key"]:
        return []
    found = desk.maybe("contradictions", concept_key=memory["concept_key"], limit=50)
    own = memory["id"]
    rows = found["results"] if found else []
    return [row for row in rows if own in (row["older"]["id"], row["newer"]["id"])]


def _questions(desk: Desk, own: str) -> list[dict[str, Any]]:
    """Return what is asked of people about the memory: whether it still holds."""
    found = desk.maybe("verify-first", state="open", limit=100)
    return [one for one in (found["results"] if found else []) if one["memory"]["id"] == own]


def _verdicts(capture: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Return what the arbiter said when the memory came, as the trace of its capture keeps it."""
    steps = capture["trace"] if capture else []
    return [said for step in steps for said in step.get("verdicts", ())]
