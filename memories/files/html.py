"""Read HTML: what a reader of the page sees, headings as Markdown writes them."""

from collections.abc import Iterator
from typing import Final

from lxml import etree, html

from memories.files.kinds import UnreadableFile
from memories.files.limits import FileLimits, count_out
from memories.files.plain import decode

HIDDEN: Final = frozenset(
    {"script", "style", "template", "noscript", "head", "svg", "math", "object", "iframe", "select", "button",
     "nav", "form", "canvas", "audio", "video"}
)  # fmt: skip
"""Elements without a word of the text: what is shown to nobody, what is pressed, ways to other pages."""

BLOCKS: Final = frozenset(
    {"address", "article", "aside", "blockquote", "body", "dd", "div", "dl", "dt", "fieldset", "figcaption",
     "figure", "footer", "header", "hr", "main", "ol", "p", "pre", "section", "table", "tbody", "thead", "ul"}
)  # fmt: skip
_HEADINGS: Final = {f"h{level}": "#" * level for level in range(1, 7)}
_UNSEEN: Final = ("display:none", "visibility:hidden")


def read_html(data: bytes, limits: FileLimits) -> tuple[str, str]:
    """Return text and title. Raises UnreadableFile."""
    try:
        page = html.document_fromstring(_as_text(data))
    except (etree.LxmlError, ValueError, AssertionError) as error:
        raise UnreadableFile("The HTML cannot be read. Send its text.") from error
    text = "".join(count_out(_pieces(page), limits, of="page"))
    title = page.findtext(".//title") or page.findtext(".//h1") or ""
    return _tidy(text), " ".join(title.split())


def _as_text(data: bytes) -> str | bytes:
    """Return UTF-8 as text; else the bytes, for which the page's own word on its encoding counts."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data if b"charset" in data[:2_048].lower() else decode(data)
    # lxml refuses a text that says in which encoding it is.
    return text.encode() if text.lstrip().startswith("<?xml") else text


def _pieces(page: html.HtmlElement) -> Iterator[str]:
    """Yield what is seen, in order. Walks without recursion, however deep the page is."""
    walker = etree.iterwalk(page, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        if event == "start" and _is_hidden(element):
            walker.skip_subtree()
        elif event == "start":
            yield _before(element) + _flat(element, element.text)
        else:  # the end of an element, hidden or not; or a comment
            if event == "end" and not _is_hidden(element):
                yield _after(element)
            yield _flat(element.getparent(), element.tail)


def _is_hidden(element: html.HtmlElement) -> bool:
    style = "".join((element.get("style") or "").lower().split())
    return element.tag in HIDDEN or element.get("hidden") is not None or any(one in style for one in _UNSEEN)


def _before(element: html.HtmlElement) -> str:
    if element.tag in _HEADINGS:
        return f"\n\n{_HEADINGS[element.tag]} "
    return {"li": "\n- ", "br": "\n", "tr": "\n"}.get(element.tag, "\n\n" if element.tag in BLOCKS else "")


def _after(element: html.HtmlElement) -> str:
    if element.tag in ("td", "th"):
        return " | "
    return "\n\n" if element.tag in BLOCKS or element.tag in _HEADINGS else ""


def _flat(inside: html.HtmlElement | None, text: str | None) -> str:
    """Return a text with its blanks as the page shows them; line breaks count in `pre` alone."""
    if not text:
        return ""
    if inside is not None and inside.tag in ("pre", "textarea"):
        return text
    flat = " ".join(text.split())
    return f"{' ' if text[0].isspace() else ''}{flat}{' ' if flat and text[-1].isspace() else ''}"


def _tidy(text: str) -> str:
    """Return the text with single blanks, rows without their last bar, one empty line between paragraphs."""
    lines = [
        line.strip().removesuffix(" |").strip(" ").removesuffix("|").strip() for line in text.split("\n")
    ]
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(" ".join(line.split()) if "  " in line else line)
    return "\n".join(kept).strip()
