"""The graph around a memory: a picture that grows by clicking, and the same as sentences."""

from typing import Final
from uuid import UUID

from django.http import HttpResponse, JsonResponse

from console.frame import Desk, page

MOST_NODES: Final = 500
FIRST_NODES: Final = 60
"""Nodes of the picture at most, and those that it begins with."""


@page
def picture(desk: Desk, memory_id: UUID) -> HttpResponse:
    """Show the neighbourhood; the sentences beside it are the same graph for who sees no picture."""
    found = desk.api.get(f"memories/{memory_id}/graph", depth=2, limit=FIRST_NODES)
    words = {node["id"]: node for node in found["nodes"]}
    sentences = [
        {**edge, "source": words[edge["source"]], "target": words[edge["target"]]}
        for edge in found["edges"]
        if edge["source"] in words and edge["target"] in words
    ]
    shown = {"memory_id": memory_id, "graph": found, "sentences": sentences, "most": MOST_NODES}
    return desk.show("graph/page", shown | {"memory": words.get(str(memory_id))})


@page
def data(desk: Desk, memory_id: UUID) -> HttpResponse:
    """Return a node's neighbourhood as the API tells it, for the picture to grow by."""
    depth = 2 if desk.asked.get("depth") == "2" else 1
    return JsonResponse(desk.api.get(f"memories/{memory_id}/graph", depth=depth, limit=FIRST_NODES))
