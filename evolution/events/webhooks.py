"""
Webhooks: made, changed, stopped, and sent again what they missed (SPEC I-04).

# Note [By whose eyes]
A webhook is sent what the key may see that made it or changed it last. So nobody turns what another key sees
towards an address of their own, and a webhook whose key has ended is taken over by changing it with another.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from evolution.events.feed import find_place, kept_since, place_since, tip
from evolution.events.signing import as_shown, secret_of
from evolution.models import ACTIVE, Webhook
from security import audit
from security.models import ApiKey
from security.outbound import read_target
from tenants.scope import NotAllowed, NotFound, Viewer, unit_of_work, viewer_in_force
from tenants.sql import LockNamespace, lock_tenant

MOST_WEBHOOKS: Final = 20
"""Of one tenant."""

_LEASE: Final = ("lease_token", "leased_until")

OVERLAP: Final = timedelta(hours=24)
"""How long the former secret signs beside a new one."""


class TooManyWebhooks(RuntimeError):
    """A tenant has at most 20 webhooks. Delete one first."""


class KeyMaySeeNothing(NotAllowed):
    """A webhook is sent what its key may read. Use a key with the scope «read» that is not for outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookView:
    """A webhook as administrators see it."""

    id: UUID
    url: str
    kinds: tuple[str, ...]
    key: UUID  #: by whose eyes it is sent events
    state: str  #: active, stopped
    stopped_because: str  #: key-ended, gone, failing; empty: by hand, or not at all
    secret: str | None  #: only where it was just made
    sent: int
    failures: int  #: in a row
    last_status: int | None
    last_error: str
    last_sent_at: datetime | None
    next_at: datetime | None  #: of the next attempt, after failures
    created_at: datetime
    created_by: str


def make_webhook(url: str, kinds: Sequence[str], *, now: datetime) -> WebhookView:
    """
    Make a webhook that is sent what happens from now on, as far as the key in force may see it.

    Raises BadAddress, KeyMaySeeNothing, TooManyWebhooks.
    """
    check_url(url)
    with unit_of_work() as viewer:
        key = _eyes(viewer)
        lock_tenant(LockNamespace.STORE)
        if Webhook.objects.count() >= MOST_WEBHOOKS:
            raise TooManyWebhooks(TooManyWebhooks.__doc__)
        row = Webhook.objects.create(
            api_key_id=key, url=url, kinds=list(kinds), place=tip(), next_at=now, created_at=now,
            created_by=viewer.actor,
        )  # fmt: skip
        _note("webhook.create", row, now, kinds=row.kinds)
    return webhook_view(row, is_new=True)


def list_webhooks(*, after: UUID | None, most: int) -> list[WebhookView]:
    """Return at most `most` webhooks, newest first, from below the id `after`."""
    with unit_of_work():
        rows = _within_reach().order_by("-id")
        rows = rows.filter(id__lt=after) if after else rows
        return [webhook_view(row) for row in rows[:most]]


def get_webhook(webhook_id: UUID, *, is_new: bool = False) -> WebhookView:
    """Return the webhook; with its secret, if it is new. Raises NotFound."""
    with unit_of_work():
        return webhook_view(_one(webhook_id), is_new=is_new)


def change_webhook(webhook_id: UUID, changes: Mapping[str, Any], *, now: datetime) -> WebhookView:
    """
    Change url, kinds or state. Made active again, it goes on where it stopped. See Note [By whose eyes].

    Raises NotFound, BadAddress, KeyMaySeeNothing.
    """
    if "url" in changes:
        check_url(changes["url"])
    with unit_of_work() as viewer:
        row = _one(webhook_id)
        row.api_key_id = _eyes(viewer)
        for name, value in changes.items():
            setattr(row, name, value)
        if changes.get("state") == ACTIVE:
            row.failures, row.next_at, row.stopped_because = 0, now, ""
        _take_back(row)
        row.save(update_fields=[*changes, "api_key", "failures", "next_at", "stopped_because", *_LEASE])
        _note("webhook.edit", row, now, changed=sorted(changes))
        return webhook_view(row)


def delete_webhook(webhook_id: UUID, *, now: datetime) -> None:
    """Delete the webhook; what is under way to it may still arrive. Raises NotFound."""
    with unit_of_work():
        row = _one(webhook_id)
        _note("webhook.delete", row, now)
        Webhook.objects.filter(id=row.id).delete()


