"""The cache that processes share: the broker's Valkey. What it holds may be lost at any time."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

from config.settings.environment import text
from config.settings.work import BROKER_URL


def as_client_url(broker: str) -> str | None:
    """Return Celery's address of a Valkey or Redis as its client reads it; None for any other broker."""
    parts = urlsplit(broker)
    if parts.scheme in ("redis", "rediss", "unix"):
        return broker
    if parts.scheme == "redis+socket":
        database = parse_qs(parts.query).get("virtual_host", ["0"])[0]
        return f"unix://{parts.path}?db={database}"
    return None


#: Address of the shared cache, `redis://…`; unset: the broker's, when that is a Valkey or Redis.
CACHE_URL = text("CANDOR_CACHE_URL") or as_client_url(BROKER_URL)

_PATIENCE = {"socket_connect_timeout": 0.1, "socket_timeout": 0.1}
"""Seconds. A cache that is slower than this is slower than doing without."""

CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "config.shared_cache.SharedCache",
        "LOCATION": CACHE_URL,
        "KEY_PREFIX": "candor",
        "OPTIONS": _PATIENCE,
    }
    if CACHE_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}
