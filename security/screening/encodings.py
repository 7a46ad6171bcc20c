"""Undo encodings that hide text: Base64, Base32, Ascii85, hex, escapes, binary, Morse, turned letters."""

import base64
import binascii
import codecs
import html
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from security.patterns import bounded

SHORTEST_BASE64: Final = 24
"""Characters of the shortest run of Base64 or Base32 that is decoded: 18 and 15 bytes."""
SHORTEST_HEX: Final = 16
"""Bytes of the shortest run of hexadecimal that is decoded."""
PRINTABLE_SHARE: Final = 0.95
WORDY_SHARE: Final = 0.6
"""Printable characters, and letters with spaces, in what is worth reading once decoded."""

WHOLE_SHARE: Final = 0.75
"""Of decoded bytes what has to be readable before the first that is not: a word may stand behind the code."""

_BASE64: Final = bounded(rf"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{{{SHORTEST_BASE64},8000}}={{0,2}}")
_BASE32: Final = bounded(rf"(?<![A-Za-z0-9])[A-Z2-7]{{{SHORTEST_BASE64},8000}}={{0,6}}(?![A-Za-z0-9])")
_ASCII85: Final = bounded(r"<~[!-uz\s]{20,8000}?~>")
_HEX: Final = bounded(rf"(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{{2}}[ :]?){{{SHORTEST_HEX},4000}}(?![0-9A-Za-z])")
_ESCAPES: Final = bounded(
    r"(?:\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|%[0-9A-Fa-f]{2}|&#x?[0-9A-Fa-f]{2,6};){8,4000}"
)
_ESCAPE: Final = bounded(r"\\x([0-9A-Fa-f]{2})|\\u([0-9A-Fa-f]{4})")
_BINARY: Final = bounded(r"(?<!\d)(?:[01]{8}\s?){8,1000}(?!\d)")
_MORSE: Final = bounded(r"(?:[.\-–·]{1,5}[ /|]{1,3}){12,2000}[.\-–·]{1,5}")
_LEET: Final = str.maketrans("013457@$!", "oieastasi")
_HAS_LEET: Final = bounded(r"[A-Za-z][013457@$!][A-Za-z]")

_FLIPPED: Final = bounded("[ǝɐɹʇɥʎʌʍɔɯƃƖıʞɟ].{0,40}[ǝɐɹʇɥʎʌʍɔɯƃʞɟ]")
_UPRIGHT: Final = str.maketrans("ɐqɔpǝɟƃɓɥıᴉɾʞlɯuodbɹsʇnʌʍxʎz", "abcdefgghiijklmnopqrstuvwxyz")

_MORSE_CODES: Final = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. --"
    " -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."
)
_MORSE_LETTERS: Final = dict(zip(_MORSE_CODES.split(), "abcdefghijklmnopqrstuvwxyz", strict=True))


_CODE_AGAIN: Final = bounded(r"[A-Za-z0-9+/=_%&#;:,.\\\s-]{16,}+")
"""What may be a code in its turn, though it is not wordy."""


def find_encoded(text: str) -> Iterator[tuple[str, tuple[int, int], str]]:
    """Yield (encoding, place, hidden text) of each run of code that turns into readable text."""
    readers = (
        ("Base64", _BASE64, _read_base64),
        ("Base32", _BASE32, _read_base32),
        ("Ascii85", _ASCII85, _read_ascii85),
        ("hexadecimal", _HEX, _read_hex),
        ("escape sequences", _ESCAPES, _read_escapes),
        ("binary", _BINARY, _read_binary),
        ("Morse", _MORSE, _read_morse),
    )
    for name, pattern, reader in readers:
        for match in pattern.finditer(text):
            hidden = reader(match[0])
            if hidden and (is_readable(hidden) or _CODE_AGAIN.fullmatch(hidden)):
                yield name, match.span(), hidden


def rewritings(text: str) -> Iterator[tuple[str, str]]:
    """Yield (name, text) with letters shifted, turned round, or figures read as letters."""
    yield "ROT13", codecs.encode(text, "rot13")
    if _FLIPPED.search(text):
        yield "letters upside down", text.translate(_UPRIGHT)[::-1]
    yield "reversed letters", text[::-1]
    if _HAS_LEET.search(text):
        yield "figures for letters", text.translate(_LEET)


def is_readable(text: str) -> bool:
    """Say whether nearly all of a decoded text is printable, and letters and spaces make up most of it."""
    size = len(text)
    wordy = sum(char.isalpha() or char == " " for char in text)
    return size >= 8 and _is_printable(text) and wordy >= WORDY_SHARE * size


def _read_base64(run: str) -> str | None:
    bare = run.rstrip("=").replace("-", "+").replace("_", "/")
    if len(bare) % 4 == 1:  # cut off, or run together with what follows it
        bare = bare[:-1]
    try:
        return _as_text(base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True))
    except binascii.Error:
        return None


def _as_text(data: bytes) -> str | None:
    """Read bytes as UTF-8, a torn end left out; what is none, or has control characters, as UTF-16."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as torn:
        whole = torn.start >= WHOLE_SHARE * len(data)
        text = data[: torn.start].decode("utf-8") if whole else ""
    return text if _is_printable(text) else data.decode("utf-16-le", "ignore")


def _is_printable(text: str) -> bool:
    printable = sum(char.isprintable() or char in "\n\r\t" for char in text)
    return 0 < PRINTABLE_SHARE * len(text) <= printable


def _read_base32(run: str) -> str | None:
    bare = run.rstrip("=")
    try:
        return base64.b32decode(bare + "=" * (-len(bare) % 8)).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return None


def _read_ascii85(run: str) -> str | None:
    try:
        return base64.a85decode(run, adobe=True).decode("utf-8")
    except (ValueError, UnicodeDecodeError):
        return None


def _read_hex(run: str) -> str | None:
    digits = bounded(r"[ :]").sub("", run)
    try:
        return bytes.fromhex(digits[: len(digits) // 2 * 2]).decode("utf-8")
    except (ValueError, UnicodeDecodeError):
        return None


def _read_escapes(run: str) -> str:
    read = unquote(run) if "%" in run else run  # by bytes: a letter may have several
    return html.unescape(_ESCAPE.sub(lambda code: chr(int(code[1] or code[2], 16)), read))


def _read_binary(run: str) -> str | None:
    digits = bounded(r"\s").sub("", run)
    try:
        return bytes(int(digits[i : i + 8], 2) for i in range(0, len(digits) - 7, 8)).decode("utf-8")
    except UnicodeDecodeError:
        return None


def _read_morse(run: str) -> str:
    words = bounded(r"\s*[/|]\s*|\s{2,}").split(run.replace("–", "-").replace("·", "."))
    return " ".join("".join(_MORSE_LETTERS.get(code, "") for code in word.split()) for word in words)
