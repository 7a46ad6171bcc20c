"""
Signed checkpoints of the audit chains: lines of JSON in files outside the database (SPEC S-03).

Each line carries the hash of the line before it, so that the last line's signature stands for all of them.
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

from security.chain import Checkpoint, joined
from security.ed25519 import is_signed, public_key, sign

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

    def check(self) -> None:
        """Look whether each line follows the one before and the last one is signed. Raises BadCheckpoint."""
        former, found = b"", None
        for number, line in enumerate(self.lines(), start=1):
            try:
                fields, one = json.loads(line), parse(line)
            except (ValueError, KeyError, TypeError) as error:
                raise BadCheckpoint(f"line {number} is no checkpoint") from error
            follows = (found.seq if found else 0) + 1
            if fields["former"] != _digest(former) or one.first != follows or one.tenant_id != self.tenant_id:
                raise BadCheckpoint(f"line {number} does not follow the one before")
            former, found = line, one
        self.last()

    def _is_ours(self, line: bytes, one: Checkpoint) -> bool:
        fields = json.loads(line)
        return one.key in self.keys and is_signed(one.key, _message(fields), one.signature)

    def write(self, seed: bytes, covered: Covered, *, former: bytes, at: datetime) -> None:
        """Add a checkpoint behind the line `former`, on disk before this returns. Call it inside `held`."""
        fields = {
            "form": FORM, "tenant": str(self.tenant_id), "first": covered.first, "seq": covered.seq,
            "hash": covered.hash.hex(), "marks": b64encode(covered.marks).decode(), "at": at.isoformat(),
            "former": _digest(former), "key": public_key(seed).hex(),
        }  # fmt: skip
        line = json.dumps({**fields, "signature": sign(seed, _message(fields)).hex()}).encode() + b"\n"
        with self.path.open("ab") as file:
            file.truncate(self._whole_bytes())
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let nobody else on this machine write checkpoints of the tenant for the time of the block."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.with_suffix(".lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _digest(line: bytes) -> str:
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
