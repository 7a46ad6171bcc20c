"""Read a tenant's trail: events by filter, the chain entry by entry, and whether it holds."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Q

from security.chain import MARK_BYTES, MOST_TOLD, NO_SALT, Anchor, Checkpoint, Entry, Report, Stored, walk
from security.checkpoints import BadCheckpoint, Book, Covered
from security.ed25519 import public_key
from security.models import AuditEvent, AuditLink
from tenants.scope import Viewer, pipeline_viewer, tenant_in_force, tenant_scope, unit_of_work

MOST_AT_ONCE: Final = 10_000
"""Links that a checkpoint covers, and that a request over HTTP has looked at: some 150 ms."""

PAGE: Final = 2_000
"""Links read at a time, with their events."""

PROGRESS_EVERY: Final = 50_000

_ENTRIES: Final = """
SELECT l.seq, l.id, l.prev_hash, l.payload_hash, l.event_hash, l.hash, e.id IS NOT NULL,
       e.at, e.actor_kind, e.actor_id, e.action, e.object_type, e.object_id, e.classification, e.salt,
       e.reason, e.detail::text
FROM audit_link l LEFT JOIN audit_event e ON e.tenant_id = l.tenant_id AND e.id = l.id
WHERE l.tenant_id = %(tenant)s AND l.seq > %(after)s
ORDER BY l.seq LIMIT %(most)s
"""

_UNCHAINED: Final = """
SELECT e.id FROM audit_event e
WHERE e.tenant_id = %(tenant)s
  AND NOT EXISTS (SELECT FROM audit_link l WHERE l.tenant_id = e.tenant_id AND l.id = e.id)
ORDER BY e.id LIMIT %(most)s
"""

_SINCE: Final = """
SELECT min(l.seq) FROM audit_event e JOIN audit_link l ON l.tenant_id = e.tenant_id AND l.id = e.id
WHERE e.tenant_id = %(tenant)s AND e.at >= %(since)s
"""

_TIP: Final = "SELECT seq FROM audit_link WHERE tenant_id = %(tenant)s ORDER BY seq DESC LIMIT 1"
_LINK: Final = "SELECT hash FROM audit_link WHERE tenant_id = %(tenant)s AND seq = %(seq)s"


class ChainBroken(RuntimeError):
    """The chain does not hold, so no checkpoint of it is signed. Run `manage.py audit verify`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilter:
    """Which events are wanted; None: all."""

    action: str | None = None
    object_type: str | None = None
    object_id: str | None = None
    actor: str | None = None  #: the actor's id
    since: datetime | None = None  #: from then on
    until: datetime | None = None  #: before then


@dataclass(frozen=True, slots=True, kw_only=True)
class EventView:
    """An event as the trail's readers see it."""

    id: UUID
    seq: int
    created_at: datetime
    actor_kind: str
    actor_id: str
    action: str
    object_type: str
    object_id: str
    reason: str
    detail: dict[str, Any]
    erased: bool  #: its reason and detail are gone
    classification: int
    hash: str  #: hexadecimal, of the link


def list_events(
    wanted: EventFilter, *, after: tuple[datetime, UUID] | None = None, most: int
) -> list[EventView]:
    """Return events within the viewer's clearance, newest first."""
    lookups = {
        "action": wanted.action, "object_type": wanted.object_type, "object_id": wanted.object_id,
        "actor_id": wanted.actor, "at__gte": wanted.since, "at__lt": wanted.until,
    }  # fmt: skip
    with unit_of_work():
        rows = AuditEvent.objects.filter(
            **{name: value for name, value in lookups.items() if value is not None}
        )
        if after is not None:
            rows = rows.filter(Q(at__lt=after[0]) | Q(at=after[0], id__lt=after[1]))
        found = list(rows.order_by("-at", "-id")[:most])
        places = {link.id: link for link in AuditLink.objects.filter(id__in=[row.id for row in found])}
    return [_view(row, places[row.id]) for row in found if row.id in places]


