"""The words by which a question bounds a time, looks back or ahead, or asks for nothing else."""

import re
from typing import Final

from security.patterns import bounded

_Sides = tuple[re.Pattern[str], re.Pattern[str]]


def _sides(before: str, behind: str) -> _Sides:
    return bounded(rf"(?:{before})$", re.IGNORECASE), bounded(behind, re.IGNORECASE)


_THE: Final = r"\s(?:the\s)?(?:end\sof\s)?"
SINCE: Final = _sides(
    rf"\b(?:ever\s)?(?:since|starting(?:\s(?:from|on|in))?){_THE}|自从?",
    (
        r"\s?(?:以来|至今|起(?!来)|onwards?\b|on\b(?=\s*[?,.]|\s*$))"
        r"|\s?(?:\b(?:until|till|to|through)\s(?:now|date|today|the\spresent)\b|[到至](?:现在|今天?|目前|如今))"
    ),
)
AFTER: Final = _sides(rf"\b(?:after|later\sthan|beyond){_THE}", r"(?:之后|以后|[后後](?!台|端|面|续))")
BEFORE: Final = _sides(rf"\b(?:before|prior\sto|earlier\sthan){_THE}", r"(?:之前|以前|前(?!端|台|面|提|后))")
UNTIL: Final = _sides(rf"\b(?:until|till|up\s(?:to|until)|by){_THE}|截[至止]到?|直到", r"为止")
"""Words before a time and behind it that make it the bound of a stretch."""

_MONTHS: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_HAN_NUMBER: Final = r"[\d一二三四五六七八九十]{1,3}"
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE: Final = (
    rf"(?:(?:the\s)?{_DAY}\s(?:of\s)?)?{_MONTHS}(?:\s(?:the\s)?{_DAY})?"
    rf"|{_HAN_NUMBER}月(?:份|{_HAN_NUMBER}[日号號]?)?"
)
BARE_DATE: Final = bounded(
    rf"(?:from\s)?(?:{_DATE})(?:\s?(?:to|until|till|through|and|[-–—~到至和])\s?(?:{_DATE}|{_DAY}))?",
    re.IGNORECASE,
)
"""A date or a month without its year, or a stretch between two."""
BARE_WEEKDAY: Final = bounded(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tue|wed|thu|fri|sat|sun)\.?|(?:周|週|星期|礼拜|禮拜)[一二三四五六日天]",
    re.IGNORECASE,
)

ABOUT_AGO: Final = bounded(
    r"(?:(?P<w>\b(?:week|fortnight)s?|[周週]|星期|礼拜|禮拜)|(?P<m>\bmonths?|[个個]?月)|(?P<y>\byears?|年))(?:\sago\b|(?:之|以)?前)",
    re.IGNORECASE,
)
"""«Two weeks ago», 三个月前: a day by reckoning, the time around it by meaning."""

_COUNT: Final = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|few|several|couple)"
)
UP_TO_NOW: Final = bounded(
    rf"(?:the\s)?(?:last|past)\s{_COUNT}\b|earlier\b|这几|近|最近|过去|過去", re.IGNORECASE
)
"""Stretches that run up to now, today in: «the last two weeks», «earlier this month», 最近三天."""

PARTS_OF_DAY: Final = tuple(
    (bounded(said, re.IGNORECASE), hours)
    for said, hours in (
        (r"凌晨|\bsmall\shours\b", (0, 6)),
        (r"\bmorning\b|早上|早晨|清晨|上午|[今昨前明]早", (5, 12)),
        (r"\b(?:noon|lunch(?:time)?)\b|中午|正午", (11, 14)),
        (r"\bafternoon\b|下午|午后", (12, 18)),
        (r"\bevening\b|傍晚", (17, 24)),
        (r"\b(?:to)?night\b|晚上|夜里|夜间|半夜|[今昨前明当]晚", (18, 30)),
    )
)
"""Words → first and last hour of that part of a day; a night ends in the next morning. Ours."""

PART_BEHIND: Final = bounded(r"\s?(?:in\sthe\s|at\s|的)?", re.IGNORECASE)
"""What may stand between a day and its part: «yesterday in the afternoon»."""

