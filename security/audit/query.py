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

from security import audit
from security.audit.chain import (
    COUNTED,
    MARK_BYTES,
    MOST_TOLD,
    NO_SALT,
    RESTARTED,
    Anchor,
    Checkpoint,
    Count,
    Entry,
    Report,
    Stored,
    read_count,
    walk,
)
from security.audit.checkpoints import BadCheckpoint, Book, Covered, Tally, digest_of
from security.audit.ed25519 import public_key
from security.models import AuditEvent, AuditLink
from tenants.managers import page_of
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

_COUNTED: Final = """
SELECT l.seq, e.action, e.object_id, e.detail::text
FROM audit_event e JOIN audit_link l ON l.tenant_id = e.tenant_id AND l.id = e.id
WHERE e.tenant_id = %(tenant)s AND e.object_type = %(type)s AND e.action IN (%(counted)s, %(restarted)s)
ORDER BY e.object_id DESC LIMIT 1
"""

_TIP: Final = "SELECT seq FROM audit_link WHERE tenant_id = %(tenant)s ORDER BY seq DESC LIMIT 1"
_LINK: Final = "SELECT hash FROM audit_link WHERE tenant_id = %(tenant)s AND seq = %(seq)s"


BOOK: Final = "checkpoints"
"""The object type of what the chain records of its file of checkpoints."""


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
        rows = page_of(rows, by="at", after=after)
        found = list(rows[:most])
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
    seed = private_key(make=False)
    own = () if seed is None else (public_key(seed),)
    return Book(path=settings.AUDIT_DIR / f"{tenant_id}.jsonl", tenant_id=tenant_id, keys=(*own, *keys))


def public_key_in_force() -> bytes:
    """Return the public key by which checkpoints are signed now; one is made when there is none."""
    seed = private_key(make=True)
    assert seed is not None
    return public_key(seed)


def private_key(*, make: bool) -> bytes | None:
    """Return the 32 bytes that sign checkpoints; None: there is none yet. make: then make one."""
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
    tally = Tally(book)
    try:
        book.check()
        marks = book.read()
    except BadCheckpoint as error:
        fault = str(error)
    with _whole_sight():
        entries = _counting(_watched(read_entries(), watch), tally)
        report = walk(entries, tenant_id=tenant_id, checkpoints=marks)
        for (event_id,) in _ask(_UNCHAINED, most=MOST_TOLD):
            report.tell(None, "unchained", f"the event {event_id} has no place in the chain")
    _tell_book(report, tally, fault)
    return report


def _counting(entries: Iterator[Entry], tally: Tally) -> Iterator[Entry]:
    """Hand on the entries, and to the tally what they record of the file of checkpoints."""
    for entry in entries:
        event = entry.event
        count = event and read_count(entry.seq, event.action, event.object_id, event.detail)
        if count:
            tally.take(count)
        yield entry


def _tell_book(report: Report, tally: Tally, fault: str | None) -> None:
    """Tell what is wrong with the file of checkpoints."""
    if fault is not None:
        report.tell(None, "checkpoint", fault)
    for seq, what in tally.faults():
        report.tell(seq, "checkpoint", what)
    report.given_up = tally.given_up


def _tally_last(book: Book) -> tuple[Tally, Count | None]:
    """Hold the book to the last count alone: its line stands for all those before it."""
    tally, last = Tally(book), _last_count()
    if last is not None:
        tally.take(last)
    return tally, last


def _last_count() -> Count | None:
    rows = _ask(_COUNTED, type=BOOK, counted=COUNTED, restarted=RESTARTED)
    return read_count(*rows[0]) if rows else None


def verify_end() -> tuple[Report, Anchor, bool]:
    """
    Walk what came after the last checkpoint, or the last MOST_AT_ONCE links when there is none.

    Returns the report, where the walk began, and whether it came to the chain's end: at most MOST_AT_ONCE
    links are looked at.
    """
    tenant_id = tenant_in_force()
    book = book_of(tenant_id)
    try:
        last, fault = book.last()[0], None
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
        tally, _ = _tally_last(book)
    _tell_book(report, tally, fault)
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

    Each is counted in the chain; a chain that grew by such counts alone is not signed anew. See Note [Counted
    checkpoints]. Raises ChainBroken, and BadCheckpoint for a file that was changed or lost: then nothing is
    signed.
    """
    seed = private_key(make=True)
    assert seed is not None
    book, signed = book_of(tenant_in_force()), 0
    with _whole_sight(), book.held():
        number = book.check()
        tally, last = _tally_last(book)
        for _seq, what in tally.faults():
            raise BadCheckpoint(what)
        if number > (last.number if last else 0):  # of before checkpoints were counted, or of a crash
            _count(book, number, last, now)
        while covered := _sign_next(book, seed, now):
            signed, number = signed + covered, number + 1
            _count(book, number, last, now)
            if covered < MOST_AT_ONCE:
                break
    return signed


def restart_checkpoints(*, reason: str, now: datetime) -> None:
    """
    Give up the checkpoints of the tenant in force that were lost, for good; the trail keeps the reason.

    What is left of the file is renamed, and the next checkpoint covers the chain from its beginning.
    """
    book = book_of(tenant_in_force())
    with _whole_sight(), book.held():
        last = _last_count()
        count = Count(seq=0, series=last.series + 1 if last else 1, number=0, digest="", restart=True)
        # First the event: killed in between, the old file is a longer one than was counted, and is signed.
        with unit_of_work():
            audit.append(RESTARTED, object_type=BOOK, object_id=count.name, now=now, reason=reason)
        book.set_aside()


def _count(book: Book, number: int, last: Count | None, now: datetime) -> None:
    """Record in the chain that the file's last line was written."""
    line = book.last()[1]
    count = Count(
        seq=0, series=last.series if last else 0, number=number, digest=digest_of(line), restart=False
    )
    with unit_of_work():
        audit.append(COUNTED, object_type=BOOK, object_id=count.name, now=now, detail={"line": count.digest})


def _sign_next(book: Book, seed: bytes, now: datetime) -> int:
    """Verify and sign the next links, MOST_AT_ONCE at most; return how many, 0 for counts alone."""
    last, line = book.last()
    anchor = Anchor(seq=last.seq, hash=last.hash) if last else Anchor()
    marks, said = bytearray(), 0

    def marked(entries: Iterator[Entry]) -> Iterator[Entry]:
        nonlocal said
        for entry in entries:
            marks.extend(entry.hash[:MARK_BYTES])
            said += entry.event is None or entry.event.action != COUNTED
            yield entry

    entries = marked(read_entries(after=anchor.seq, most=MOST_AT_ONCE))
    report = walk(entries, tenant_id=book.tenant_id, anchor=anchor)
    if last is not None:
        _compare(report, last, _tip())
    if report.broken:
        raise ChainBroken(ChainBroken.__doc__)
    if said:
        covered = Covered(first=anchor.seq + 1, seq=report.seq, hash=report.hash, marks=bytes(marks))
        book.write(seed, covered, former=line, at=now)
    return report.events if said else 0


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
