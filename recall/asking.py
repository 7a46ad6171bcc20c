"""What kind of thing a question asks for, by its words: pure, English and Chinese."""

import re
from typing import Final

_VALUE: Final = re.compile(
    r"\bhow (?:many|much|long|often|old|big|large|far|high|fast|soon)\b"
    r"|\b(?:what|which)(?: \w+){0,2} (?:is|are)\b|\b(?:what|when|where|who)(?:'s| is| are)\b"
    r"|\bat what\b|\bby when\b"
    r"|多少|几(?!乎)|多(?:久|长|大|高|快|远)|什么时候|何时|是(?:什么|谁|哪)|在哪",
    re.IGNORECASE,
)
_PAST: Final = re.compile(
    r"\b(?:did|was|were|used to|originally|initially|at first|before|back then|in (?:19|20)\d\d)\b"
    r"|以前|原来|当时|最初|曾经|过去",
    re.IGNORECASE,
)


def asks_for_current_value(query: str) -> bool:
    """Tell whether a question wants how much, how many, when or what something is now, not what it was."""
    return _VALUE.search(query) is not None and _PAST.search(query) is None
