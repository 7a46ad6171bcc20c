"""People of a tenant and what they may do in which project, over HTTP (SPEC S-04)."""

from typing import ClassVar

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from security.people.grants import get_person, grant_rights, list_people, take_all_rights
from security.people.serializers import GrantWish, PersonPage, PersonShown, TakeQuery
from security.rest import PageQuery, last_id, named_project, page, read, read_query
from security.rest.api_view import Door


class Username:
    """What Django lets a person be called, as a part of an address."""

    regex = r"[\w.@+-]{1,150}"

    def to_python(self, value: str) -> str:
        """Return the name."""
        return value

    def to_url(self, value: str) -> str:
        """Return the name."""
        return value


class People(Door):
    """The people of the tenant."""

    scopes: ClassVar = {"GET": "admin"}

    @extend_schema(operation_id="list_people", parameters=[PageQuery], responses=PersonPage)
    def get(self, request: Request) -> Response:
        """List people with what they hold, newest first."""
        query = read_query(PageQuery, request.query_params)
        return Response(
            page(
                lambda after, most: list_people(after=last_id(after), most=most),
                lambda row: PersonShown(row).data,
                query,
            )
        )


class Permissions(Door):
    """What one person may do in which project."""

    scopes: ClassVar = {"GET": "admin", "PUT": "admin", "DELETE": "admin"}

    @extend_schema(operation_id="get_permissions", responses=PersonShown)
    def get(self, _request: Request, user: str) -> Response:
        """Show what a person holds."""
        return Response(PersonShown(get_person(user)).data)

    @extend_schema(operation_id="set_permissions", request=GrantWish, responses=PersonShown)
    def put(self, request: Request, user: str) -> Response:
        """Let a person hold these rights in a project, or in what belongs to none, and no others there."""
        wish = read(GrantWish, request.data)
        person = grant_rights(
            user,
            wish["rights"],
            project_id=named_project(wish["project"]),
            now=timezone.now(),
            reason=wish.get("reason", ""),
        )
        return Response(PersonShown(person).data)

    @extend_schema(operation_id="revoke_permissions", parameters=[TakeQuery], responses={204: None})
    def delete(self, request: Request, user: str) -> Response:
        """Take back all that a person holds."""
        query = read_query(TakeQuery, request.query_params)
        take_all_rights(user, now=timezone.now(), reason=query.get("reason", ""))
        return Response(status=204)