def _view(row: AuditEvent, link: AuditLink) -> EventView:
    names = (
        "actor_kind",
        "actor_id",
        "action",
        "object_type",
        "object_id",
        "reason",
        "detail",
        "classification",
    )
    return EventView(
        id=row.id, seq=link.seq, created_at=row.at, hash=bytes(link.hash).hex(), erased=row.salt == NO_SALT,
        **{name: getattr(row, name) for name in names},
    )  # fmt: skip


def read_entries(*, after: int = 0, most: int | None = None) -> Iterator[Entry]:
    """
    Yield the tenant's chain by seq, `after` left out, and no more than `most`.

    Read in pages, each a unit of work of its own: nothing is ever changed, so that no long transaction is
    needed to see one state. Events above the viewer's clearance are withheld, their links are not.
    """
    left = most
    while left is None or left > 0:
        wanted = PAGE if left is None else min(PAGE, left)
        rows = _ask(_ENTRIES, after=after, most=wanted)
        yield from map(_entry, rows)
        if len(rows) < wanted:
            return
        after = rows[-1][0]
        left = None if left is None else left - len(rows)


def _ask(statement: str, **params: Any) -> list[Any]:
    """Run a statement in a unit of work of its own."""
    with unit_of_work() as viewer, connection.cursor() as cursor:
        cursor.execute(statement, {"tenant": viewer.tenant_id, **params})
        return list(cursor.fetchall())


def _entry(row: tuple[Any, ...]) -> Entry:
    seq, event_id, prev_hash, payload, event, own, is_there, *columns = row
    names = (
        "at", "actor_kind", "actor_id", "action", "object_type", "object_id", "classification", "salt",
        "reason", "detail",
    )  # fmt: skip
    return Entry(
        seq=seq, id=event_id, prev_hash=bytes(prev_hash), payload_hash=bytes(payload),
        event_hash=bytes(event), hash=bytes(own),
        event=Stored(**dict(zip(names, columns, strict=True))) if is_there else None,
    )  # fmt: skip


def first_since(since: datetime) -> int | None:
    """Return the seq of the first link whose event is of that moment or later, None for none."""
    seq: int | None = _ask(_SINCE, since=since)[0][0]
    return seq


def book_of(tenant_id: UUID) -> Book:
    """Return the tenant's checkpoints."""
    keys = tuple(bytes.fromhex(one) for one in settings.AUDIT_FORMER_KEYS)
    seed = _private_key(make=False)
    own = () if seed is None else (public_key(seed),)
    return Book(path=settings.AUDIT_DIR / f"{tenant_id}.jsonl", tenant_id=tenant_id, keys=(*own, *keys))


def public_key_in_force() -> bytes:
    """Return the public key by which checkpoints are signed now; one is made when there is none."""
    seed = _private_key(make=True)
    assert seed is not None
    return public_key(seed)


def _private_key(*, make: bool) -> bytes | None:
    if settings.AUDIT_KEY:
        return bytes.fromhex(settings.AUDIT_KEY)
    path = settings.AUDIT_KEY_FILE
    if make:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(os.urandom(32).hex())
    return bytes.fromhex(path.read_text()) if path.exists() else None


def verify(*, watch: Callable[[int], None] = lambda _seen: None) -> Report:
    """
    Walk the chain of the tenant in force from its beginning, beside its checkpoints, in constant memory.

    Reads at full clearance and tells nothing of what the events say. watch: called with the number of links
    seen, now and then.
    """
    tenant_id = tenant_in_force()
    book, fault = book_of(tenant_id), None
    marks: Iterator[Checkpoint] = iter(())
    try:
        book.check()
        marks = book.read()
    except BadCheckpoint as error:
        fault = str(error)
    with _whole_sight():
        report = walk(_watched(read_entries(), watch), tenant_id=tenant_id, checkpoints=marks)
        for (event_id,) in _ask(_UNCHAINED, most=MOST_TOLD):
            report.tell(None, "unchained", f"the event {event_id} has no place in the chain")
    if fault is not None:
        report.tell(None, "checkpoint", fault)
    return report


