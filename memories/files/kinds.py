"""Tell what kind a file is of, by its first bytes rather than by what it is called. Pure."""

import codecs
from typing import Final

PLAIN: Final = "text/plain"
MARKDOWN: Final = "text/markdown"
HTML: Final = "text/html"
PDF: Final = "application/pdf"
DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

TEXT_TYPES: Final = (PLAIN, MARKDOWN)
"""Those whose text is the file."""
MEDIA_TYPES: Final = (*TEXT_TYPES, HTML, PDF, DOCX)

_KNOWN: Final = "Send a PDF, a Word document (.docx), HTML, Markdown or plain text."
_HEAD: Final = 1_024
"""Bytes that are looked at. A PDF may begin within so many (ISO 32000-1, annex H, implementation note 13)."""

_HTML_STARTS: Final = (b"<!doctype html", b"<html", b"<head", b"<body")
_OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_UTF_16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class UnreadableFile(ValueError):
    """The file cannot be read; the message says to a person why, and what to do."""


def kind_of(data: bytes, *, name: str = "") -> str:
    """
    Return the media type of a file, one of `MEDIA_TYPES`. name: tells Markdown from plain text.

    What is inside a zip is looked at when it is read. Raises UnreadableFile.
    """
    head = data[:_HEAD]
    if not head.strip():
        raise UnreadableFile("The file is empty.")
    if b"%PDF-" in head:
        return PDF
    if head.startswith(b"PK\x03\x04"):
        return DOCX
    if head.startswith(_OLD_OFFICE):
        raise UnreadableFile("This is a Word file of before 2007. Save it as .docx and send that.")
    if not head.startswith(_UTF_16) and b"\x00" in head:
        raise UnreadableFile(f"The file is of no kind that is read here. {_KNOWN}")
    return _kind_of_text(head, name.lower())


def _kind_of_text(head: bytes, name: str) -> str:
    start = head.removeprefix(codecs.BOM_UTF8).lstrip().lower()
    if start.startswith(_HTML_STARTS) or (
        name.endswith((".html", ".htm", ".xhtml")) and start.startswith(b"<")
    ):
        return HTML
    return MARKDOWN if name.endswith((".md", ".markdown")) else PLAIN
