"""When to ask again and how long to wait before: full jitter, what the provider asks for, an end in time."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final

FIRST_WAIT_SECONDS: Final = 0.5
LONGEST_BACKOFF_SECONDS: Final = 8.0
"""The first and the longest bound of the backoff: the figures of the Anthropic and the OpenAI SDK."""

PASSING: Final = frozenset({408, 409, 425, 429})
"""Status codes that, with every 5xx, are worth another try."""

OUR_FAULT: Final = frozenset({400, 413, 422})
"""Status codes that say that the request itself is wrong; the same again would be, too."""

NOT_FOR_IT: Final = frozenset({401, 402, 403, 404, 429})
"""Status codes that say nothing of what was sent: a key, an address, a limit."""

_jitter: Final = random.SystemRandom()


class RequestFailed(Exception):
    """
    A request brought no answer.

    reason: in our own words; nothing that the provider sent is in it, which may repeat what it was sent.
    """

    def __init__(
        self,
        reason: str,
        *,
        status: int | None = None,
        asked_seconds: float | None = None,
        is_passing: bool = False,
        is_unsent: bool = False,
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.asked_seconds = asked_seconds  #: what the provider wants us to wait
        self.is_passing = is_passing  #: the same request may succeed later
        self.is_unsent = is_unsent  #: there was no connection to send it by

    @property
    def is_ours(self) -> bool:
        """Whether the provider works, and finds our request wrong."""
        return self.status in OUR_FAULT

    @property
    def is_for_any(self) -> bool:
        """Whether any other request had failed, too: what was sent cannot be the reason."""
        return self.is_unsent or self.status in NOT_FOR_IT


def failed_with(status: int, headers: Mapping[str, str]) -> RequestFailed:
    """Tell what a status other than 200 means. `headers` are looked up in lower case."""
    told_no = headers.get("x-should-retry") == "false"
    return RequestFailed(
        f"status {status}",
        status=status,
        asked_seconds=read_retry_after(headers),
        is_passing=not told_no and (status in PASSING or status >= 500),
    )


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """
    Return the seconds a provider asks to wait; None when it does not say, or not in a way we read.

    Reads `retry-after-ms`, and `retry-after` as seconds or as a date; a date counts from the answer's own.
    """
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return _positive(float(milliseconds) / 1000)
        asked = headers.get("retry-after", "")
        if not asked or asked[0].isdigit():
            return _positive(float(asked))
        until, since = (parsedate_to_datetime(text) for text in (asked, headers.get("date", "")))
        return _positive((until - since).total_seconds())
    except (TypeError, ValueError):
        return None


def _positive(seconds: float) -> float | None:
    return seconds if 0 < seconds < float("inf") else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often one answer is asked for, and how long is waited in between."""

    most_requests: int = 4
    longest_wait_seconds: float = 20.0  #: a provider that asks for more is not waited for
    draw: Callable[[float, float], float] = _jitter.uniform

    def pause(self, failed: RequestFailed, *, request: int, left_seconds: float) -> float | None:
        """
        Return the seconds to wait after the n-th request failed; None: there is to be no other.

        At least what the provider asks for, and on top a random part of a bound that doubles each time: full
        jitter (Brooker, «Exponential Backoff and Jitter», AWS Architecture Blog, 2015), so that clients who
        failed together do not come back together.
        """
        bound = min(FIRST_WAIT_SECONDS * 2.0 ** (request - 1), LONGEST_BACKOFF_SECONDS)
        seconds = (failed.asked_seconds or 0.0) + self.draw(0.0, bound)
        is_last = request >= self.most_requests or not failed.is_passing
        return None if is_last or seconds > min(self.longest_wait_seconds, left_seconds) else seconds
