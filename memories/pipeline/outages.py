"""
Tell what is out from what fails by itself, and let a capture wait for it (SPEC O-04).

An outage delays a capture for as long as it takes; what fails by itself again and again ends it `dead`. Which
of both a failure is, is read from the exception's type and PostgreSQL's code, never from words.
"""

import logging
import random
import time
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, InternalError, OperationalError, connection

from memories.embedders import EmbedderUnavailable, NoEmbedder
from memories.ingestion import Claim, Pause, postpone_capture
from memories.llms import ModelUnavailable
from memories.metrics import count_outage
from memories.vectors import active_embedder

logger = logging.getLogger(__name__)

EMBEDDER: Final = "embedder"
MODEL: Final = "model"
DATABASE: Final = "database"

_DATABASE_OUT: Final = ("08", "57P0", "58", "25006", "53")
"""
Beginnings of SQLSTATEs by which PostgreSQL is out for all: no connection, shut down, its disk, read-only, no
room. Not what a statement may cause by itself: a time limit (57014), a deadlock (40P01), memory (53200).
"""

_BY_A_STATEMENT: Final = frozenset({"53200"})

PATIENCE: Final = 0.8
"""Share of a lease for which a worker that lost the database tries to give its capture back."""

LONGEST_TRY_SECONDS: Final = 2.0

_jitter: Final = random.SystemRandom()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """What is out, and when it may be asked again."""

    part: str  #: EMBEDDER, MODEL or DATABASE
    asked_seconds: float | None = None  #: what it asks for itself; None: nothing


def find_outage(error: Exception) -> Outage | None:
    """Return what is out when a capture failed so; None: it failed by itself."""
    if isinstance(error, EmbedderUnavailable):
        return Outage(part=EMBEDDER, asked_seconds=error.retry_after_seconds)
    if isinstance(error, NoEmbedder):
        return Outage(part=EMBEDDER)
    if isinstance(error, ModelUnavailable):
        return Outage(part=MODEL, asked_seconds=error.retry_after_seconds)
    return Outage(part=DATABASE) if _is_database_out(error) else None


def _is_database_out(error: Exception) -> bool:
    if not isinstance(error, OperationalError | InterfaceError | InternalError):
        return False
    code = getattr(error.__cause__, "sqlstate", None)
    if code is None:  # it never came to an answer
        return not isinstance(error, InternalError)
    return code.startswith(_DATABASE_OUT) and code not in _BY_A_STATEMENT


def require_embedder(claim: Claim) -> None:
    """
    Raise EmbedderUnavailable before any work on a capture whose vectors could not be made.

    Else each try would ask a language model anew for notes that are thrown away. What waited for the embedder
    asks it first, in a few words.
    """
    active_embedder().require(ask=claim.capture.waits_for == EMBEDDER)


def wait_for(outage: Outage, claim: Claim, *, trace: list[dict[str, Any]]) -> None:
    """
    Give the capture back to wait for what is out.

    Where that is the database it is tried for most of a lease: an attempt counts until it is given back.
    Raises LeaseLost, and what the database raises when it stays away.
    """
    logger.warning("capture %s waits: %s is out", claim.capture.id, outage.part)
    count_outage(outage.part)
    pause = Pause(asked_seconds=outage.asked_seconds, share=_jitter.uniform(0.5, 1.0))
    ends_at = time.monotonic() + PATIENCE * settings.CAPTURE_LEASE_SECONDS
    longest = 0.1
    while True:
        try:
            return postpone_capture(claim, waits_for=outage.part, pause=pause, trace=trace)
        except (DatabaseError, InterfaceError) as error:
            if not _is_database_out(error) or time.monotonic() > ends_at:
                raise
            connection.close()
        longest = min(2 * longest, LONGEST_TRY_SECONDS)
        time.sleep(_jitter.uniform(longest / 2, longest))
