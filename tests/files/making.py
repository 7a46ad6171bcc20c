"""Make files of each kind, small and real: what a reader gets from outside."""

import io
import zipfile
from collections.abc import Mapping, Sequence

import docx

LINE_HEIGHT = 14


def make_pdf(
    pages: Sequence[Sequence[str]], *, title: str = "", more: Mapping[int, bytes] | None = None
) -> bytes:
    """
    Return a PDF whose pages have these lines, in any script: a font of glyph numbers with a table to Unicode.

    more: further objects, by number.
    """
    signs = {
        sign: number for number, sign in enumerate(sorted({s for p in pages for line in p for s in line}), 1)
    }
    kids = " ".join(f"{10 + 2 * at} 0 R" for at in range(len(pages)))
    objects: dict[int, bytes] = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>".encode(),
        3: b"<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/Identity-H/DescendantFonts[4 0 R]"
        b"/ToUnicode 5 0 R>>",
        4: b"<</Type/Font/Subtype/CIDFontType2/BaseFont/Any/CIDSystemInfo"
        b"<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500>>",
        5: _stream(_to_unicode(signs)),
        6: f"<</Title<feff{title.encode('utf-16-be').hex()}>>>".encode(),
    }
    for at, lines in enumerate(pages):
        objects[10 + 2 * at] = (
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {11 + 2 * at} 0 R"
            "/Resources<</Font<</F 3 0 R>>>>>>"
        ).encode()
        objects[11 + 2 * at] = _stream(_shown(lines, signs))
    return _put_together(objects | dict(more or {}))


def _shown(lines: Sequence[str], signs: Mapping[str, int]) -> bytes:
    shown = "".join(f"<{''.join(f'{signs[s]:04x}' for s in line)}>Tj 0 -{LINE_HEIGHT} Td " for line in lines)
    return f"BT /F 10 Tf 50 800 Td {shown}ET".encode()


def _to_unicode(signs: Mapping[str, int]) -> bytes:
    table = [f"<{number:04x}> <{sign.encode('utf-16-be').hex()}>" for sign, number in signs.items()]
    blocks = [table[start : start + 100] for start in range(0, len(table), 100)]
    lines = [line for block in blocks for line in (f"{len(block)} beginbfchar", *block, "endbfchar")]
    head = ["/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def"]
    span = ["1 begincodespacerange <0000> <ffff> endcodespacerange"]
    return "\n".join([*head, *span, *lines, "endcmap end end"]).encode()


def _stream(data: bytes, extra: str = "") -> bytes:
    return f"<</Length {len(data)}{extra}>>stream\n".encode() + data + b"\nendstream"


def _put_together(objects: Mapping[int, bytes]) -> bytes:
    out, places = bytearray(b"%PDF-1.7\n"), {}
    for number in sorted(objects):
        places[number] = len(out)
        out += f"{number} 0 obj\n".encode() + objects[number] + b"\nendobj\n"
    start, size = len(out), max(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n".encode()
    for number in range(1, size):
        out += f"{places[number]:010d} 00000 n \n".encode() if number in places else b"0000000000 00000 f \n"
    return bytes(out) + f"trailer<</Size {size}/Root 1 0 R/Info 6 0 R>>\nstartxref\n{start}\n%%EOF".encode()


def make_docx(
    blocks: Sequence[tuple[str, str]], *, title: str = "", rows: Sequence[Sequence[str]] = ()
) -> bytes:
    """Return a Word document of (style, text), and a table after them."""
    word = docx.Document()
    for style, text in blocks:
        word.add_paragraph(text, style=style)
    if rows:
        table = word.add_table(len(rows), len(rows[0]))
        for at, row in enumerate(rows):
            for place, text in enumerate(row):
                table.cell(at, place).text = text
    word.core_properties.title = title
    out = io.BytesIO()
    word.save(out)
    return out.getvalue()


def with_main_part(document: bytes, main: bytes) -> bytes:
    """Return a Word document with another main part."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(document)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, main if name == "word/document.xml" else old.read(name))
    return out.getvalue()
