"""What happened, told as it happens: a feed to read or to listen to, and webhooks (SPEC I-04)."""

from evolution.events.courier import Courier
from evolution.events.delivery import deliver
from evolution.events.feed import (
    DAYS,
    START,
    FeedEvent,
    FeedPage,
    PlaceGone,
    find_place,
    find_start,
    kept_since,
    read_events,
)
from evolution.events.kinds import KINDS
from evolution.events.webhooks import (
    MOST_WEBHOOKS,
    KeyMaySeeNothing,
    TooManyWebhooks,
    WebhookView,
    change_webhook,
    delete_webhook,
    get_webhook,
    list_webhooks,
    make_webhook,
    ping_webhook,
    replay_webhook,
    rotate_webhook,
)

__all__ = [
    "DAYS",
    "KINDS",
    "MOST_WEBHOOKS",
    "START",
    "Courier",
    "FeedEvent",
    "FeedPage",
    "KeyMaySeeNothing",
    "PlaceGone",
    "TooManyWebhooks",
    "WebhookView",
    "change_webhook",
    "delete_webhook",
    "deliver",
    "find_place",
    "find_start",
    "get_webhook",
    "kept_since",
    "list_webhooks",
    "make_webhook",
    "ping_webhook",
    "read_events",
    "replay_webhook",
    "rotate_webhook",
]
