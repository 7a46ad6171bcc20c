"""Cheap signs that a text speaks of time at all, and of the past or the future."""

import re
from typing import Final

from memories.normalise.mention import Tense

_ENGLISH_CUE: Final = re.compile(
    r"\d|\b(?:yesterday|today|tomorrow|tonight|ago|noon|midnight|christmas|halloween|thanksgiving|easter"
    r"|fortnight"
    r"|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?s?|[a-z]*(?:week|weekend|month|year"
    r"|quarter|day|night"
    r"|decade|centur(?:y|ie)|morning|afternoon|evening|summer|winter|spring|autumn|fall)s?"
    r"|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|(?:hour|minute|second)s?)\b",
    re.IGNORECASE,
)
_CHINESE_CUE: Final = re.compile(
    r"[年月日号天周週期节節晨早晚夜午点點时時刻前后後今昨明]|礼拜|禮拜|季度|小时|分钟|\d"
)
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_KANA: Final = re.compile(r"[\u3040-\u30ff]")
_HANGUL: Final = re.compile(r"[\uac00-\ud7af]")
_LATIN_WORD: Final = re.compile(r"[A-Za-z]{2}")

_PAST: Final = re.compile(
    r"\b(?:was|were|had|did|has|have|been|went|got|met|took|made|saw|came|left|happened|said|told|bought"
    r"|began|ran|gave"
    r"|found|felt|thought|knew|spent|lost|won|wrote|broke|fell|kept|held|led|sent|sold|paid|since|ago|last"
    r"|yesterday"
    r"|previous|[a-z]{3,}ed|didn't|wasn't|weren't|hadn't)\b|['’]ve\b|[了过過]|已|曾|刚|昨|上个|去年",
    re.IGNORECASE,
)
_FUTURE: Final = re.compile(
    r"\b(?:will|won't|shall|going to|gonna|plans?|planning|tomorrow|let's|next|upcoming|coming|schedules?"
    r"|(?:re)?scheduled|planned|booked|remind|due"
    r"|deadline|expects?|hope|hoping|want|please|could|should|would|can|until|book|set up)\b|['’]ll\b"
    r"|将|將|(?<![开社机委大晚宴峰年班例])[会會](?![议員员议])|要|打算|准备|準備|计划|計劃|安排|明天|下个"
    r"|预计|預計|请|請",
    re.IGNORECASE,
)


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
    Guess whether a sentence speaks of what was or of what is to come.

    Without a sign, or with signs of both, the future: «Friday» alone is in most notes the coming one.
    """
    if _PAST.search(sentence) and not _FUTURE.search(sentence):
        return "past"
    return "future"
