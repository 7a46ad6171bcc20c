"""Deliver to one webhook: what is next for it, in order, each event until it was taken (SPEC I-04)."""

import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Any, Final
from uuid import UUID

from django.conf import settings

from evolution.events.feed import SQL, FeedEvent, FeedPage, read_events
from evolution.events.metrics import count_attempt
from evolution.events.signing import headers_of
from evolution.events.webhooks import secrets_of
from evolution.models import Webhook
from security import audit
from security.keys import viewer_of_key
from security.outbound import (
    BadAddress,
    PostResult,
    RefusedAddress,
    SendFailed,
    post,
    read_networks,
    read_target,
)
from tenants.models import new_id
from tenants.scope import Viewer, tenant_scope, unit_of_work

LEASE_SECONDS: Final = 60
SLICE_SECONDS: Final = 20.0
"""How long one webhook is seen to at a time: with the last request's own time well below the lease."""

AT_ONCE: Final = 20
"""Events that are read at a time."""

PAUSES: Final = (
    5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
)  # fmt: skip
"""Seconds until the next attempt, by failures in a row; after the last, in three days, it is stopped."""

LONGEST_WISH: Final = 3_600
"""Seconds that a receiver may ask to be left alone beyond the pause (Retry-After)."""

GONE: Final = 410
TAKEN: Final = range(200, 300)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hold:
    """A webhook under a lease."""

    row: Webhook
    token: UUID

    @property
    def named(self) -> dict[str, Any]:
        return {"webhook": self.row.id, "token": self.token}


def deliver(webhook_id: UUID) -> int:
    """
    Send what is next for a webhook of the tenant in force, and return how many events were taken.

    Ends at the first that is not taken, when there is no more, or when its time is up. Nothing is done while
    another process holds it. An event may come twice, under the same id; none is left out.
    """
    held = _claim(webhook_id)
    if held is None:
        return 0
    try:
        viewer = viewer_of_key(held.row.api_key_id)
        if viewer is None or "read" not in viewer.scopes:
            _stop(held, "key-ended")
            return 0
        return _send_all(held, viewer, until=monotonic() + SLICE_SECONDS) if _ping(held) else 0
    finally:
        with unit_of_work():
            SQL.run("release_webhook", **held.named)


def _claim(webhook_id: UUID) -> _Hold | None:
    token = new_id()
    with unit_of_work():
        rows = SQL.run("claim_webhook", webhook=webhook_id, token=token, seconds=LEASE_SECONDS)
    return _Hold(row=Webhook(**rows[0]), token=token) if rows else None


def _ping(held: _Hold) -> bool:
    """Send the ping that was asked for, if one was, and return whether the receiver may be sent more."""
    if held.row.pinged_at is None:
        return True
    at = datetime.now(UTC)
    message = {"type": "ping", "timestamp": at.isoformat(), "data": {}}
    return _send(held, new_id(), message, place=0, counts=0)


def _send_all(held: _Hold, viewer: Viewer, *, until: float) -> int:
    place, sent = held.row.place, 0
    kinds = frozenset(held.row.kinds)
    while monotonic() < until:
        with tenant_scope(viewer):
            reading: FeedPage = read_events(place, kinds=kinds, most=AT_ONCE)
        for event in reading.events:
            if monotonic() >= until or not _send(held, event.id, message_of(event), place=event.place):
                return sent
            sent += 1
        place = reading.place
        with unit_of_work():
            SQL.run("note_read", **held.named, place=place)
        if len(reading.events) < AT_ONCE:
            break
    return sent


def message_of(event: FeedEvent) -> dict[str, Any]:
    """Return what is sent of an event: ids, never a text."""
    data = {
        "id": event.id, "object_type": event.object_type, "object_id": event.object_id,
        "memories": list(event.memories), "by": event.by,
    }  # fmt: skip
    return {"type": event.kind, "timestamp": event.at.isoformat(), "data": data}


def _send(held: _Hold, message_id: UUID, message: dict[str, Any], *, place: int, counts: int = 1) -> bool:
    """Send a message, note what came of it, and return whether it was taken."""
    now = datetime.now(UTC)
    body = json.dumps(message, default=str, separators=(",", ":")).encode()
    headers = headers_of(message_id, body, at=now, secrets=secrets_of(held.row, now=now))
    headers |= {"content-type": "application/json", "user-agent": "Candor-Webhooks/1"}
    try:
        networks = read_networks(settings.WEBHOOK_NETWORKS)
        answer = post(read_target(held.row.url, inside=bool(networks)), body, headers, networks=networks)
    except (BadAddress, RefusedAddress):
        return _fail(held, None, "the address is not one that may be sent to")
    except SendFailed as failed:
        return _fail(held, None, str(failed))
    if answer.status not in TAKEN:
        return _fail(held, answer, f"answered with {answer.status}")
    with unit_of_work():
        noted = SQL.run(
            "note_sent", **held.named, place=place, sent=counts, status=answer.status, now=now,
            pinged_at=held.row.pinged_at,
        )  # fmt: skip
    held.row.failures = 0
    count_attempt("taken")
    return bool(noted)


def _fail(held: _Hold, answer: PostResult | None, error: str) -> bool:
    """Note that an attempt failed, and when the next one is; always False."""
    failures = held.row.failures + 1
    is_gone = answer is not None and answer.status == GONE
    stop = "gone" if is_gone else "failing" if failures > len(PAUSES) else ""
    pause = PAUSES[min(failures, len(PAUSES)) - 1] * random.uniform(0.9, 1.1)  # noqa: S311 - spreads load
    wish = min(answer.retry_after or 0, LONGEST_WISH) if answer is not None else 0
    with unit_of_work():
        noted = SQL.run(
            "note_failed", **held.named, status=answer.status if answer else None, error=error, stop=stop,
            pause=max(pause, float(wish)),
        )  # fmt: skip
        if noted and stop:
            _note_stop(held, stop)
    count_attempt("stopped" if stop else "failed")
    return False


def _stop(held: _Hold, why: str) -> None:
    with unit_of_work():
        SQL.run("note_failed", **held.named, status=None, error="", stop=why, pause=0.0)
        _note_stop(held, why)


def _note_stop(held: _Hold, why: str) -> None:
    audit.append(
        "webhook.stop", object_type="webhook", object_id=held.row.id, now=datetime.now(UTC), reason=why
    )
