"""Nights over HTTP: parse, one verb, answer."""

from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from evolution.http.serializers_sleep import SleepQuery, SleepRunPage, SleepRunShown, SleepWish, show_run
from evolution.sleep import ask_for_night, get_night, list_nights
from security.rest import Done, done_once, last_had, page, read, read_query
from security.rest.api_view import Door


def _asked_for(done: Done) -> Any:
    return show_run(get_night(UUID(done.kept["id"])))


class SleepRuns(Door):
    """What the nights did; how much is remembered in all is an administrator's to know."""

    scopes: ClassVar = {"GET": "admin", "POST": "admin"}

    @extend_schema(operation_id="list_sleep_runs", parameters=[SleepQuery], responses=SleepRunPage)
    def get(self, request: Request) -> Response:
        """List the nights with their steps, newest first."""
        query = read_query(SleepQuery, request.query_params)
        return Response(
            page(lambda after, most: list_nights(after=last_had(after), most=most), show_run, query)
        )

    @extend_schema(operation_id="create_sleep_run", request=SleepWish, responses={202: SleepRunShown})
    @done_once(_asked_for, keeps=("id",))
    def post(self, request: Request) -> Response:
        """Ask for a night now. It is run as soon as a worker has time; look again under its id."""
        wish = read(SleepWish, request.data)
        return Response(show_run(ask_for_night(**wish, now=timezone.now())), status=202)


class OneSleepRun(Door):
    """One night."""

    scopes: ClassVar = {"GET": "admin"}

    @extend_schema(operation_id="get_sleep_run", responses=SleepRunShown)
    def get(self, _request: Request, run_id: UUID) -> Response:
        """Show a night with its steps."""
        return Response(show_run(get_night(run_id)))
