"""Read a Word document: headings as Markdown writes them, paragraphs, items, tables row by row."""

import zipfile
from collections.abc import Iterator
from io import BytesIO
from typing import Final

import docx
from docx.document import Document as Word
from docx.opc.exceptions import PackageNotFoundError
from docx.table import Table
from docx.text.paragraph import Paragraph
from lxml.etree import LxmlError

from memories.files.kinds import UnreadableFile
from memories.files.limits import TOO_MUCH, FileLimits, count_out

_BROKEN: Final = (
    "The file is no Word document that can be read. Open it, save it as .docx anew and send that."
)
_MAIN: Final = "word/document.xml"


def read_docx(data: bytes, limits: FileLimits) -> tuple[str, str]:
    """Return text and title. Raises UnreadableFile."""
    _look_inside(data, limits)
    try:
        word = docx.Document(BytesIO(data))
        text = "\n".join(count_out(_blocks(word), limits, of="document"))
        title = str(word.core_properties.title or "").strip()
    except UnreadableFile:
        raise
    except (PackageNotFoundError, LxmlError, KeyError, ValueError, TypeError, AttributeError) as error:
        raise UnreadableFile(_BROKEN) from error
    return text.strip(), title


def _look_inside(data: bytes, limits: FileLimits) -> None:
    """Look at the zip's directory before anything is unpacked. Raises UnreadableFile."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as packed:
            entries = packed.infolist()
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise UnreadableFile(_BROKEN) from error
    if len(entries) > limits.entries or sum(one.file_size for one in entries) > limits.inflated_bytes:
        raise UnreadableFile(TOO_MUCH.format(what="room"))
    if _MAIN not in {one.filename for one in entries}:
        raise UnreadableFile(
            "The file is a zip and no Word document. Send the files that are in it by themselves."
        )


def _blocks(word: Word) -> Iterator[str]:
    for block in word.iter_inner_content():
        yield _paragraph(block) if isinstance(block, Paragraph) else _table(block)


def _paragraph(block: Paragraph) -> str:
    text = block.text.strip()
    # The names of built-in styles are English in the file, whatever language Word shows them in.
    style = (block.style.name if block.style is not None else "") or ""
    if not text:
        return ""
    if style.startswith("Heading ") and style[8:].isdigit():
        return f"\n{'#' * min(6, int(style[8:]))} {text}\n"
    if style == "Title":
        return f"\n# {text}\n"
    return f"- {text}" if style.startswith("List") else f"{text}\n"


def _table(block: Table) -> str:
    """Return a table's rows; cells that were merged are told once."""
    rows = []
    for row in block.rows:
        cells = {id(cell._tc): " ".join(cell.text.split()) for cell in row.cells}
        rows.append(" | ".join(one for one in cells.values() if one))
    return "\n" + "\n".join(rows) + "\n"
