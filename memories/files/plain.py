"""Read plain text and Markdown, in whatever encoding they are. Pure."""

import codecs

from charset_normalizer import from_bytes

from memories.files.kinds import MARKDOWN, UnreadableFile
from memories.files.sections import first_heading


def read_plain(data: bytes, kind: str) -> tuple[str, str]:
    """Return text and title; plain text has no title. Raises UnreadableFile."""
    text = decode(data).replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    return text, first_heading(text) if kind == MARKDOWN else ""


def decode(data: bytes) -> str:
    """
    Return the characters of a text: UTF-8, UTF-16 with its mark, else as the bytes look.

    Raises UnreadableFile.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        found = from_bytes(data).best()
    if found is None:
        raise UnreadableFile("The text is in no encoding that could be told. Save it as UTF-8 and send that.")
    return str(found)
