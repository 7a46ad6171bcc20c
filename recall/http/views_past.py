"""Recalls of before over HTTP."""

from typing import ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from recall.answering import get_recall, list_recalls_of
from recall.http.serializers_past import PastRecallPage, RecallShown, show_past, show_recall
from security.rest import PageQuery, last_had, page, read_query
from security.rest.api_view import Door


class OneRecall(Door):
    """A question that was asked before."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_recall", responses=RecallShown)
    def get(self, _request: Request, recall_id: UUID) -> Response:
        """Show a question and what of its answer you may see now; an agent sees its own."""
        return Response(show_recall(*get_recall(recall_id)))


class RecallsOfMemory(Door):
    """What a memory was told for."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="list_memory_recalls", parameters=[PageQuery], responses=PastRecallPage)
    def get(self, request: Request, memory_id: UUID) -> Response:
        """List the questions whose answer told the memory, newest first; an agent sees its own."""
        query = read_query(PageQuery, request.query_params)
        return Response(
            page(
                lambda after, most: list_recalls_of(memory_id, after=last_had(after), most=most),
                show_past,
                query,
            )
        )
