"""
What hooks remember between two starts: how far each session's transcript is sent, and what failed.

The folder is `hooks` in `$XDG_STATE_HOME/candor` (else `~/.local/state/candor`), or in what CANDOR_STATE
names. A file for each session, and a log; all for their owner's eyes only. No text of a conversation and no
key stands in them. They may be lost: what was sent is known by its idempotency keys.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from pathlib import Path
from typing import Final

from candor.profiles import FOLDER_MODE

MOST_SESSIONS: Final = 500
LONGEST_LOG: Final = 100_000
"""Bytes; a longer log loses its older half."""
LONGEST_NOTE: Final = 300
KEYS_LAST: Final = timedelta(hours=23)
"""
For how long the service surely knows an idempotency key; it keeps them for 24 hours. Where nothing is known
of a session, older turns may have been sent before, and are left alone, so that nothing is doubled.
"""


@dataclass(frozen=True)
class SessionFile:
    """Where a session's hooks stand."""

    session: str
    transcript: str = ""
    offset: int = 0  #: bytes of the transcript that are done with
    tail: str = ""  #: a digest of the bytes before it: another one means another file
    scope: str = ""  #: a digest of whose it is: address, profile, person, project, agent
    behind: bool = False  #: something was said that was not sent yet
    told_out: bool = False  #: the agent knows that memory is out
    failed: str = ""  #: why it is behind
    since: str = ""  #: what was said before this moment is not sent; see `KEYS_LAST`


def state_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Return where the files are, or would be."""
    if named := environment.get("CANDOR_STATE"):
        return Path(named) / "hooks"
    home = environment.get("XDG_STATE_HOME") or str(
        Path(environment.get("HOME", "~")).expanduser() / ".local" / "state"
    )
    return Path(home) / "candor" / "hooks"


def load_session(folder: Path, session: str) -> SessionFile:
    """Return where a session stands: at the beginning where nothing can be read."""
    since = (datetime.now(timezone.utc) - KEYS_LAST).isoformat()
    return _load(_path(folder, session)) or SessionFile(session, since=since)


def save_session(folder: Path, state: SessionFile) -> None:
    """Write where a session stands, whole or not at all. Raises OSError."""
    write_whole(_path(folder, state.session), json.dumps(asdict(state)))


def all_sessions(folder: Path) -> Iterator[SessionFile]:
    """Yield the sessions, the latest first."""
    for path in _session_paths(folder):
        state = _load(path)
        if state is not None:
            yield state


def drop_old_sessions(folder: Path) -> None:
    """Remove what is left of the oldest sessions, where there are too many."""
    for path in _session_paths(folder)[MOST_SESSIONS:]:
        with suppress(OSError):
            path.unlink()


def write_note(folder: Path, *words: str) -> None:
    """Add a line to the log. Raises nothing: a log that cannot be written is no reason to fail."""
    line = " ".join(" ".join(words).split())[:LONGEST_NOTE]
    path = folder / "hooks.log"
    with suppress(OSError):
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(handle, "ab") as file:
            file.write(f"{datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ} {line}\n".encode())
        if path.stat().st_size > LONGEST_LOG:
            kept = path.read_bytes()[-LONGEST_LOG // 2 :]
            write_whole(path, kept.partition(b"\n")[2].decode("utf-8", "replace"))


def last_notes(folder: Path, most: int = 5) -> list[str]:
    """Return the log's last lines, oldest first."""
    try:
        return (folder / "hooks.log").read_text("utf-8", "replace").split("\n")[:-1][-most:]
    except OSError:
        return []


def write_whole(path: Path, text: str, *, mode: int = 0o600) -> None:
    """Put a text in a file's place at once, so that nobody reads a part of it. Raises OSError."""
    path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".candor-")  # made with mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _path(folder: Path, session: str) -> Path:
    return folder / f"{sha256(session.encode()).hexdigest()[:32]}.json"


def _session_paths(folder: Path) -> list[Path]:
    found: list[tuple[float, Path]] = []
    with suppress(OSError):
        for path in folder.glob("*.json"):
            with suppress(OSError):  # another hook may just have removed it
                found.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(found, reverse=True)]


def _load(path: Path) -> SessionFile | None:
    try:
        held = json.loads(path.read_text("utf-8"))
        datetime.fromisoformat(held["since"])
        return SessionFile(
            session=str(held["session"]), transcript=str(held["transcript"]),
            offset=max(0, int(held["offset"])), tail=str(held["tail"]), scope=str(held["scope"]),
            behind=bool(held["behind"]),
            told_out=bool(held["told_out"]), failed=str(held["failed"]), since=str(held["since"]),
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError):
        return None
