"""
The audit chain's form, and the walk along it that names each break (SPEC S-03). Knows no database.

What is hashed, byte for byte, stands in docs/audit.md; the database makes it in
security/migrations/sql/0003_link_audit.sql, and docs/verify_audit.py makes it again without us.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final
from uuid import UUID

FORM: Final = "candor-audit-1"
GENESIS: Final = bytes(32)
"""What the first link has for the hash of the one before."""

MARK_BYTES: Final = 4
"""Bytes of each hash that a checkpoint keeps: a rewritten event slips through once in 2^32."""

NO_SALT: Final = UUID(int=0)
"""What stands for the salt of an event whose payload was erased; none is ever drawn."""

MOST_TOLD: Final = 100
"""Breaks that are told; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """An event as it is stored."""

    at: datetime
    actor_kind: str
    actor_id: str
    action: str
    object_type: str
    object_id: str
    classification: int
    salt: UUID
    reason: str
    detail: str  #: jsonb as PostgreSQL writes it as text


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A link of the chain with its event."""

    seq: int
    id: UUID
    prev_hash: bytes
    payload_hash: bytes
    event_hash: bytes
    hash: bytes
    event: Stored | None  #: None: not there, or above the reader's clearance


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """What was signed of a chain: its end at a moment, and a mark of each link since the one before."""

    tenant_id: UUID
    first: int  #: seq of the first mark
    seq: int
    hash: bytes
    marks: bytes  #: the first MARK_BYTES of each hash from `first` to `seq`
    at: datetime
    key: bytes  #: public
    signature: bytes

    def mark_of(self, seq: int) -> bytes:
        """Return the mark of a link; empty when it is not of this checkpoint."""
        start = (seq - self.first) * MARK_BYTES
        return self.marks[start : start + MARK_BYTES] if start >= 0 else b""


COUNTED: Final = "audit.checkpoint"
"""The event by which the chain itself records that a checkpoint was written."""

RESTARTED: Final = "audit.checkpoint_restart"
"""The event by which an operator gives up checkpoints that were lost; counting starts anew behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """What the chain records of its file of checkpoints."""

    seq: int  #: of the link that records it
    series: int  #: from 0; one more with each restart
    number: int  #: the checkpoint's line in the file, from 1; 0 for a restart
    digest: str  #: SHA-256 of that line, hexadecimal; empty for a restart, and when the payload was erased
    restart: bool  #: what was counted before is given up

    @property
    def name(self) -> str:
        """Return the id under which it is recorded; the ids of later counts sort behind."""
        return f"{self.series:04d}-{self.number:09d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """A place where the chain is not what was written."""

    seq: int | None  #: None: an event that has no place in the chain
    kind: str  #: missing, altered, unlinked, rewritten, cut, unchained, checkpoint
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """Where a walk begins: after this link."""

    seq: int = 0
    hash: bytes | None = GENESIS  #: None: not known; the first link is taken at its word


@dataclass(slots=True, kw_only=True)
class Report:
    """What a walk found."""

    events: int = 0  #: links that were looked at
    withheld: int = 0  #: of them, events above the reader's clearance
    erased: int = 0  #: of them, events whose payload is gone: what it said cannot be verified any more
    seq: int = 0  #: the last link's
    hash: bytes = GENESIS
    checkpoints: int = 0  #: that held
    given_up: int = 0  #: that were counted before an operator restarted the count
    broken: int = 0
    breaks: list[Break] = field(default_factory=list)  #: the first MOST_TOLD

    def tell(self, seq: int | None, kind: str, what: str) -> None:
        """Take a break down."""
        self.broken += 1
        if len(self.breaks) < MOST_TOLD:
            self.breaks.append(Break(seq=seq, kind=kind, what=what))


def joined(*parts: str) -> bytes:
    """Return texts as one, each led by its length in bytes: `5:hello,`."""
    return b"".join(b"%d:%b," % (len(raw), raw) for raw in (part.encode() for part in parts))


def payload_hash(event: Stored) -> bytes:
    """Return the hash of what an event says in free words."""
    return sha256(joined(str(event.salt), event.reason, event.detail)).digest()


def read_count(seq: int, action: str, object_id: str, detail: str) -> Count | None:
    """Return what an event records of the file of checkpoints; None for any other event."""
    if action not in (COUNTED, RESTARTED):
        return None
    series, _, number = object_id.partition("-")
    try:
        digest = str(json.loads(detail).get("line", ""))
        return Count(
            seq=seq, series=int(series), number=int(number), digest=digest, restart=action == RESTARTED
        )
    except (ValueError, AttributeError):  # not ours: the walk says what is wrong with it
        return None


def is_erased(entry: Entry) -> bool:
    """Return whether the payload was erased: reason and detail blank, no salt, and the hash of before."""
    event = entry.event
    if event is None or (event.salt, event.reason, event.detail) != (NO_SALT, "", "{}"):
        return False
    return payload_hash(event) != entry.payload_hash


def event_hash(event_id: UUID, event: Stored, payload: bytes) -> bytes:
    """Return the hash of an event, whose payload is given by its hash."""
    at = event.at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    return sha256(
        joined(
            str(event_id), at, event.actor_kind, event.actor_id, event.action, event.object_type,
            event.object_id, str(event.classification), payload.hex(),
        )
    ).digest()  # fmt: skip


def link_hash(tenant_id: UUID, seq: int, prev_hash: bytes, event: bytes) -> bytes:
    """Return the hash of a link, whose event is given by its hash."""
    return sha256(joined(FORM, str(tenant_id), str(seq), prev_hash.hex(), event.hex())).digest()


def walk(
    entries: Iterable[Entry],
    *,
    tenant_id: UUID,
    anchor: Anchor | None = None,
    checkpoints: Iterable[Checkpoint] = (),
    may_withhold: bool = False,
    whole: bool = True,
) -> Report:
    """
    Go along the chain from `anchor` and return what was found, with one entry and one checkpoint in hand.

    entries: by seq. checkpoints: by seq, their signatures looked at already. may_withhold: an event that is
    not there is above the reader's clearance. whole: the entries go to the end, so that a later checkpoint
    means that something was cut off.
    """
    start = anchor or Anchor()
    report = Report(seq=start.seq, hash=start.hash or GENESIS)
    marks = _Marks(checkpoints, after=start.seq)
    trusted = start.hash is not None
    for entry in entries:
        if entry.seq != report.seq + 1:
            report.tell(report.seq + 1, "missing", f"there is no link from here up to {entry.seq - 1}")
            trusted = False
        fault = _fault(entry, report, tenant_id, trusted=trusted, may_withhold=may_withhold)
        marked = marks.fault(entry, report)
        if fault or marked:
            report.tell(*(fault or marked))  # type: ignore[misc]
        report.events += 1
        report.withheld += entry.event is None
        report.erased += is_erased(entry)
        report.seq, report.hash, trusted = entry.seq, entry.hash, True
    if whole:
        marks.finish(report)
    return report


Fault = tuple[int, str, str]


def _fault(
    entry: Entry, report: Report, tenant_id: UUID, *, trusted: bool, may_withhold: bool
) -> Fault | None:
    """Return the first thing that is wrong with an entry, seen from the one before."""
    if trusted and entry.prev_hash != report.hash:
        return entry.seq, "unlinked", "it does not follow the link before: moved, put in, or changed"
    if link_hash(tenant_id, entry.seq, entry.prev_hash, entry.event_hash) != entry.hash:
        return entry.seq, "altered", "the link is not the one that was written"
    if entry.event is None:
        return None if may_withhold else (entry.seq, "missing", f"the event {entry.id} is gone")
    if payload_hash(entry.event) != entry.payload_hash and not is_erased(entry):
        return entry.seq, "altered", "reason, detail or salt is not what was written"
    if event_hash(entry.id, entry.event, entry.payload_hash) != entry.event_hash:
        return entry.seq, "altered", "the event is not the one that was written"
    return None


class _Marks:
    """The checkpoints beside a walk."""

    def __init__(self, checkpoints: Iterable[Checkpoint], *, after: int) -> None:
        self._rest: Iterator[Checkpoint] = (one for one in checkpoints if one.seq > after)
        self._now = next(self._rest, None)
        self._off = False  # a rewritten stretch is told once, at its beginning

    def fault(self, entry: Entry, report: Report) -> Fault | None:
        """Return that an entry is not the one which a checkpoint knows, when it is the first of such."""
        now = self._now
        while now is not None and now.seq < entry.seq:
            now = self._now = next(self._rest, None)
        if now is None or entry.seq < now.first:
            return None
        known = now.hash if entry.seq == now.seq else now.mark_of(entry.seq)
        was_off, self._off = self._off, not entry.hash.startswith(known)
        if entry.seq == now.seq and not self._off:
            report.checkpoints += 1
        if not self._off or was_off:
            return None
        return entry.seq, "rewritten", f"the checkpoint of {now.at.isoformat()} knows another event here"

    def finish(self, report: Report) -> None:
        """Tell what the checkpoints know beyond the last entry."""
        now = self._now
        while now is not None and now.seq <= report.seq:
            now = next(self._rest, None)
        if now is not None:
            for later in self._rest:
                now = later
            what = f"the checkpoint of {now.at.isoformat()} knows of events up to {now.seq}"
            report.tell(report.seq + 1, "cut", what)
