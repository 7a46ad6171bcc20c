"""
Read a file in a process of its own.

# Note [A file is read apart]
Files come from outside, and what reads them is large: a few kilobytes may ask for all memory or for hours,
and a fault in a reader may be somebody's way in. So a process reads one file and ends. It has limits of
memory, time and output, may write no file, and knows nothing of the service: no address, no key, no
connection.
"""

import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from memories.files.kinds import UnreadableFile
from memories.files.limits import TOO_MUCH, FileLimits

_ROOT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFile:
    """What a file says."""

    text: str
    title: str  #: that it gives itself; empty: none


def read_file(media_type: str, data: bytes, limits: FileLimits) -> ReadFile:
    """
    Return a file's text, with headings as Markdown writes them, and its title.

    See Note [A file is read apart].

    Raises UnreadableFile with what to do; OSError when no process can be started.
    """
    order = json.dumps({"media_type": media_type, "limits": asdict(limits)}).encode() + b"\n"
    try:
        done = subprocess.run(
            [sys.executable, "-m", "memories.files"], input=order + data, capture_output=True, check=False,
            cwd=_ROOT, env={"LANG": "C.UTF-8"}, timeout=limits.seconds, start_new_session=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise UnreadableFile(TOO_MUCH.format(what="time")) from None
    told = _answer(done.stdout) if done.returncode == 0 else {}
    if not told:
        # Killed by its limit of time or, where memory ends inside a library, by that.
        raise UnreadableFile(TOO_MUCH.format(what="time or memory"))
    if "refused" in told:
        raise UnreadableFile(told["refused"])
    return ReadFile(text=told["text"], title=told["title"])


def _answer(said: bytes) -> dict[str, str]:
    try:
        found: dict[str, str] = json.loads(said)
    except ValueError:
        return {}
    return found
