"""Cheap signs that a text speaks of time at all, and of the past or the future."""

import re
from typing import Final

from memories.temporal.mention import Tense
from security.patterns import bounded

MONTH_NAME: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
WEEKDAY_NAME: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
"""Their English names, as pieces of patterns that mind no letter case."""

_ENGLISH_CUE: Final = bounded(
    r"\d|\b(?:yesterday|today|tomorrow|tonight|ago|noon|midnight|christmas|halloween|thanksgiving|easter"
    r"|fortnight|nineteen|thousand|(?:twen|thir|for|fif|six|seven|eigh|nine)ties|tonite|eve|advent|festival"
    r"|patrick'?s|fools?'?s?|juneteenth|pentecost|ascension|epiphany|mardi|gras|corpus|cinco"
    r"|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?|[a-z]*(?:week|weekend|month|year"
    r"|quarter|qtr|yr|day|night"
    r"|decade|centur(?:y|ie)|morning|afternoon|evening|summer|winter|spring|autumn|fall)s?"
    rf"|{MONTH_NAME}|(?:hour|minute|second)s?)\b",
    re.IGNORECASE,
)
_CHINESE_CUE: Final = bounded(
    r"[年月日号號天周週期节節夕旬宵秋阳陽慶庆诞誕钟鐘秒明晨早晚夜午点點时時刻前后後今昨明]|礼拜|禮拜|季度"
    r"|小时|分钟|[双雙]十|\d"
)
_HAN: Final = bounded(r"[\u3400-\u9fff]")
_KANA: Final = bounded(r"[\u3040-\u30ff]")
_HANGUL: Final = bounded(r"[\uac00-\ud7af]")
_LATIN_WORD: Final = bounded(r"[A-Za-z]{2}|\b[QHqh][1-4]\b")

