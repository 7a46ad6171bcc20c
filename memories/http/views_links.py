"""Links between memories over HTTP: parse, one verb, answer."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.http.bodies import LinkShown, LinkWish, show_link
from memories.http.views_graph import MemoryLinks
from memories.storage import LinkedToItself, MadeBySystem, add_link, remove_link
from security.rest import Problem, field_problem, read
from security.rest.api_view import Door
from security.rest.schema import problem_answer


class LinksByHand(MemoryLinks):
    """What a memory is linked with, and a link to make by hand."""

    scopes: ClassVar = {"GET": "read", "POST": "write"}

    @extend_schema(operation_id="create_memory_link", request=LinkWish, responses={201: LinkShown})
    def post(self, request: Request, memory_id: UUID) -> Response:
        """Link the memory with another one; a link that was found already is manual from now on."""
        wish = read(LinkWish, request.data)
        with _problems():
            link = add_link(
                memory_id, wish["target"], wish["type"], weight=wish.get("weight", 1.0), now=timezone.now()
            )
        return Response(show_link(link), status=201)


class OneLink(Door):
    """A link that a person made."""

    scopes: ClassVar = {"DELETE": "write"}

    @extend_schema(
        operation_id="delete_memory_link",
        responses={204: None, **problem_answer(409, "The link was found by the system.")},
    )
    def delete(self, _request: Request, memory_id: UUID, link_id: UUID) -> Response:
        """Take a manual link back."""
        with _problems():
            remove_link(memory_id, link_id, now=timezone.now())
        return Response(status=204)


@contextmanager
def _problems() -> Iterator[None]:
    """Turn what cannot be linked into problems."""
    try:
        yield
    except LinkedToItself as itself:
        raise field_problem("target", str(itself)) from itself
    except MadeBySystem as conflict:
        raise Problem(409, "made-by-system", str(conflict)) from conflict