def verify_end() -> tuple[Report, Anchor, bool]:
    """
    Walk what came after the last checkpoint, or the last MOST_AT_ONCE links when there is none.

    Returns the report, where the walk began, and whether it came to the chain's end: at most MOST_AT_ONCE
    links are looked at.
    """
    tenant_id = tenant_in_force()
    try:
        last, fault = book_of(tenant_id).last()[0], None
    except BadCheckpoint as error:
        last, fault = None, str(error)
    with _whole_sight():
        tip = _tip()
        anchor = _anchor(last, tip)
        ending = tip <= anchor.seq + MOST_AT_ONCE
        entries = read_entries(after=anchor.seq, most=MOST_AT_ONCE)
        report = walk(entries, tenant_id=tenant_id, anchor=anchor)
        if last is not None:
            _compare(report, last, tip)
    if fault is not None:
        report.tell(None, "checkpoint", fault)
    return report, anchor, ending


def _anchor(last: Checkpoint | None, tip: int) -> Anchor:
    if last is not None:
        return Anchor(seq=last.seq, hash=last.hash)
    return Anchor(seq=tip - MOST_AT_ONCE, hash=None) if tip > MOST_AT_ONCE else Anchor()


def _compare(report: Report, last: Checkpoint, tip: int) -> None:
    """Tell that the chain is not the one which the last checkpoint knows."""
    if tip < last.seq:
        report.tell(
            tip + 1, "cut", f"the checkpoint of {last.at.isoformat()} knows of events up to {last.seq}"
        )
        return
    [(known,)] = _ask(_LINK, seq=last.seq) or [(b"",)]
    if bytes(known) == last.hash:
        report.checkpoints += 1
    else:
        report.tell(
            last.seq, "rewritten", f"the checkpoint of {last.at.isoformat()} knows another event here"
        )


def write_checkpoints(*, now: datetime) -> int:
    """
    Sign what was appended since the last checkpoint of the tenant in force; return how many links that are.

    Raises ChainBroken, and BadCheckpoint for a file that was changed: then nothing is signed.
    """
    book = book_of(tenant_in_force())
    seed = _private_key(make=True)
    assert seed is not None
    signed = 0
    with _whole_sight(), book.held():
        book.check()
        while True:
            covered = _sign_next(book_of(book.tenant_id), seed, now)
            signed += covered
            if covered < MOST_AT_ONCE:
                return signed


def _sign_next(book: Book, seed: bytes, now: datetime) -> int:
    """Verify and sign the next links, MOST_AT_ONCE at most; return how many."""
    last, line = book.last()
    anchor = Anchor(seq=last.seq, hash=last.hash) if last else Anchor()
    marks = bytearray()

    def marked(entries: Iterator[Entry]) -> Iterator[Entry]:
        for entry in entries:
            marks.extend(entry.hash[:MARK_BYTES])
            yield entry

    entries = marked(read_entries(after=anchor.seq, most=MOST_AT_ONCE))
    report = walk(entries, tenant_id=book.tenant_id, anchor=anchor)
    if last is not None:
        _compare(report, last, _tip())
    if report.broken:
        raise ChainBroken(ChainBroken.__doc__)
    if report.events:
        covered = Covered(first=anchor.seq + 1, seq=report.seq, hash=report.hash, marks=bytes(marks))
        book.write(seed, covered, former=line, at=now)
    return report.events


def _tip() -> int:
    rows = _ask(_TIP)
    return int(rows[0][0]) if rows else 0


def _whole_sight() -> AbstractContextManager[Viewer]:
    """Read at full clearance, for a walk that tells no content."""
    return tenant_scope(pipeline_viewer(tenant_in_force(), actor_id="audit"))


def _watched(entries: Iterator[Entry], watch: Callable[[int], None]) -> Iterator[Entry]:
    for seen, entry in enumerate(entries, start=1):
        if seen % PROGRESS_EVERY == 0:
            watch(seen)
        yield entry
