"""What kind of thing a question asks for, by its words: pure, English and Chinese."""

import re
from typing import Final

from memories.language import word_set
from security.patterns import bounded

_VALUE: Final = bounded(
    r"\bhow (?:many|much|long|often|old|big|large|far|high|fast|soon)\b"
    r"|\b(?:what|which)(?: \w+){0,2} (?:is|are)\b|\b(?:what|when|where|who)(?:'s| is| are)\b"
    r"|\bat what\b|\bby when\b"
    r"|多少|几(?!乎)|多(?:久|长|大|高|快|远)|什么时候|何时|是(?:什么|谁|哪)|在哪",
    re.IGNORECASE,
)
_PAST: Final = bounded(
    r"\b(?:did|was|were|used to|originally|initially|at first|before|back then|in (?:19|20)\d\d)\b"
    r"|以前|原来|当时|最初|曾经|过去",
    re.IGNORECASE,
)


_FEW: Final = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_NUMBER: Final = rf"([0-9]+(,[0-9]{{3}})*k?|{_FEW})"
_CLASSIFIER: Final = "[个名位条篇本间次台家座张只所辆件项份]"
_MANY: Final = bounded(
    r"\bhow many (?P<more>(?:[a-z][\w-]* ){0,3}?)(?P<noun>[a-z][\w-]*[^\Wsu]s|people|men|women|children)\b"
    r"(?:.*?\bas (?:an? |the |my |our )?(?P<other>[a-z][\w-]*[^\Wsu]s)\b)?",
    re.IGNORECASE,
)
"""«How many side projects …»; «… women … as mentees» counts either."""
_MANY_ZH: Final = bounded(
    rf"(?:多少|几){_CLASSIFIER}?(?P<noun>[\u4e00-\u9fff]{{2,4}}?)(?=[在是了的吗呢]|[?？,，。]|$)"
)
_SPANS: Final = word_set(
    "seconds minutes hours days weeks months quarters years times 分钟 小时 星期 个月 月"
)
"""What measures time is no thing that is counted: two spans with one unit are of different things."""
_LINKS: Final = word_set("of the my our your his her their total different")


OURS: Final = r"\m(i|we|my|our|mine|ours)\M|我|咱|俺"
"""What somebody says who speaks of their own affairs, for PostgreSQL, whatever the case."""


def asks_for_current_value(query: str) -> bool:
    """Tell whether a question wants how much, how many, when or what something is now, not what it was."""
    return _VALUE.search(query) is not None and _PAST.search(query) is None


def counted(query: str) -> tuple[str, ...] | None:
    """
    Return patterns that a text fits, each of them, if it counts what a question asks the number of.

    Of «how many side projects do I have» such a text counts projects («12 projects», «the number of projects
    is now 12») and has the word «side». None if the question asks for no number of things. For PostgreSQL and
    Python alike, to be matched whatever the case; the query's words stand in them as plain letters.
    """
    if (asked := _MANY_ZH.search(query)) and asked["noun"] not in _SPANS:
        noun = asked["noun"]
        return (f"[0-9] ?{_CLASSIFIER}?{noun}|{noun}[^。！？]{{0,12}}(到|为|是|有|达)了? ?[0-9]",)
    asked = _MANY.search(query)
    if asked is None or asked["noun"].casefold() in _SPANS:
        return None
    more = [word for word in asked["more"].casefold().split() if word not in _LINKS]
    nouns = "|".join(
        bounded("s$").sub("s?", noun.casefold()) for noun in asked.group("noun", "other") if noun
    )
    between = "|".join(sorted(_LINKS | set(more)))
    return (
        rf"(^|[^\w.]){_NUMBER}( ({between}|\w+'s))* ({nouns})([^\w-]|$)"
        rf"|(^|\W)({nouns})([^\w-][^.;!?]{{0,80}})? "
        rf"(to|at|is|are|now|reach|reached|reaches|hit|hits|total|totals|totalled) {_NUMBER}(\W|$)",
        *more,
    )
