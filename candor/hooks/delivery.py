"""What is new in a transcript becomes captures: read on from the last hook's end, as far as time allows."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from candor import models
from candor.client import Candor
from candor.errors import BadRequest
from candor.hooks.state import SessionFile, save_session, write_note
from candor.hooks.turns import Turn, read_turn

MOST_TURNS: Final = 50
"""In a request: half of what the service takes, for its answer has to come within seconds."""
MOST_BYTES: Final = 262_144
"""Of texts in a request; the service takes a body of 1 MiB, unless it is set otherwise."""
LONGEST_LINE: Final = 4_194_304
"""Bytes; a longer line holds a picture or a file, and nobody's words."""
LONGEST_SESSION: Final = 200
_TAIL: Final = 64
_ABOUT_THE_TURN: Final = frozenset({"text", "clock"})
"""Fields whose fault stays with one turn: it is passed over. Any other fault is the set-up's, and waits."""


@dataclass
class Portion:
    """Turns that are sent in one request, and where in the file they stand."""

    captures: list[dict[str, Any]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)  #: of each turn's line
    end: int = 0  #: what lies before it is read
    is_last: bool = False  #: there is nothing whole behind it
    size: int = 0

    @property
    def is_full(self) -> bool:
        """Return whether it is time to send."""
        return len(self.captures) >= MOST_TURNS or self.size >= MOST_BYTES


@dataclass(frozen=True)
class Delivery:
    """How captures are sent, and until when."""

    client: Candor
    folder: Path  #: of the state
    project: str
    until: float  #: of `time.monotonic`: no request begins after it

    def bring_up_to_date(self, state: SessionFile) -> SessionFile:
        """Send what is new of a session, and return where it stands then. Raises nothing."""
        try:
            with Path(state.transcript).open("rb") as file:
                state = _checked(file, state)
                if file.seek(0, os.SEEK_END) > state.offset:
                    state = self._stands(replace(state, behind=True))  # in case that time runs out
                return self._send_from(file, state)
        except FileNotFoundError:
            return self._stands(replace(state, behind=False, failed=""))  # no transcript: nothing was said
        except Exception as error:  # noqa: BLE001 - it is noted, and tried again by the next hook
            why = f"{type(error).__name__}: {error}"
            write_note(self.folder, state.session[:12], why)
            return self._stands(replace(state, behind=True, failed=why[:200]))

    def _send_from(self, file: BinaryIO, state: SessionFile) -> SessionFile:
        while time.monotonic() < self.until:
            portion = read_portion(file, state, project=self.project, until=self.until)
            done, why = self._send(portion) if portion.captures else (portion.end, "")
            if why:
                write_note(self.folder, state.session[:12], why)
            behind = bool(why) or not portion.is_last
            state = self._stands(
                replace(state, offset=done, tail=_tail(file, done), behind=behind, failed=why[:200])
            )
            if portion.is_last or why:
                return state
        return self._stands(replace(state, behind=True))

    def _send(self, portion: Portion) -> tuple[int, str]:
        """Return up to where the turns are done with, and why not to the end."""
        for place, fault in self._faults(portion.captures):
            if _is_of_the_turn(fault):
                write_note(self.folder, "left out a turn:", fault.detail or fault.title)
                continue
            return portion.starts[place], f"{fault.status} {fault.title} {fault.detail}"
        return portion.end, ""

    def _faults(self, captures: Sequence[Mapping[str, Any]]) -> list[tuple[int, models.Problem]]:
        """Send; return what was not taken, by its place. A request that is too large is sent in halves."""
        try:
            answer = self.client.create_captures(captures)
        except BadRequest as error:
            half = len(captures) // 2
            if error.status != 413 or not half:
                raise
            later = [(half + place, fault) for place, fault in self._faults(captures[half:])]
            return [*self._faults(captures[:half]), *later]
        return [(one.index, one.problem) for one in answer.results if one.problem is not None]

    def _stands(self, state: SessionFile) -> SessionFile:
        try:
            save_session(self.folder, state)
        except OSError as error:  # a full disk: the next hook sends it again, under the same keys
            write_note(self.folder, state.session[:12], f"not noted: {error}")
        return state


def read_portion(file: BinaryIO, state: SessionFile, *, project: str, until: float) -> Portion:
    """Read on from where the session stands, until there is enough to send, the end, or no time left."""
    portion = Portion(end=state.offset)
    file.seek(state.offset)
    while not portion.is_full and time.monotonic() < until:
        line = file.readline(LONGEST_LINE)
        if not line:
            portion.is_last = True
            return portion
        start, portion.end = portion.end, portion.end + len(line)
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            portion.end += _skip_line(file)
            continue
        is_whole = line.endswith(b"\n")
        try:
            turn = read_turn(line) if b'"role"' in line or not is_whole else None
        except ValueError:
            if is_whole:
                continue  # whole, and no JSON: nobody will mend it
            portion.end, portion.is_last = start, True  # torn: it is being written
            return portion
        if turn is not None and not _is_old(turn, state):
            portion.captures.append(_capture(turn, line, start, state.session, project))
            portion.starts.append(start)
            portion.size += len(turn.text.encode())
    return portion


def _skip_line(file: BinaryIO) -> int:
    """Read over the rest of a line; return its bytes."""
    skipped = 0
    while rest := file.readline(LONGEST_LINE):
        skipped += len(rest)
        if rest.endswith(b"\n"):
            break
    return skipped


def _is_old(turn: Turn, state: SessionFile) -> bool:
    return turn.said_at is not None and turn.said_at < datetime.fromisoformat(state.since)


def _capture(turn: Turn, line: bytes, start: int, session: str, project: str) -> dict[str, Any]:
    """Return what is sent. The key is of the session and the entry's name, else of its place and bytes."""
    whose = turn.session or session
    own = turn.uuid.encode() if turn.uuid else str(start).encode() + b":" + line.rstrip()
    made: dict[str, Any] = {
        "text": turn.text,
        "role": turn.role,
        "session": whose[:LONGEST_SESSION],
        "idempotency_key": sha256(b"hook\0" + whose.encode() + b"\0" + own).hexdigest(),
    }
    if project:
        made["project"] = project
    if turn.said_at is not None:
        made["clock"] = turn.said_at.isoformat()
    if zone := local_zone():
        made["timezone"] = zone
    return made


def local_zone() -> str:
    """Return this machine's time zone by its IANA name, empty where that is not known."""
    named = os.environ.get("TZ", "").removeprefix(":")
    if not named:
        try:
            named = str(Path("/etc/localtime").readlink()).partition("zoneinfo/")[2]
        except OSError:
            return ""
    try:
        return ZoneInfo(named).key if "/" in named else ""
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ""


def _is_of_the_turn(fault: models.Problem) -> bool:
    """Return whether it would be refused at any other time, too, and the others would not."""
    if fault.status == 422:  # its key stands for another request: it was sent, with another set-up
        return True
    named = {one.field for one in fault.errors or ()}
    return fault.status == 400 and bool(named) and named <= _ABOUT_THE_TURN


def _checked(file: BinaryIO, state: SessionFile) -> SessionFile:
    """Return the state at the beginning, where the file is not the one that was read before."""
    if state.offset and _tail(file, state.offset) != state.tail:
        return replace(state, offset=0, tail="")
    return state


def _tail(file: BinaryIO, offset: int) -> str:
    """Return a digest of the bytes before an offset; of too few where the file is shorter."""
    start = max(0, offset - _TAIL)
    file.seek(start)
    return sha256(file.read(offset - start)).hexdigest()[:32]