_PARTICIPLE: Final = (
    r"(?:[a-z]{3,}ed|been|gone|done|got|gotten|made|seen|taken|come|left|written|begun|broken|chosen|found"
    r"|given|met|moved)"
)
_REPORT: Final = bounded(
    r"\b(?:said|says|told\s\w+|announced|confirmed|mentioned|noted|reported|agreed|decided|promised)"
    r"\s(?=(?:that|the|our|my|his|her|its|their|an?|we|they|he|she|it|I|this|to|[A-Z]\w+)\s)"
    r"|\b(?:learned|heard|wrote|knew|asked)\s(?:\w+\s)?(?:that|whether|if)\b|\b(?:is|are|be|being|gets?)\s"
    r"(?:\w+ly\s)?[a-z]{3,}ed\b"
    r"|\b(?:indeed|need|needed\sby|speed|exceed|proceed|hundred|embed|feed|supposed|based|shared|unlimited)\b"
    r"|(?:说|說|搞|写|寫|弄|记|記|算|看)(?:错|錯)了|\bat\slast\b|\bend(?:ed)?\sup\b|\blast\s(?:\w+\s){1,2}(?:of|in|before|after)\b",
    re.IGNORECASE,
)
"""
What looks past and says nothing of when the matter itself was: who told it («Anna said it changes on 1
March»).
"""
_PAST: Final = bounded(
    r"\b(?:was|were|had|did|been|went|got|met|took|made|saw|came|left|happened|bought|began|ran|gave|found"
    r"|felt"
    r"|thought|spent|lost|won|broke|fell|kept|held|led|sent|sold|paid|brought|built|caught|chose|drove|flew"
    r"|grew|spoke|stole|taught|threw|wore|wrote|since|ago|yesterday|previous"
    r"|last\s(?:(?:few|couple\sof|\d+|two|three|four|five|six|ten)\s)?(?:hour|night|day|week|weekend|month|year|quarter"
    r"|spring|summer|autumn|fall|winter|time|decade|century|christmas|easter|mon|tue|wed|thu|fri|sat|sun"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*"
    r"|(?<!the\s)(?<!an\s)[a-z]{3,}ed|didn't|wasn't|weren't|hadn't)\b"
    rf"|(?:['’]ve|\bhas|\bhave)\s(?:\w+\s)?{_PARTICIPLE}\b|[了过過]|已|曾|刚|昨|上个|去年",
    re.IGNORECASE,
)
_DAY: Final = (
    rf"(?:the\s)?(?:\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{MONTH_NAME}|{MONTH_NAME}\s\d{{1,2}}"
    rf"|{WEEKDAY_NAME})\b"
)
_TARGET: Final = (
    r"(?:moved?|shift(?:ed|s)?|postponed|pushed|delayed|deferred|extended|slipped|slips|brought|changed|put|set)"
    rf"\s(?:[\w'’-]+\s){{0,5}}?(?:to|until|till|for)\s{_DAY}"
    rf"|(?:charges?|costs?|pays?|appl(?:y|ies)|holds?|runs?)\s(?:[\w'’-]+\s){{0,8}}?from\s{_DAY}"
)
"""A past deed whose date is to come («they moved the launch to 15 March»), and what holds from a day on."""
_FUTURE: Final = bounded(
    r"\b(?:will|won't|shall|going to|gonna|plans?|planning|tomorrow|let's|next|upcoming|coming|schedules?"
    r"|(?<!was\s)(?<!were\s)(?:expected|awaited|slated)\s(?:in|at|on|by|to|back|for|from)"
    r"|(?:re)?scheduled|planned|booked|remind|due|have to|has to|needs? to|about to|supposed to|effective"
    r"|as of|deadline|expects?|hope|hoping|want|please|could|should|would|can|until|book|set up|later"
    r"|(?:changes|starts|begins|ends|expires|opens|closes|launches|ships|arrives|leaves|returns|moves"
    r"|switches|retires"
    r"|joins|resumes|renews|takes effect|goes live|comes back|runs out)(?=\s(?:on|in|from|by|at|after"
    r"|again)\b)"
    r"|(?:from|starting|beginning)\s(?:(?:early|mid|late|the\s\d+\w*\sof)\s)?(?:(?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)day|jan(?:uary)?|feb(?:ruary)?|march|april|may|june|july|aug(?:ust)?|sept(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)(?:\s\d{1,2})?(?:\son)?,?\s(?:[\w'’-]+\s){1,4}?(?:is|are|costs?|applies|apply|goes|go)"
    r"|(?:I|we|they|you)\s(?:leave|go|fly|meet|start|begin|move|ship|launch|return|travel|hire|open|close"
    r"|switch))\b|['’]ll\b"
    rf"|\b{_TARGET}"
    r"|将|將|(?<![开社机委大晚宴峰年班例])[会會](?![议員员议])|要|打算|准备|準備|计划|計劃|安排|明天|下个"
    r"|预计|預計|请|請|起(?:生效|执行|施行|实施|改)",
    re.IGNORECASE,
)


_COUNTED: Final = bounded(
    r"\b(?:first|second|third|fourth|fifth|\d+(?:st|nd|rd|th)|once|twice|times)\b[^.,;!?]{0,40}$",
    re.IGNORECASE,
)


def counts_within(text: str, place: int) -> bool:
    """Tell whether something is counted before a place, within a time: «the third address in four months»."""
    return _COUNTED.search(text, max(0, place - 60), place) is not None


def speaks_english(text: str) -> bool:
    """Say whether the text has Latin words and some word or number of time among them."""
    return bool(_LATIN_WORD.search(text)) and bool(_ENGLISH_CUE.search(text))


def speaks_chinese(text: str) -> bool:
    """Say whether the text is Chinese (not Japanese or Korean) and has some character of time."""
    if not _HAN.search(text) or _KANA.search(text) or _HANGUL.search(text):
        return False
    return bool(_CHINESE_CUE.search(text))


def guess_tense(sentence: str) -> Tense:
    """
    Guess whether a sentence speaks of what was or of what is to come; open without a sign.

    With signs of both, the future: «Friday» is in most notes the coming one.
    """
    if _FUTURE.search(sentence):
        return "future"
    return "past" if _PAST.search(_REPORT.sub(" ", sentence)) else "open"
