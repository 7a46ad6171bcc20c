"""
Signed checkpoints of the audit chains: lines of JSON in files outside the database (SPEC S-03).

Each line carries the hash of the line before it, so that the last line's signature stands for all of them.

# Note [Counted checkpoints]
A file that is missing, empty or shorter than it was would look like one that was never written. So the chain
counts: behind each line, an event with its number and hash is appended. First the line is on disk, then the
event is committed. Killed in between there is one line more than was counted, which is no break (it is signed
like every other), and the next writer counts it. Killed while the line is written its rest is cut off by the
next writer. There is never an event without its line, unless somebody took the line away.
"""

import fcntl
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from security.audit.chain import Checkpoint, Count, joined
from security.audit.ed25519 import is_signed, public_key, sign

FORM: Final = "candor-checkpoint-1"


LONGEST_LINE: Final = 256 * 1024
"""Bytes; one with the marks of 10 000 links has some 54 000."""


class BadCheckpoint(ValueError):
    """A file of checkpoints is not what was signed. Compare it with the copy that is kept elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """What a new checkpoint covers."""

    first: int
    seq: int
    hash: bytes  #: of the link `seq`
    marks: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """A tenant's file of checkpoints."""

    path: Path
    tenant_id: UUID
    keys: tuple[bytes, ...]  #: public keys that are trusted; the file's last line is by one of them

    def lines(self) -> Iterator[bytes]:
        """Yield the lines without their ends, but for one whose writing was cut short."""
        if self.path.exists():
            with self.path.open("rb") as file:
                yield from (line[:-1] for line in file if line.endswith(b"\n"))

    def read(self) -> Iterator[Checkpoint]:
        """Yield the checkpoints in order; `check` looks whether they are what was signed."""
        for line in self.lines():
            yield parse(line)

    def last(self) -> tuple[Checkpoint | None, bytes]:
        """
        Return the last checkpoint and its line, having read that line only. Raises BadCheckpoint.

        It stands for those before it: whether they are still what it stands for is looked at by `check`.
        """
        line = self._last_line()
        try:
            found = parse(line) if line else None
        except (ValueError, KeyError, TypeError) as error:
            raise BadCheckpoint("the last line is no checkpoint") from error
        if found is not None and not (found.tenant_id == self.tenant_id and self._is_ours(line, found)):
            raise BadCheckpoint("the last line is signed by no key that is trusted")
        return found, line

    def _last_line(self) -> bytes:
        if not self.path.exists():
            return b""
        with self.path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - LONGEST_LINE))
            whole, _, _torn = file.read().rpartition(b"\n")
            return whole.rpartition(b"\n")[2]

    def _whole_bytes(self) -> int:
        """Return where the last whole line ends: what follows was cut short by a crash."""
        return sum(len(line) + 1 for line in self.lines())

    def check(self) -> int:
        """
        Return how many lines there are. Each has to follow the one before, and the last one to be signed.

        Raises BadCheckpoint.
        """
        former, found, number = b"", None, 0
        for number, line in enumerate(self.lines(), start=1):
            try:
                fields, one = json.loads(line), parse(line)
            except (ValueError, KeyError, TypeError) as error:
                raise BadCheckpoint(f"line {number} is no checkpoint") from error
            follows = (found.seq if found else 0) + 1
            if (
                fields["former"] != digest_of(former)
                or one.first != follows
                or one.tenant_id != self.tenant_id
            ):
                raise BadCheckpoint(f"line {number} does not follow the one before")
            former, found = line, one
        self.last()
        return number

    def _is_ours(self, line: bytes, one: Checkpoint) -> bool:
        fields = json.loads(line)
        return one.key in self.keys and is_signed(one.key, _message(fields), one.signature)

    def write(self, seed: bytes, covered: Covered, *, former: bytes, at: datetime) -> None:
        """Add a checkpoint behind the line `former`, on disk before this returns. Call it inside `held`."""
        fields = {
            "form": FORM, "tenant": str(self.tenant_id), "first": covered.first, "seq": covered.seq,
            "hash": covered.hash.hex(), "marks": b64encode(covered.marks).decode(), "at": at.isoformat(),
            "former": digest_of(former), "key": public_key(seed).hex(),
        }  # fmt: skip
        line = json.dumps({**fields, "signature": sign(seed, _message(fields)).hex()}).encode() + b"\n"
        is_new = not self.path.exists()
        with self.path.open("ab") as file:
            file.truncate(self._whole_bytes())
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            _sync_folder(self.path.parent)

    def set_aside(self) -> None:
        """Rename what is left of a file whose checkpoints were given up. Call it inside `held`."""
        if self.path.exists():
            number = 1
            while (aside := self.path.with_suffix(f".given-up-{number}")).exists():
                number += 1
            self.path.rename(aside)
            _sync_folder(self.path.parent)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let nobody else on this machine write checkpoints of the tenant for the time of the block."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.with_suffix(".lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


