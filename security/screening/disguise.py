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
from security.screening.encodings import rewritings
from security.screening.injection import find_instructions, find_orders
from security.screening.payloads import unescape, unwrap
from security.screening.skeleton import plain
from security.screening.verdict import ScreeningOutcome, ScreeningVerdict

Found = tuple[str, tuple[int, int]]


def detect_disguise(text: str) -> Iterator[ScreeningVerdict]:
    """Yield a verdict to quarantine for each of the five forms found, at its first place."""
    read = plain(text)
    for find in (_find_authority, _find_role, _find_comment, _find_priority, _find_payload):
        found = find(read)
        if found is not None:
            reason, span = found
            yield ScreeningVerdict(
                detector="disguise",
                outcome=ScreeningOutcome.QUARANTINE,
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
    """Find instructions behind an encoding, or several; code that hides none is left alone."""
    for layer in unwrap(text):
        place = _find_demand(layer.text)
        if place is not None:
            name, span = layer.origin(place)
            return f"encoded payload: instructions written in {name}", span
        for _, hidden in rewritings(layer.text):
            if any(find_instructions(hidden, addressed=False)):
                return f"encoded payload: instructions written in {layer.name}", layer.spans[0]
    return _find_rewritten(text)


def _find_rewritten(text: str) -> Found | None:
    """Find instructions in what stands there in other letters, as a whole."""
    whole = (0, len(text))
    unescaped = plain(unescape(text))
    if unescaped != text and _gives_orders(unescaped) and not _gives_orders(text):
        return "encoded payload: instructions written in escape sequences", whole
    for name, hidden in rewritings(text):
        if any(find_instructions(hidden)) and not any(find_instructions(text)):
            return f"encoded payload: instructions written in {name}", whole
    return None


def _gives_orders(text: str) -> bool:
    return any(find_instructions(text)) or any(find_orders(text))


def _makes_demands(hidden: str) -> bool:
    return _find_demand(hidden) is not None


def _find_demand(hidden: str) -> int | None:
    """Return where a hidden text makes a demand on its reader, or None."""
    demand = DEMAND.search(hidden)
    if demand:
        return demand.start()
    for find in (find_instructions, find_orders):
        for _, start, _ in find(hidden, addressed=False):
            return start
    return None
