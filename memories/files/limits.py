"""What one file may take. A file of more is a mistake or an attack, and says so to whoever sent it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from memories.files.kinds import UnreadableFile


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLimits:
    """Limits of one file; ours. A 300-page manual takes less than half of each."""

    characters: int = 2_000_000  #: of its text
    pages: int = 3_000
    inflated_bytes: int = 100_000_000  #: of all that is packed in it
    entries: int = 5_000  #: files in a zip
    memory_bytes: int = 1_500_000_000  #: address space of the process that reads it
    cpu_seconds: int = 90
    seconds: int = 120  #: by the clock


TOO_MUCH: Final = "Reading it takes more {what} than a file may. Split it, or send its text."


def count_out(parts: Iterable[str], limits: FileLimits, *, of: str) -> Iterator[str]:
    """Yield the parts of a text until it is too long; of: what it is of. Raises UnreadableFile."""
    left = limits.characters
    for part in parts:
        left -= len(part)
        if left < 0:
            raise UnreadableFile(f"The {of} has over {limits.characters} characters of text. Split it.")
        yield part
