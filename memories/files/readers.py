"""Each kind of file and who reads it."""

from memories.files.docx import read_docx
from memories.files.html import read_html
from memories.files.kinds import DOCX, HTML, PDF, UnreadableFile
from memories.files.limits import FileLimits
from memories.files.pdf import read_pdf
from memories.files.plain import read_plain

_READERS = {PDF: read_pdf, DOCX: read_docx, HTML: read_html}


def read(media_type: str, data: bytes, limits: FileLimits) -> tuple[str, str]:
    """Return the text of a file and the title that it gives itself, or none. Raises UnreadableFile."""
    reader = _READERS.get(media_type)
    text, title = reader(data, limits) if reader else read_plain(data, media_type)
    if len(text) > limits.characters:
        raise UnreadableFile(f"The text has over {limits.characters} characters. Split it.")
    if not text.strip():
        raise UnreadableFile("There is no text in the file.")
    # Half a pair of UTF-16 and NUL stand in no text that can be stored.
    return text.encode("utf-8", "replace").decode().replace("\x00", ""), title.replace("\x00", "")