class Tally:
    """The lines of a book beside what the chain counted, count by count; see Note [Counted checkpoints]."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._begin()
        self.given_up = 0  #: checkpoints that were counted before the last restart

    def _begin(self) -> None:
        self._lines, self._read = self._book.lines(), 0
        self._counted = 0
        self._missing: tuple[Count, Count] | None = None  #: the first and the last one
        self._other: Count | None = None  #: the first one that is another line than was written

    def take(self, count: Count) -> None:
        """Take the next count; the numbers go up until a restart."""
        if count.restart:
            given_up = self.given_up + self._counted
            self._begin()
            self.given_up = given_up
            return
        self._counted += 1
        line = self._line(count.number)
        if line is None:
            self._missing = (self._missing[0] if self._missing else count, count)
        elif count.digest not in ("", digest_of(line)) and self._other is None:
            self._other = count

    def _line(self, number: int) -> bytes | None:
        """Return a line that is not before the last one asked for; read again when it may be new."""
        for fresh in (False, True):
            if fresh or self._read >= number:
                self._lines, self._read = self._book.lines(), 0
            for line in self._lines:
                self._read += 1
                if self._read == number:
                    return line
        return None

    def faults(self) -> Iterator[tuple[int, str]]:
        """Yield what does not agree: the seq of the link that counted it, and in words."""
        if self._other is not None:
            yield self._other.seq, f"line {self._other.number} is not the checkpoint that was written there"
        if self._missing is not None:
            first, last = self._missing
            which = f"{first.number} was" if first == last else f"{first.number} to {last.number} were"
            state = "has fewer" if self._book.path.exists() else "is gone"
            yield first.seq, f"the chain says that checkpoint {which} written, and the file {state}"


def _sync_folder(folder: Path) -> None:
    """Have a new or renamed file's name on disk, too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def digest_of(line: bytes) -> str:
    """Return a line's SHA-256, hexadecimal; empty for no line."""
    return sha256(line).hexdigest() if line else ""


ORDER: Final[Sequence[str]] = ("form", "tenant", "first", "seq", "hash", "marks", "at", "former", "key")
"""The fields that are signed, in this order."""


def _message(fields: dict[str, Any]) -> bytes:
    return joined(*(str(fields[name]) for name in ORDER))


def parse(line: bytes) -> Checkpoint:
    """Return a line as a checkpoint. Raises ValueError, KeyError, TypeError for what is none."""
    fields = json.loads(line)
    if fields["form"] != FORM:
        raise ValueError("another form")
    return Checkpoint(
        tenant_id=UUID(fields["tenant"]),
        first=int(fields["first"]),
        seq=int(fields["seq"]),
        hash=bytes.fromhex(fields["hash"]),
        marks=b64decode(fields["marks"], validate=True),
        at=datetime.fromisoformat(fields["at"]),
        key=bytes.fromhex(fields["key"]),
        signature=bytes.fromhex(fields["signature"]),
    )
