"""Webhooks over HTTP: parse, one verb, answer. For administrators: what happens leaves the house here."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from evolution.events import (
    KeyMaySeeNothing,
    PlaceGone,
    TooManyWebhooks,
    change_webhook,
    delete_webhook,
    get_webhook,
    list_webhooks,
    make_webhook,
    ping_webhook,
    replay_webhook,
    rotate_webhook,
)
from evolution.http.serializers_events import (
    ReplayWish,
    WebhookChange,
    WebhookPage,
    WebhookQuery,
    WebhookShown,
    WebhookWish,
    show_webhook,
)
from security.outbound import BadAddress
from security.rest import Done, Problem, done_once, field_problem, last_id, page, read, read_query
from security.rest.api_view import Door
from security.rest.schema import problem_answer


@contextmanager
def webhook_problems() -> Iterator[None]:
    """Say what is wrong with a webhook as a problem."""
    try:
        yield
    except BadAddress as bad:
        raise field_problem("url", str(bad)) from bad
    except KeyMaySeeNothing as blind:
        raise PermissionDenied(str(blind)) from blind
    except TooManyWebhooks as many:
        raise Problem(409, "too-many-webhooks", str(many)) from many
    except PlaceGone as gone:
        raise Problem(410, "cursor-gone", str(gone)) from gone


def _with_secret(done: Done) -> Any:
    return show_webhook(get_webhook(UUID(done.kept["id"]), is_new=True))


def _as_it_is(done: Done) -> Any:
    return show_webhook(get_webhook(done.where["webhook_id"]))


class Webhooks(Door):
    """Addresses that are told what happens."""

    scopes: ClassVar = {"GET": "admin", "POST": "admin"}

    @extend_schema(operation_id="list_webhooks", parameters=[WebhookQuery], responses=WebhookPage)
    def get(self, request: Request) -> Response:
        """List webhooks, newest first: a key that is bound sees its own."""
        query = read_query(WebhookQuery, request.query_params)
        return Response(
            page(lambda after, most: list_webhooks(after=last_id(after), most=most), show_webhook, query)
        )

    @extend_schema(
        operation_id="create_webhook",
        request=WebhookWish,
        responses={201: WebhookShown, **problem_answer(409, "The tenant has as many as it may.")},
    )
    @done_once(_with_secret, keeps=("id",))
    def post(self, request: Request) -> Response:
        """Have events sent to an address from now on; the answer has the secret that signs them."""
        wish = read(WebhookWish, request.data)
        with webhook_problems():
            made = make_webhook(wish["url"], wish["kinds"], now=timezone.now())
        return Response(show_webhook(made), status=201)


class OneWebhook(Door):
    """One webhook."""

    scopes: ClassVar = {"GET": "admin", "PATCH": "admin", "DELETE": "admin"}

    @extend_schema(operation_id="get_webhook", responses=WebhookShown)
    def get(self, _request: Request, webhook_id: UUID) -> Response:
        """Show a webhook, and how it fares."""
        return Response(show_webhook(get_webhook(webhook_id)))

    @extend_schema(operation_id="change_webhook", request=WebhookChange, responses=WebhookShown)
    def patch(self, request: Request, webhook_id: UUID) -> Response:
        """Change address, kinds or state. From then on it is sent what the key that changes it may see."""
        wish = read(WebhookChange, request.data)
        with webhook_problems():
            return Response(show_webhook(change_webhook(webhook_id, wish, now=timezone.now())))

    @extend_schema(operation_id="delete_webhook", responses={204: None})
    def delete(self, _request: Request, webhook_id: UUID) -> Response:
        """Delete a webhook."""
        delete_webhook(webhook_id, now=timezone.now())
        return Response(status=204)


class WebhookSecret(Door):
    """What a webhook's messages are signed with."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(operation_id="rotate_webhook", request=None, responses={200: WebhookShown})
    @done_once(lambda done: show_webhook(get_webhook(done.where["webhook_id"], is_new=True)))
    def post(self, _request: Request, webhook_id: UUID) -> Response:
        """Make a new secret; for 24 hours messages bear the former signature, too."""
        with webhook_problems():
            return Response(show_webhook(rotate_webhook(webhook_id, now=timezone.now())))


class WebhookReplay(Door):
    """Events, sent once more."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(
        operation_id="replay_webhook",
        request=ReplayWish,
        responses={202: WebhookShown, **problem_answer(410, "From this event it cannot be read on.")},
    )
    @done_once(_as_it_is)
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Send again what came after an event, or since a moment, under the ids that it had."""
        wish = read(ReplayWish, request.data)
        with webhook_problems():
            return Response(show_webhook(replay_webhook(webhook_id, **wish, now=timezone.now())), status=202)


class WebhookPing(Door):
    """A message that says nothing, to see whether it arrives."""

    scopes: ClassVar = {"POST": "admin"}

    @extend_schema(operation_id="ping_webhook", request=None, responses={202: WebhookShown})
    @done_once(_as_it_is)
    def post(self, _request: Request, webhook_id: UUID) -> Response:
        """Have a `ping` sent; look at the webhook a moment later to see what came of it."""
        return Response(show_webhook(ping_webhook(webhook_id, now=timezone.now())), status=202)
