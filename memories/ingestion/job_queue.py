"""
Claim a capture, finish it, give it back: the capture's row is the queue of record.

# Note [Fencing]
A claim counts the attempt and commits a lease token before the work. Whoever finishes says the token in the
transaction that stores: a worker that was taken for dead meanwhile finds its token gone, gets LeaseLost, and
what it wrote is rolled back. So a job that is delivered twice, late or to two workers has one effect.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid4

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DEFAULT_DB_ALIAS

from memories.access import FORGOTTEN, REASON
from memories.ingestion.notify import HINT_SECONDS, LONG_LEASES, SHORT_BYTES
from memories.models import Capture, Document
from memories.queries import run, unit_that_runs
from security import audit
from tenants.scope import FULL_CLEARANCE, NotFound, unit_of_work

logger = logging.getLogger(__name__)

PAUSE_SECONDS: Final = 2
"""Pause after the first failed attempt; doubled after each further one."""

LONGEST_PAUSE_SECONDS: Final = 40
"""
Longest pause of a capture that something is out for: with a sweep and its work it is done within a minute of
the moment when that answers again.
"""

REDRIVEN: Final = ("dead", "quarantined", "discarded")
"""States of captures that ended without a memory and may be tried again."""

Trace = list[dict[str, Any]]

_COLUMNS: Final = [field.attname for field in Capture._meta.concrete_fields]


class LeaseLost(RuntimeError):
    """Another worker has taken this capture over. What was done on it here must not be kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A capture to work on, and the token that says it is ours."""

    capture: Capture
    token: UUID
    owner_domains: tuple[str, ...] = ()  #: those of its agent
    without: frozenset[str] = frozenset()  #: parts of the write track that the tenant has switched off
    reach: int = FULL_CLEARANCE  #: highest class that the key it came by may read
    may_lower: bool = True  #: the key may write below what it has read, or there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """How long a capture waits that something was out for."""

    asked_seconds: float | None  #: what the provider or the breaker asks for; None: it doubles
    share: float  #: drawn, in [0.5, 1]: captures that failed together do not come back together


def claim_capture(capture_id: UUID, *, now: datetime) -> Claim | None:
    """
    Claim the capture, or return None when there is nothing to do: done, dead, or in other hands.

    Counts the attempt and commits it before returning. One attempt too many, and the capture is dead instead.
    Raises NotFound.
    """
    token = uuid4()
    params = {
        "capture": capture_id,
        "token": token,
        "now": now,
        "most_attempts": settings.CAPTURE_MAX_ATTEMPTS,
        "lease_seconds": settings.CAPTURE_LEASE_SECONDS,
        "long_lease_seconds": LONG_LEASES * settings.CAPTURE_LEASE_SECONDS,
        "short_bytes": SHORT_BYTES,
    }
    with unit_that_runs([("claim_capture", params)]) as (rows,):
        if not rows:
            if not Capture.objects.filter(id=capture_id).exists():
                raise NotFound(NotFound.__doc__)
            return None
        claim = _claim(token, rows[0])
        if claim.capture.state == "dead":
            _note_death(capture_id, claim.capture.attempts, now)
            return None
        if claim.capture.document_id is not None:
            claim.capture.document = Document.objects.get(id=claim.capture.document_id)
    return claim


def _claim(token: UUID, row: Mapping[str, Any]) -> Claim:
    """Return the claim to the row that claim_capture answers with; to read it anew would cost more."""
    return Claim(
        capture=Capture.from_db(DEFAULT_DB_ALIAS, _COLUMNS, [row[name] for name in _COLUMNS]),
        token=token,
        owner_domains=tuple(row["owner_domains"] or ()),
        without=frozenset(row["without"]),
        reach=FULL_CLEARANCE if row["reach"] is None else int(row["reach"]),
        may_lower=row["may_lower"] is not False,
    )


def finish_capture(
    claim: Claim, *, state: str, trace: Trace, now: datetime, memories: Sequence[UUID] = (), error: str = ""
) -> None:
    """End the work, inside the transaction that stores its effect. Raises LeaseLost."""
    finished = run(
        "finish_capture",
        capture=claim.capture.id,
        token=claim.token,
        state=state,
        trace=_json(trace),
        memories=_json([str(memory_id) for memory_id in memories]),
        error=error,
        now=now,
    )
    if not finished:
        raise LeaseLost(LeaseLost.__doc__)


def begin_cut(claim: Claim, *, text: str, metadata: Mapping[str, Any]) -> None:
    """
    Make of a whole document's capture that of its first passage, inside the transaction that adds the others.

    The sweeper leaves it to its hint for a while. Raises LeaseLost.
    """
    params = {"capture": claim.capture.id, "token": claim.token, "text": text, "hint_seconds": HINT_SECONDS}
    if not run("cut_capture", metadata=_json(metadata), **params):
        raise LeaseLost(LeaseLost.__doc__)


def redact_capture(capture_id: UUID) -> None:
    """Erase what was said in a capture, of which a person had something forgotten: a turn is one piece."""
    trace = [{"step": "store", "verdict": "discard", "reason": REASON}]
    run("redact_capture", capture=capture_id, marker=FORGOTTEN, trace=_json(trace))


def release_capture(claim: Claim, *, error: str, trace: Trace, now: datetime) -> str:
    """
    Give the capture back after a failure and return its state: `pending` for another try, or `dead`.

    error: what went wrong without any of the text. Raises LeaseLost.
    """
    with unit_of_work():
        released = run(
            "release_capture",
            capture=claim.capture.id,
            token=claim.token,
            most_attempts=settings.CAPTURE_MAX_ATTEMPTS,
            pause_seconds=PAUSE_SECONDS,
            error=error,
            trace=_json(trace),
            now=now,
        )
        if not released:
            raise LeaseLost(LeaseLost.__doc__)
        state = str(released[0]["state"])
        if state == "dead":
            _note_death(claim.capture.id, claim.capture.attempts, now)
        return state


def postpone_capture(claim: Claim, *, waits_for: str, pause: Pause, trace: Trace) -> None:
    """
    Give the capture back because something is out: it waits, and its attempt is not counted.

    waits_for: what is out. Raises LeaseLost.
    """
    with unit_of_work():
        postponed = run(
            "postpone_capture",
            capture=claim.capture.id,
            token=claim.token,
            waits_for=waits_for,
            asked_seconds=pause.asked_seconds,
            share=pause.share,
            longest_seconds=LONGEST_PAUSE_SECONDS,
            first_seconds=PAUSE_SECONDS,
            trace=_json(trace),
        )
        if not postponed:
            raise LeaseLost(LeaseLost.__doc__)


def redrive_captures(*, states: Sequence[str], now: datetime, reason: str = "") -> list[UUID]:
    """
    Put finished captures back to the start of the queue and return their ids, oldest first.

    states: of dead, quarantined, discarded. Attempts are counted from 0 again; the former trace is kept in
    the first entry of the new one. Raises ValueError for other states.
    """
    if unknown := set(states) - set(REDRIVEN):
        raise ValueError(f"Captures in these states are not re-driven: {', '.join(sorted(unknown))}")
    with unit_of_work():
        rows = list(Capture.objects.select_for_update().filter(state__in=states).order_by("created_at"))
        for row in rows:
            past = {"verdict": row.state, "reason": row.error or reason, "former": row.trace}
            Capture.objects.filter(id=row.id).update(
                state="pending", attempts=0, error="", trace=[{"step": "redrive", **past}],
                leased_until=None, lease_token=None, finished_at=None, waits_for="", waiting_since=None,
            )  # fmt: skip
        events = [
            audit.Event(
                action="capture.redrive", object_type="capture", object_id=row.id, reason=reason,
                detail={"from": row.state}, classification=row.classification,
            )
            for row in rows
        ]  # fmt: skip
        audit.append_all(events, now=now)
    return [row.id for row in rows]


def _note_death(capture_id: UUID, attempts: int, now: datetime) -> None:
    logger.error("capture %s is dead after %s attempts: see it in the admin", capture_id, attempts)
    audit.append(
        "capture.dead", object_type="capture", object_id=capture_id, now=now, detail={"attempts": attempts}
    )


def _json(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
