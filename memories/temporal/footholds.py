"""
Tell a time from a foothold: words that help to say when, but are not when.

In «Hanukkah last year» the year is known and the day is not; «after 2018» and 2018年之后 say when it was not.
Such a mention keeps its meaning in the text and dates nothing (`dated` is False). The rules see the words
right before and behind a mention; a phrase that is read whole has none of them left.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from memories.temporal.english import LAST_OR_NEXT, WEEKDAY_FORMS
from memories.temporal.mention import Placed
from security.patterns import bounded

_UNITS: Final = r"(?:day|night|week|week-?end|fortnight|month|quarter|year|decade|century)"
_ORDINAL: Final = (
    r"(?:first|second|third|fourth|fifth|last|next|final|\d{1,2}(?:st|nd|rd|th)|[a-z]+(?:teen|tie)th)"
)
_FEAST_HEADS: Final = r"(?:festival|feast|fast|eve|puja|jayanti|purnima|new\syear|carnival|solstice|equinox)"
_FEASTS_OF_OTHER_CALENDARS: Final = (
    r"(?:c?hanukk?ah?|passover|pesach|purim|rosh\shashana?h?|yom\s\w+|sukk?oth?|shavuo[ts]|simc?hat\storah"
    r"|tu\sbishvat|tisha\sb'?av|lag\sba'?omer|ramadh?an|eid(?:[\s-](?:al|ul)[\s-]\w+)?|ashura|muharram|mawlid"
    r"|laylat\s\S+|isra\s\S+\smi'?raj|diwali|deepavali|holi|dussehra|vijayadashami|navara?tri|durga\spuja"
    r"|ganesh\schaturthi|raksha\sbandhan|janmashtami|onam|pongal|ugadi|lohri|vaisakhi|maha\sshivaratri"
    r"|vesak|songkran|losar|now?ruz|kwanzaa|orthodox\s\w+)"
)
"""Feasts of calendars that are not computed here: the Jewish, Muslim, Hindu, Buddhist and Persian ones."""
_NO_NAME: Final = (
    r"(?!(?:every|each|all|one|an?|the|that|this|some|any|per|by|to|other|another|first|last|next|same|whole|half"
    r"|working|business|good|bad|great|and|or|of|no|single|full|previous|following|very|present|modern|what"
    r"|which|our|my|his|her|their|your)\s)"
)
_UNPLACED: Final = bounded(
    rf"(?:\b(?:{_FEAST_HEADS}|{_FEASTS_OF_OTHER_CALENDARS})(?:\sday)?|\b{_NO_NAME}[a-z][\w'’.-]+\sday)"
    r"(?:['’]s)?,?\s(?:of\s|in\s|for\s)?(?:the\s)?$",
    re.IGNORECASE,
)
_COUNTED_FROM: Final = bounded(
    rf"\b(?:(?:the\s)?(?:{_ORDINAL}|one|two|three|four|five|six|seven|eight|nine|ten|\d{{1,3}})\s(?:\w+\s)?"
    rf"(?:{_UNITS}|{WEEKDAY_FORMS})s?\.?\s(?:after|before|following)"
    rf"|the\s(?:{_UNITS}|{WEEKDAY_FORMS})\s(?:after|before|following)"
    rf"|(?:the\s)?{_ORDINAL}\s(?:\w+\s)?(?:{_UNITS}|{WEEKDAY_FORMS})\s(?:of|in))\s(?:the\s)?$",
    re.IGNORECASE,
)
_BOUND: Final = bounded(
    r"(?:\b(?:(?:any\s?time\s|some\s?time\s)?after|beyond|(?:later|newer|greater|more|younger)\sthan|post)\s|[^=]>\s?)"
    r"(?:the\s)?(?:year\s)?$",
    re.IGNORECASE,
)
_MANY: Final = bounded(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|[2-9]|\d\d)\s$", re.IGNORECASE)
_ONE_NEXT: Final = bounded(rf"{LAST_OR_NEXT}\s(?:day|week|month|quarter|year)", re.IGNORECASE)
_LONG: Final = bounded(r"year|yr|month|decade|\b(?:19|20)\d\d$", re.IGNORECASE)

_AFTERWARDS: Final = bounded(r"\s?(?:[之以][后後]|[后後](?![半期来來]))")
_CHINESE_YEAR: Final = bounded(r"年$")
_CHINESE_UNPLACED: Final = bounded(
    r"的?(?:[\u4e00-\u9fff]{1,6}?(?:(?<![季情环環细細章调調关關使礼禮时時音字品枝骨过過])[节節](?![目日约約省奏点點能育制操气氣])"
    r"|新年|[斋齋]月|狂[欢歡][节節]|[圣聖]日|[寒暑]假)|[\u4e00-\u9fff]{2,6}?(?:(?<=[念立争护人境军劳生忌诞])日)(?![期本子常程志记報报前后後益]))"
)
_ABROAD: Final = bounded(
    r"(?:[美法英德泰韩韓]国|[美法英德泰韓]國|日本|印度|以色列|加拿大|新加坡|澳大利[亚亞]|新西[兰蘭]|墨西哥|巴西|瑞士|瑞典|挪威"
    r"|俄[罗羅]斯|意大利|西班牙|[马馬][来來]西[亚亞]|越南|菲律[宾賓]|印尼|土耳其|埃及|[乌烏]克[兰蘭]|波[兰蘭]|希[腊臘])的?$"
)
_NATIONAL: Final = bounded(
    r"[国國][庆慶]|[独獨]立日|[建青][军軍年][节節]|[儿兒]童[节節]|[父母][亲親][节節]|[劳勞][动動][节節]|教[师師][节節]"
)
_REACH: Final = 48


def mark_footholds(text: str, placed: Sequence[Placed], *, chinese: bool) -> list[Placed]:
    """Return the places, those that are but a part of what a phrase means no longer dated."""
    is_foothold = _is_chinese_foothold if chinese else _is_english_foothold
    return [
        (span, replace(reading, dated=False))
        if reading.dated and is_foothold(text, (span, reading))
        else (span, reading)
        for span, reading in placed
    ]


def _is_english_foothold(text: str, item: Placed) -> bool:
    (start, end), reading = item
    before, said = text[max(0, start - _REACH) : start], text[start:end]
    period = reading.resolution == "range" and reading.end - reading.start > timedelta(days=2)
    if (period and _BOUND.search(before)) or _COUNTED_FROM.search(before):
        return True
    if _ONE_NEXT.fullmatch(said) and _MANY.search(before):
        return True
    return bool(_LONG.search(said)) and bool(_UNPLACED.search(before))


def _is_chinese_foothold(text: str, item: Placed) -> bool:
    (start, end), reading = item
    if _NATIONAL.match(text, start) and _ABROAD.search(text[max(0, start - _REACH) : start]):
        return True
    if reading.resolution != "range":
        return False
    return bool(_AFTERWARDS.match(text, end)) or bool(
        _CHINESE_YEAR.search(text[start:end]) and _CHINESE_UNPLACED.match(text, end)
    )
