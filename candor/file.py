"""A file that is sent: its name and its bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import WithJsonSchema


@dataclass(frozen=True)
class File:
    """A file to upload; `File.at("handbook.pdf")` reads one from the disk."""

    name: str  #: tells the service Markdown from plain text, and is the title of what says no better one
    content: bytes = field(repr=False)

    @classmethod
    def at(cls, path: Path | str) -> File:
        """Return the file of a path. Raises OSError."""
        place = Path(path)
        return cls(place.name, place.read_bytes())


FormFile = Annotated[File, WithJsonSchema({"type": "string", "format": "binary"})]
"""A file as a field of a form."""
