"""
Make a memory's text safe to stand in a prompt: it stays readable and can do nothing (SPEC C-02). No Django.

Three steps in this order, for each could hide the next one's prey: what is invisible goes, what somebody's
renderer or template would act on is broken up, what would be read as markup is escaped.
"""

import re
from typing import Final

from security.patterns import bounded

_ESCAPES: Final = bounded(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x9b[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"  # OSC, DCS: titles, links
    r"|\x1b[ -/]*[0-Z\\^-~]"
)
"""Terminal sequences (ECMA-48), whole; an unfinished one loses its ESC with the other controls."""

_INVISIBLE: Final = bounded(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls but tab and line feed
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # formats, bidi
    "\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff"  # surrogates, private use, no characters
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff"  # tags, selectors, private use
    "]|[\u200c\u200d\ufe00-\ufe0f]{2,}"  # one joiner or selector is honest emoji or Persian; a run is a code
)
"""What a reader does not see and a model does."""

_TEMPLATE_MARKS: Final = bounded(
    r"\[(/?(?:INST|SYS|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|AVAILABLE_TOOLS|THINK|IMG|IMG_BREAK|"
    r"IMG_END|PREFIX|MIDDLE|SUFFIX))\]"
)
"""Special tokens that some chat templates write in brackets (Mistral's tokenizers, v1 to v13). All the others
that are in use begin with «<», which is escaped."""

_LINK_JOINTS: Final = bounded(r"\](?=[(\[:])")
_SCHEMES: Final = bounded(r"htt(ps?://)", re.IGNORECASE)  # Chinese has no blank before it
_OTHER_ADDRESSES: Final = bounded(
    r"(?<![A-Za-z0-9])(www|ftp|data|javascript|vbscript|file)([.:])(?=\S)", re.IGNORECASE
)

TRUSTED_ORIGINS: Final = frozenset({"user_correction", "user_stated"})
"""Origins whose links are kept: people's own words. All others can carry a stranger's (SPEC M-08)."""


def disarm(text: str, *, origin: str) -> str:
    """
    Return the text without what acts unseen; not yet escaped.

    origin: the memory's provenance. Lines after the first are indented by two blanks and empty ones dropped,
    so that none looks like a turn of the conversation. Nothing of a plain one-line text changes.
    """
    lines = (_visible(line) for line in _ESCAPES.sub("", text).splitlines())
    one = "\n  ".join(line for line in lines if line)
    return _without_links(_TEMPLATE_MARKS.sub(r"(\1)", one), origin=origin)


def _visible(line: str) -> str:
    return _INVISIBLE.sub("", line).rstrip()


def _without_links(text: str, *, origin: str) -> str:
    """
    Return the text with its images, and with its links when a stranger may have written them, taken apart.

    Everything stays legible: `![a](https://b)` becomes `! [a] (hxxps://b)`, which no renderer loads or links.
    An image is loaded without a click, and what the address carries is gone with it.
    """
    text = text.replace("![", "! [")
    if origin in TRUSTED_ORIGINS:
        return text
    text = _LINK_JOINTS.sub("] ", text)
    return _OTHER_ADDRESSES.sub(r"\1[\2]", _SCHEMES.sub(r"hxx\1", text))


_MARKUP: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_IN_QUOTES: Final = _MARKUP | str.maketrans({'"': "&quot;", "\n": " ", "\t": " "})


def escape(text: str) -> str:
    """Return the text as it may stand between tags: it opens and closes none, no special token survives."""
    return text.translate(_MARKUP)


def escape_attribute(text: str) -> str:
    """Return the text as it may stand between double quotes in a tag."""
    return text.translate(_IN_QUOTES)
