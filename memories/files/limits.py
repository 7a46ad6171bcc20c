"""What one file may take. A file of more is a mistake or an attack, and says so to whoever sent it."""

from dataclasses import dataclass
from typing import Final


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