JOINED: Final = bounded(
    r",?\s?(?:\b(?:and|or|vs\.?|versus|than|with)\b|[,、和与跟或]|还是|跟|比)\s?(?:in\s|on\s|from\s|the\s|在)*",
    re.IGNORECASE,
)
"""What stands between two times that are both meant: «in April or in May»."""

WAS: Final = bounded(
    r"\b(?:did|didn't|was|wasn't|were|weren't|had|hadn't|used\sto|(?:has|have|['’]ve)\s(?:\w+\s){0,2}been)\b|[了过過]|曾|当时",
    re.IGNORECASE,
)
"""Signs that a question speaks of what was."""
PRESENT: Final = bounded(
    r"\b(?:is|are|am|isn't|aren't|do|does|don't|doesn't|can|(?:what|who|where|when|how|it|that|there)['’]s)\b|到期",
    re.IGNORECASE,
)
"""Signs that a question speaks of what is, unless something in it speaks of what was."""
NOWADAYS: Final = bounded(
    r"\b(?:now|currently|current|still|at\spresent|at\sthe\smoment|these\sdays|nowadays|any\s?more|yet|latest)\b"
    r"|现在|目前|当前|如今|仍|还[在是有没]|最新",
    re.IGNORECASE,
)
"""Words that ask for what holds now, whatever time is named beside them."""

CALENDAR_DAY: Final = bounded(
    rf"{_DAY}\s(?:of\s)?{_MONTHS}|{_MONTHS}\s(?:the\s)?{_DAY}|月{_HAN_NUMBER}[日号號]|\d[-/.]\d",
    re.IGNORECASE,
)
"""A day told by the calendar, as in the name of a letter or an invoice."""
CALENDAR: Final = bounded(rf"\d{{4}}|\b{_MONTHS}(?!\w)|月|{CALENDAR_DAY.pattern}", re.IGNORECASE)
"""Signs of a time told by the calendar's own names, which texts of that time are searched by too."""
NAME_OF: Final = _sides(r"\b(?:of|from|dated|for|named|called)\s(?:the\s)?", r"['’]s\b|的")
"""What makes such a day part of a name: «the invoice of 12 May», 5月12日的发票."""

_RESPELLED: Final = tuple(
    (bounded(said, re.IGNORECASE), instead)
    for said, instead in (
        (r"\b(last|past)\shour\b", r"\1 60 minutes"),
        (r"\b(last|past)\sminute\b", r"\1 60 seconds"),
        (r"\b(?:over|at|on|during)\sthe\sweekend\b", "last weekend"),
        (r"\b(?:a|the)\scouple\sof\s(?=(?:hour|day|week|month|year)s\b)", "two "),
        (r"(?:最近|过去|近)一?个?小时", "过去60分钟"),
        # These tell no time; left in, they would have the slow recogniser asked (10 ms, 0.4 s at first).
        (r"\bhow\s(?:long|many\s\w+)\sago\b", "when"),
        (r"\b(?:a\sfew|some|several|many)\s\w+\sago\b", "once"),
    )
)


def respelled(query: str) -> str:
    """Return the question with what the recogniser does not know put as it does."""
    for said, instead in _RESPELLED:
        query = said.sub(instead, query)
    return query


EMPTY_STEMS: Final = frozenset(
    """
    happen occur take took taken place go goe went chang new news tell told say said talk discuss mention show
    list give gave recap review summar summari summaris overview report remind recal rememb know knew learn
    learnt anyth everyth someth noth thing stuff event activ up all ani were get got work made make anyon
    everyon dure between within sinc until befor after around while back ago last past earlier pleas us
    """.split()  # noqa: SIM905
)
"""Stems, as `memories.language` cuts them, of words that ask for whatever there was: they name nothing."""

EMPTY_HAN: Final = bounded(
    r"发生|什么|哪些|哪里|事情|事件|事儿|情况|变化|改变|变动|我们?|咱们?|你们?|大家|做|干|说|聊|讨论|谈|学|知道|请|告诉"
    r"|总结|回顾|列出|列举|一下|怎么样|怎样|如何|从|自从|以来|期间|之间|里面|时候|这段|那段|时间|过|了|有|没|新|得|到|的|在|是"
    r"|都|些|吗|呢|吧|啊|何|啥|事|里|内|中|那|这|间|去|来|和|与|您|给|它|都|又|还"
)
"""The same in Chinese, longest first; what is left of a question without them names something."""
