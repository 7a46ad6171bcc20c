"""The cache that processes share, asked in a way that nothing it does may stop a recall (SPEC O-04)."""

import logging
import time
from collections.abc import Callable
from threading import Lock
from typing import Final, TypeVar

log = logging.getLogger(__name__)

PAUSE_SECONDS: Final = 5.0
"""How long a cache that failed is left alone, so that an outage costs one time-out and not one a recall."""

_lock: Final = Lock()
_quiet_until = 0.0

T = TypeVar("T")


def ask_cache(ask: Callable[[], T]) -> T | None:
    """Return what the cache answers, None when it is out. Call it outside of any transaction."""
    global _quiet_until
    if time.monotonic() < _quiet_until:
        return None
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 - each client library has its own
        with _lock:
            _quiet_until = time.monotonic() + PAUSE_SECONDS
        log.warning("the shared cache does not answer (%s)", type(error).__name__)
        return None
