"""
Read a PDF: its text page by page, without what stands at the edge of most pages, its lines joined again.

# Note [Lines are joined]
A PDF knows where letters stand and no paragraphs. A line that reaches as far as most lines of its page goes
on in the next; one that stops short ends there, be it a heading, an item or a paragraph's last. A hyphen at
the end of a line before a small letter is taken out. Between two signs of a script that writes no blanks goes
none.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Final

from pypdf import PdfReader
from pypdf.errors import PyPdfError

from memories.files.kinds import UnreadableFile
from memories.files.limits import FileLimits, count_out

FULL: Final = 0.8
"""Share of the page's usual line that a line has which goes on in the next. Ours: hyphenation and ragged
setting keep lines above it, a paragraph's last line is shorter seven times in ten."""

EDGE_LINES: Final = 2
MOST_PAGES_SHARE: Final = 0.5
FEWEST_PAGES: Final = 4
"""A line among the first or last two of over half of four pages or more is a running head or page number."""

_ENDS: Final = ".!?:;。！？：；…"


def read_pdf(data: bytes, limits: FileLimits) -> tuple[str, str]:
    """Return text and title. Raises UnreadableFile."""
    try:
        reader = PdfReader(BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableFile("The PDF is protected by a password. Take that off and send it again.")
        if len(reader.pages) > limits.pages:
            raise UnreadableFile(
                f"The PDF has {len(reader.pages)} pages; at most {limits.pages} are read. Split it."
            )
        pages = list(_page_lines(reader, limits))
        title = str((reader.metadata and reader.metadata.title) or "").strip()
    except UnreadableFile:
        raise
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise UnreadableFile("The PDF is broken. Open it, print it to a new PDF and send that.") from error
    text = "\n\n".join(join_lines(page) for page in without_edges(pages) if page)
    if not text.strip():
        raise UnreadableFile(
            "There is no text in the PDF: its pages are pictures. Run text recognition first."
        )
    return text, title


def _page_lines(reader: PdfReader, limits: FileLimits) -> Iterator[list[str]]:
    for text in count_out((page.extract_text() for page in reader.pages), limits, of="PDF"):
        yield [" ".join(line.split()) for line in text.split("\n")]


def without_edges(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the pages' lines without what stands at the edge of most of them; digits count as alike."""
    trimmed = [_trim(page) for page in pages]
    if len(pages) < FEWEST_PAGES:
        return trimmed
    seen = Counter(form for page in trimmed for form in {_form(line) for line in _edges(page)})
    often = {form for form, count in seen.items() if count > MOST_PAGES_SHARE * len(pages)}
    return [_cut(page, often) for page in trimmed]


def _trim(page: Sequence[str]) -> list[str]:
    lines = list(page)
    while lines and not lines[-1]:
        lines.pop()
    start = next((at for at, line in enumerate(lines) if line), len(lines))
    return lines[start:]


def _edges(page: Sequence[str]) -> Sequence[str]:
    return [*page[:EDGE_LINES], *page[max(EDGE_LINES, len(page) - EDGE_LINES) :]]


def _form(line: str) -> str:
    return "".join("0" if one.isdigit() else one for one in line)


def _cut(page: Sequence[str], often: set[str]) -> list[str]:
    last = len(page) - EDGE_LINES
    return [
        line for at, line in enumerate(page) if not ((at < EDGE_LINES or at >= last) and _form(line) in often)
    ]


def join_lines(lines: Sequence[str]) -> str:
    """Return a page's lines as paragraphs: see Note [Lines are joined]."""
    widths = sorted(len(line) for line in lines if line)
    usual = widths[int(0.8 * (len(widths) - 1))] if widths else 0
    text = ""
    goes_on = False
    for line in lines:
        text = _append(text, line, goes_on=goes_on and bool(line))
        goes_on = _goes_on(line, usual)
    return text.strip()


def _goes_on(line: str, usual: int) -> bool:
    if line.endswith("-") and line[-2:-1].isalpha():
        return True
    return len(line) >= (usual if line.endswith(tuple(_ENDS)) else FULL * usual) and bool(line)


def _append(text: str, line: str, *, goes_on: bool) -> str:
    if not text or not goes_on:
        return f"{text}\n{line}" if text else line
    if text.endswith("-") and line[:1].islower() and text[-2:-1].isalpha():
        return text[:-1] + line
    return text + line if _writes_no_blanks(text[-1]) and _writes_no_blanks(line[0]) else f"{text} {line}"


def _writes_no_blanks(sign: str) -> bool:
    """Tell Chinese, Japanese and their punctuation, which stand without blanks between words."""
    return "\u3000" <= sign <= "\u30ff" or "\u3400" <= sign <= "\u9fff" or "\uff00" <= sign <= "\uff65"
