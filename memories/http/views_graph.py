"""What a memory is linked with and what lies around it, over HTTP."""

import math
import struct
from typing import Any, ClassVar, Final
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.http.bodies import CARDS, STANDINGS, LinkShown, LinksShown, show_link
from memories.storage import (
    DEEPEST,
    MOST_NODES,
    Ancestry,
    LinkView,
    Neighbourhood,
    Node,
    get_ancestry,
    get_neighbourhood,
    list_links,
)
from security.classification import Classification
from security.rest import (
    ClassName,
    CursorField,
    PageQuery,
    QueryNumber,
    StrictSerializer,
    page,
    read_query,
    write_cursor,
)
from security.rest.api_view import Door

DEFAULT_NODES: Final = 50


class WeightCursor(CursorField):
    """An opaque place in a list that is in order of a weight."""

    def read_place(self, order: bytes, row_id: UUID) -> Any:
        """Return weight and id of the last row had. Raises ValidationError."""
        weight: float = struct.unpack(">d", order)[0]
        if not math.isfinite(weight):
            self.fail("cursor")
        return weight, row_id


def _place_of(link: LinkView) -> str:
    return write_cursor(struct.pack(">d", link.weight), link.id)


class LinksQuery(PageQuery):
    """Which page of a memory's links."""

    cursor = WeightCursor(required=False, help_text="Where the page begins: `next` of the page before.")


class GraphQuery(StrictSerializer):
    """How much of what lies around."""

    depth = QueryNumber(
        required=False, default=1, min_value=1, max_value=DEEPEST, help_text="Links from the memory."
    )
    limit = QueryNumber(
        required=False,
        default=DEFAULT_NODES,
        min_value=1,
        max_value=MOST_NODES,
        help_text="Memories, itself among them.",
    )


class NodeShown(serializers.Serializer[Any]):
    """A memory in a neighbourhood."""

    id = serializers.UUIDField()
    distance = serializers.IntegerField(help_text="Links from the memory that was asked about.")
    content = serializers.CharField()
    kind = serializers.CharField()
    card = serializers.ChoiceField(choices=CARDS)
    standing = serializers.ChoiceField(choices=STANDINGS)
    person = serializers.CharField(allow_blank=True, help_text="The end user whose it is; empty: common.")
    trust = serializers.FloatField(help_text="How true, in [0, 1].")
    classification = ClassName()


class GraphShown(serializers.Serializer[Any]):
    """What lies around a memory, as far as you may see it."""

    nodes = NodeShown(many=True, help_text="By distance, then heaviest link first; the first is itself.")
    edges = LinkShown(many=True, help_text="The links between them, heaviest first.")
    truncated = serializers.BooleanField(help_text="More that you may see lies here than is told.")


class LineageQuery(StrictSerializer):
    """How much of a memory's lineage."""

    limit = QueryNumber(
        required=False, default=DEFAULT_NODES, min_value=1, max_value=MOST_NODES,
        help_text="Memories each way.",
    )  # fmt: skip


class LineageStepShown(serializers.Serializer[Any]):
    """One memory was derived from another."""

    derived = serializers.UUIDField()
    premise = serializers.UUIDField()


class LineageShown(serializers.Serializer[Any]):
    """What a memory was derived from, and what was derived from it, as far as you may see it."""

    rests_on = NodeShown(many=True, help_text="By distance: what it was made of first.")
    carries = NodeShown(many=True, help_text="By distance: what was made of it first.")
    steps = LineageStepShown(many=True)
    truncated = serializers.BooleanField(help_text="There is more that you may see.")


class MemoryLinks(Door):
    """What a memory is linked with."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_memory_links", parameters=[LinksQuery], responses=LinksShown)
    def get(self, request: Request, memory_id: UUID) -> Response:
        """List the links from and to a memory whose other end may be seen, heaviest first."""
        query = read_query(LinksQuery, request.query_params)
        return Response(
            page(
                lambda after, most: list_links(memory_id, after=after, most=most),
                show_link,
                query,
                place_of=_place_of,
            )
        )


class MemoryGraph(Door):
    """What lies around a memory."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_memory_graph", parameters=[GraphQuery], responses=GraphShown)
    def get(self, request: Request, memory_id: UUID) -> Response:
        """Show the memories around one and the links between them; what is hidden is no way to another."""
        query = read_query(GraphQuery, request.query_params)
        return Response(show_graph(get_neighbourhood(memory_id, depth=query["depth"], most=query["limit"])))


class MemoryLineage(Door):
    """What a memory rests on."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_memory_lineage", parameters=[LineageQuery], responses=LineageShown)
    def get(self, request: Request, memory_id: UUID) -> Response:
        """Show what a memory was derived from and what was derived from it, step by step."""
        query = read_query(LineageQuery, request.query_params)
        return Response(show_ancestry(get_ancestry(memory_id, most=query["limit"])))


def show_ancestry(found: Ancestry) -> dict[str, Any]:
    """Return the lineage as it is sent."""
    return {
        "rests_on": [_show_node(node) for node in found.rests_on],
        "carries": [_show_node(node) for node in found.carries],
        "steps": [{"derived": child, "premise": parent} for child, parent in found.steps],
        "truncated": found.truncated,
    }


def show_graph(around: Neighbourhood) -> dict[str, Any]:
    """Return the neighbourhood as it is sent."""
    return {
        "nodes": [_show_node(node) for node in around.nodes],
        "edges": [show_link(edge) for edge in around.edges],
        "truncated": around.truncated,
    }


def _show_node(node: Node) -> dict[str, Any]:
    memory = node.memory
    return {
        "id": memory.id,
        "distance": node.distance,
        "content": memory.content,
        "kind": memory.kind,
        "card": memory.card,
        "standing": memory.standing,
        "person": memory.person,
        "trust": memory.trust,
        "classification": Classification(memory.classification).label,
    }
