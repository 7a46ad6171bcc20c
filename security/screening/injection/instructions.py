"""
Find plain instructions to whoever reads the memory later (SPEC W-06).

«Ignore previous instructions» is an attack when it is said to the reader, and a report when somebody else
said it: «the attacker wrote …», «how do I stop …». So a pattern counts where it opens a clause, outside a
quotation, and no word of reporting or defending stands before it in its sentence.
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final

from security.patterns import bounded
from security.screening.injection.claims import CLAIMS, CLAIMS_ZH
from security.screening.injection.languages import ELSEWHERE
from security.screening.injection.orders import find_orders
from security.screening.injection.patterns import CHINESE, ENGLISH, Order
from security.screening.skeleton import join_spaced, plain
from security.screening.verdict import ScreeningOutcome, ScreeningVerdict

ORDERS: Final[tuple[Order, ...]] = ENGLISH + CLAIMS + ELSEWHERE + CHINESE + CLAIMS_ZH
"""All orders. The Chinese ones are not asked to open a clause (their script has no words to see that by)."""

_OPENS_CLAUSE: Final = bounded(
    r"(?:^|[.!?:;,>\])}*#\n\"'—–-]|\b(?:please|now|and|then|just|kindly|so|but|first|also|instead|simply|immediately|to"
    r"|(?:from\s+now\s+on|henceforth|starting\s+now),?"
    r"|you\s+(?:must|should|will|need\s+to|have\s+to|are\s+to|can|shall|may)|let's|must|should|always"
    r"|i\s+(?:want|need|order|command|would\s+like|ask|urge)\s+you\s+to|(?:can|could|would|will)\s+you(?:\s+please)?"
    r"|task\s+is\s+to))\s*$",
    re.IGNORECASE,
)
_REPORTED: Final = bounded(
    r"\b(?:how|what\s+(?:happens|if|does)|why|attack\w*|hacker\w*|adversar\w*|phish\w*|inject\w*|malicious"
    r"|jailbreak\w*\s+(?:attempt|prompt)s?|says?|said|wrote|writes?|written|told|tells?|asked\s+(?:it|the)|tried|trying"
    r"|attempt\w*|contain\w*|reads?|phrases?|strings?|patterns?|keywords?|detect\w*|block\w*|filter\w*|prevent\w*"
    r"|protect\w*|stop\w*|avoid\w*|refus\w*|example|e\.g|such\s+as|like|called|titled|named|include[sd]?|including"
    r"|instructs?|convince[sd]?|trick(?:s|ed)?)\b"
    r"|如何|怎么|攻击|黑客|注入|说|写|诱导|企图|试图|包含|检测|防止|拦截|拒绝|例如|比如|引用|提到",
    re.IGNORECASE,
)
_QUOTED: Final = bounded(
    r"\w\W{0,3}\s[\"'`「『]\s*$|(?<!执行)(?<!遵守)(?<!遵循)(?<!服从)[\u4e00-\u9fff][:：，,]?[\"'「『]$"
)
_SENTENCE_BREAK: Final = bounded(r"[.!?。！？\n]")
REACH: Final = 160
"""How far before a find its sentence is read, in characters."""


def detect_injection(text: str) -> Iterator[ScreeningVerdict]:
    """Yield a verdict to quarantine for each kind of instruction to the reader, at its first place."""
    read = join_spaced(plain(text))
    seen: set[str] = set()
    for reason, start, end in chain(find_instructions(read), find_orders(read)):
        if reason not in seen:
            seen.add(reason)
            span = (start, end) if read == text else None
            yield ScreeningVerdict(
                detector="injection", outcome=ScreeningOutcome.QUARANTINE, reason=reason, span=span
            )


def find_instructions(text: str, *, addressed: bool = True) -> Iterator[tuple[str, int, int]]:
    """
    Yield (reason, start, end) for each kind of order in a plain text, at its first place.

    addressed: leave out those that are only reported. Text that was hidden is not granted that.
    """
    lowered = text.lower()
    for order in ORDERS:
        if any(needle in lowered for needle in order.needles):
            for match in order.pattern.finditer(text):
                if not addressed or _is_addressed(order, text, match.start()):
                    yield order.reason, *match.span()
                    break


def _is_addressed(order: Order, text: str, start: int) -> bool:
    """Say whether what begins here is said to the reader: it opens a clause and is not reported."""
    before = _sentence_before(text, start)
    if _REPORTED.search(before) or _QUOTED.search(before):
        return False
    if not order.courteous:
        return True
    return bool(_OPENS_CLAUSE.search(before[-60:]))


def _sentence_before(text: str, start: int) -> str:
    """Return what stands before a place in its sentence."""
    before = text[max(0, start - REACH) : start]
    breaks = [match.end() for match in _SENTENCE_BREAK.finditer(before)]
    return before[breaks[-1] :] if breaks else before
