"""Files that people hand in: of what kind they are, and their text, read in a process with limits (M-11)."""

from memories.files.kinds import (
    DOCX,
    HTML,
    MARKDOWN,
    MEDIA_TYPES,
    PDF,
    PLAIN,
    TEXT_TYPES,
    UnreadableFile,
    kind_of,
)
from memories.files.limits import FileLimits
from memories.files.reader_process import ReadFile, read_file
from memories.files.sections import Sections, find_sections

__all__ = [
    "DOCX",
    "HTML",
    "MARKDOWN",
    "MEDIA_TYPES",
    "PDF",
    "PLAIN",
    "TEXT_TYPES",
    "FileLimits",
    "ReadFile",
    "Sections",
    "UnreadableFile",
    "find_sections",
    "kind_of",
    "read_file",
]
