"""
Find instructions in disguise, in the five forms of SPEC W-06.

False authority, role self-declaration, comments that hide instructions, false priority in time, encoded
payload. A form alone is no attack: papers are cited, people are administrators, rules are replaced, keys
are Base64. Each form needs its demand on the reader beside it.
"""

from collections.abc import Iterator

from security.screening.disguise_patterns import (
    AUTHORITY,
    COMMENT_MARKS,
    DEMAND,
    HIDDEN_ELEMENT,
    KNOWN_LITERATURE,
    PRIORITY,
    ROLE,
)
from security.screening.encodings import find_encoded, rewritings
from security.screening.injection import find_instructions
from security.screening.skeleton import plain
from security.screening.verdict import Outcome, Verdict

Found = tuple[str, tuple[int, int]]


def detect_disguise(text: str) -> Iterator[Verdict]:
    """Yield a verdict to quarantine for each of the five forms found, at its first place."""
    read = plain(text)
    for find in (_find_authority, _find_role, _find_comment, _find_priority, _find_payload):
        found = find(read)
        if found is not None:
            reason, span = found
            yield Verdict(
                detector="disguise",
                outcome=Outcome.QUARANTINE,
                reason=reason,
                span=span if read == text else None,
            )


def _find_authority(text: str) -> Found | None:
    for match in AUTHORITY.finditer(text):
        source = (match["source"] or match["law"] or match["law_zh"] or "").lower()
        if not any(known in source for known in KNOWN_LITERATURE):
            return "false authority: an unknown source makes demands on the reader", match.span()
    return None


def _find_role(text: str) -> Found | None:
    match = ROLE.search(text)
    return ("role self-declaration: poses as the system or its master", match.span()) if match else None


def _find_priority(text: str) -> Found | None:
    match = PRIORITY.search(text)
    return ("false priority in time: the newest is to override all else", match.span()) if match else None


def _find_comment(text: str) -> Found | None:
    for hidden, span in _hidden_parts(text):
        if _makes_demands(hidden):
            return "a comment or hidden element with instructions", span
    return None


def _hidden_parts(text: str) -> Iterator[Found]:
    """Yield what stands in comments and invisible elements, with its place."""
    for opening, closing in COMMENT_MARKS:
        start = text.find(opening)
        while start >= 0 and (end := text.find(closing, start + len(opening))) >= 0:
            yield text[start + len(opening) : end], (start, end + len(closing))
            start = text.find(opening, end)
    if "<" in text:
        for match in HIDDEN_ELEMENT.finditer(text):
            yield match["hidden"], match.span()


def _find_payload(text: str) -> Found | None:
    """Find instructions behind an encoding; code that hides none is left alone."""
    for name, span, hidden in find_encoded(text):
        if _makes_demands(hidden):
            return f"encoded payload: instructions written in {name}", span
    for name, hidden in rewritings(text):
        if any(find_instructions(hidden)) and not any(find_instructions(text)):
            return f"encoded payload: instructions written in {name}", (0, len(text))
    return None


def _makes_demands(hidden: str) -> bool:
    return bool(DEMAND.search(hidden)) or any(find_instructions(hidden, addressed=False))