def rotate_webhook(webhook_id: UUID, *, now: datetime) -> WebhookView:
    """
    Give the webhook a new secret; for a day the former one signs, too.

    Raises NotFound, KeyMaySeeNothing.
    """
    with unit_of_work() as viewer:
        row = _one(webhook_id)
        row.api_key_id = _eyes(viewer)
        row.secret_version, row.secret_rotated_at = row.secret_version + 1, now
        row.save(update_fields=["api_key", "secret_version", "secret_rotated_at"])
        _note("webhook.rotate", row, now)
        return webhook_view(row, is_new=True)


def replay_webhook(
    webhook_id: UUID, *, after: str | None = None, since: datetime | None = None, now: datetime
) -> WebhookView:
    """
    Send once more what came after an event, or since a moment; at most what happened in the last `DAYS`.

    Raises NotFound, PlaceGone, KeyMaySeeNothing.
    """
    with unit_of_work() as viewer:
        row = _one(webhook_id)
        row.api_key_id = _eyes(viewer)
        if after is not None:
            row.place = find_place(after, now=now)
        else:
            assert since is not None
            row.place = place_since(max(since, kept_since(now)))
        row.failures, row.next_at = 0, now
        _take_back(row)
        row.save(update_fields=["api_key", "place", "failures", "next_at", *_LEASE])
        _note("webhook.replay", row, now)
        return webhook_view(row)


def ping_webhook(webhook_id: UUID, *, now: datetime) -> WebhookView:
    """Have a `ping` sent, which says nothing but that the address is reached. Raises NotFound."""
    with unit_of_work():
        row = _one(webhook_id)
        row.pinged_at, row.next_at = now, now
        row.save(update_fields=["pinged_at", "next_at"])
        return webhook_view(row)


def check_url(url: str) -> None:
    """Raise BadAddress unless requests may be sent to such an address."""
    read_target(url, inside=bool(settings.WEBHOOK_NETWORKS))


def secrets_of(row: Webhook, *, now: datetime) -> list[bytes]:
    """Return what signs for the webhook now, the newest first."""
    is_overlapping = row.secret_rotated_at is not None and now < row.secret_rotated_at + OVERLAP
    versions = [row.secret_version, *([row.secret_version - 1] if is_overlapping else [])]
    keys = map(str, (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))
    return [secret_of(row.id, version, key=key) for key in keys for version in versions]


def webhook_view(row: Webhook, *, is_new: bool = False) -> WebhookView:
    """Return the row as administrators see it."""
    secret = as_shown(secret_of(row.id, row.secret_version, key=str(settings.SECRET_KEY))) if is_new else None
    return WebhookView(
        id=row.id, url=row.url, kinds=tuple(row.kinds), key=row.api_key_id, state=row.state,
        stopped_because=row.stopped_because, secret=secret, sent=row.sent, failures=row.failures,
        last_status=row.last_status, last_error=row.last_error, last_sent_at=row.last_sent_at,
        next_at=row.next_at if row.failures else None, created_at=row.created_at, created_by=row.created_by,
    )  # fmt: skip


def _take_back(row: Webhook) -> None:
    """Let what is under way note nothing any more: it would go on from where it was before the change."""
    row.lease_token = row.leased_until = None


def _eyes(viewer: Viewer) -> UUID:
    """Return the key by which events are seen from now on. Raises KeyMaySeeNothing."""
    key = ApiKey.objects.filter(id=viewer.key_id).first() if viewer.key_id else None
    if key is None or key.external or "read" not in viewer.scopes:
        raise KeyMaySeeNothing(KeyMaySeeNothing.__doc__)
    return UUID(str(key.id))


def _within_reach() -> QuerySet[Any]:
    """Return the webhooks that the viewer in force may look after: a key that is bound, its own only."""
    viewer = viewer_in_force()
    rows = Webhook.objects.all()
    is_bound = viewer.agent_id is not None or viewer.project_id is not None or viewer.projects is not None
    return rows.filter(api_key_id=viewer.key_id) if is_bound else rows


def _one(webhook_id: UUID) -> Webhook:
    row: Webhook | None = _within_reach().filter(id=webhook_id).first()
    if row is None:
        raise NotFound(NotFound.__doc__)
    return row


def _note(action: str, row: Webhook, now: datetime, **detail: Any) -> None:
    audit.append(action, object_type="webhook", object_id=row.id, now=now, detail=detail)
