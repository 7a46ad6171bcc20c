"""
Names of entities: their one spelling, and the second noise check (SPEC M-10, W-16).

Pure. Extraction has judged a name once, by how it stands in its text; this looks at the name alone, so that
what a model or a caller calls an entity passes the same door.
"""

import re
from dataclasses import dataclass
from typing import Final

from memories.language.script import fold, fold_all
from memories.language.token_words import CHINESE_STOP_WORDS, CONTENT_STOP_WORDS, MONTHS, WEEKDAYS, word_set
from security.patterns import bounded

LONGEST_NAME: Final = 80
MOST_WORDS: Final = 8
LONGEST_CJK: Final = 24
"""Characters and words of a name; longer is a sentence. Our choice."""

MOST_ODD_SHARE: Final = 0.25
"""Of a name's characters that are signs; more is debris of a scan. «C++» and «R&D» are short enough to be
let in."""

CJK: Final = bounded("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")

_SPEAKERS: Final = bounded(
    r"(?:the )?(?:users?|assistants?|agents?|tools?|systems?|bots?|chatbots?|ai|ais|humans?|me|you|i|we|us|"
    r"team|model|llm|speakers?|participants?|interviewers?|interviewees?|callers?|unknown)"
    r"(?: ?\d{1,3}| [a-z])?"
    r"|(?:用户|助手|助理|系统|工具|机器人|智能体|说话人|发言人|主持人|嘉宾|我|你|您|我们|团队|本人|大家)"
    r"[ 0-9A-Za-z一二三四五]{0,2}",
    re.IGNORECASE,
)
_CALENDAR: Final = frozenset(
    {name for pair in (*MONTHS, *WEEKDAYS) for name in pair}
    | {name[:3] for name, _ in (*MONTHS, *WEEKDAYS)}
    | word_set(
        "am pm morning noon afternoon evening night midnight week weekend month year quarter day today"
    )
    | word_set(
        "tonight tues thur thurs sept q1 q2 q3 q4 h1 h2 spring summer autumn fall winter utc gmt cet est pst"
    )
    | word_set("今天 昨天 明天 前天 后天 上午 下午 早上 晚上 中午 去年 今年 明年")
    | word_set("星期 礼拜 春天 夏天 秋天 冬天")
)
_JOINS: Final = word_set("of the on at in and to")
_OPENERS: Final = word_set(
    "wow hey hi hello yep yeah yes no nope thanks congrats congratulations oh ok okay sure sorry glad "
    "well hmm great nice cool awesome omg ah aw aww and but so or dear bye welcome please "
    "today yesterday tomorrow now then later also heute gestern morgen hoy ayer mañana aujourd'hui hier "
    "demain сегодня вчера завтра теперь bugün dün yarın"
)
"""Words that open a sentence and cling to the name behind them."""
_EMPTY: Final = word_set("true false null none nil nan import export define error example test super y'all")
"""Single words, mostly of code, that stand like names and are none."""
_ORDINAL: Final = bounded(r"\d+(?:st|nd|rd|th)?")
_CHINESE_DATE: Final = bounded(
    r"[0-9零〇一二三四五六七八九十两]{1,4}年?(?:[0-9一二三四五六七八九十]{0,3}(?:月|季度|日|号|点|时|分|周))*"
    r"|(?:周|星期|礼拜)[一二三四五六日天]|[上下本这]个?(?:周|月|季度|星期)[一二三四五六日天]?"
)
_AMOUNT: Final = bounded(
    r"[$€£¥]?[\d.,:%/\s-]+(?:%|ms|s|sec|min|h|hrs?|hours?|days?|kb|mb|gb|tb|kg|g|km|m|cm|mm|usd|eur|k|x|px|元|块|个|人|天|小时|分钟|岁)?",
    re.IGNORECASE,
)
_CODE: Final = bounded(
    r"[{}\[\];=<>|\\$^~`]|::|->|\(\)|&&|://|^-{1,2}\w|^(?:def|class|import|from|return|const|let|var|func|function|"
    r"select|insert|update|delete|await|async|public|private|static|void|elif|else|sudo|curl) [a-z(*_]"
)
_DEBRIS: Final = bounded(
    "[\ufffd\ue000-\uf8ff\x00-\x08\x0b-\x1f\x7f-\x9f\u25a0-\u25ff\u2580-\u259f]|(\\w)\\1{3,}"
)
_SENTENCE: Final = bounded(r"[。！？!?，、；\n]|\.\s+[a-z]|…")
_TALK: Final = word_set(
    "I i you he she it we they me him us them my your is are was were am be been do does did don't i'm it's "
    "I'm I've I'll I'd i've you're we're they're"
)
_SIGN: Final = bounded(r"[^\w\s.&'+#/-]")
_VOWELLESS: Final = bounded(r"[b-df-hj-np-tv-xz]{5,}")
_TURNS: Final = bounded(r"(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])")

MOST_TURNS: Final = 3
"""Changes between letters and digits in a name; «H2O2» has three, a hash or a mangled word more."""

_ACRONYM: Final = bounded(r"[A-Z](?:\.?[A-Z])+\.?")
_CHATTER: Final = word_set("ai i ok am pm todo fyi btw asap eta lol imo tbd na faq ps re")
"""Capitals that name nothing; any other run of capitals is no stop word, though «US» reads like one."""

_QUOTES: Final = "\"'“”‘’「」『』《》〈〉`*_ \t,;:!?，。；：！？、"
_ARTICLE: Final = bounded(r"(?:the|an?) (?=\w[\w'.-]+)")
_INITIALS: Final = bounded(r"(?:\b\w\.){2,}")
_STOP: Final = bounded(r"\.(?=\s|$)")
_HYPHEN: Final = bounded(r"(?<=\w)[-_‐‑–](?=\w)")
_CJK_GAP: Final = bounded(f"(?<={CJK.pattern})\\s+|\\s+(?={CJK.pattern})")
_CODED: Final = bounded(r"[a-z]{1,8} \d[\d ]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A name as a memory writes it."""

    key: str  #: its one spelling
    name: str
    type: str = "thing"


def name_key(name: str) -> str:
    """
    Return a name in its one spelling; equal keys are one entity.

    Width, case, quotes, a leading article, a possessive, hyphens and blanks make no difference: «the
    Auth-Service's» and «auth service» meet, and so do «GPT-4» and «gpt 4», «张 伟» and «张伟». Empty when
    nothing is left.
    """
    plain = fold_all(name).replace("’", "'").strip(_QUOTES)
    plain = plain.removesuffix("'s").removesuffix("的").strip(_QUOTES)
    plain = _INITIALS.sub(lambda letters: letters[0].replace(".", ""), plain)
    plain = " ".join(_HYPHEN.sub(" ", _STOP.sub(" ", plain)).split())
    plain = _CJK_GAP.sub("", plain)
    bare = _ARTICLE.sub("", plain, count=1) if _ARTICLE.match(plain) else plain
    plain = plain if bare in CONTENT_STOP_WORDS else bare
    return plain.replace(" ", "") if _CODED.fullmatch(plain) else plain


def is_noise(name: str) -> bool:
    """
    Tell whether a name names nothing: SPEC M-10's list, in English and Chinese.

    Single characters, numbers and amounts, stop words, labels of speakers, dates, code, debris of a scan,
    sentences.
    """
    key = name_key(name)
    if len(key) < 2 or not any(char.isalpha() for char in key) or key in CHINESE_STOP_WORDS:
        return True
    if _ACRONYM.fullmatch(name.strip(_QUOTES)):
        return key in _CHATTER or _is_date(key) or _is_debris(name, key)
    if _SPEAKERS.fullmatch(key) or _is_date(key) or _AMOUNT.fullmatch(key) or _ORDINAL.fullmatch(key):
        return True
    words = key.split()
    if key in _EMPTY or all(word in CONTENT_STOP_WORDS | _CHATTER | _OPENERS for word in words):
        return True
    return _is_debris(name, key) or _is_prose(name, words)


def _is_date(key: str) -> bool:
    if _CHINESE_DATE.fullmatch(key):
        return True
    words = bounded(r"[\s/,.:]+").split(key)
    named = [word for word in words if word in _CALENDAR]
    rest = [word for word in words if word not in _CALENDAR and word not in _JOINS]
    return bool(named) and all(_ORDINAL.fullmatch(word) for word in rest)


def _is_debris(name: str, key: str) -> bool:
    if _DEBRIS.search(name) or _CODE.search(name.strip()):
        return True
    signs = len(_SIGN.findall(name.strip(_QUOTES)))
    if signs > 1 and signs > MOST_ODD_SHARE * len(name):
        return True
    if len(_TURNS.findall(key)) > MOST_TURNS:
        return True
    return any(_VOWELLESS.fullmatch(word) and not _stands_in_capitals(word, name) for word in key.split())


def _stands_in_capitals(word: str, name: str) -> bool:
    """Tell whether a word without a vowel is an acronym: «HTTPS» is, «xkcdq» is not."""
    return len(word) <= 6 and word.upper() in name


def _is_prose(name: str, words: list[str]) -> bool:
    if len(name) > LONGEST_NAME or len(words) > MOST_WORDS or _SENTENCE.search(name.strip(_QUOTES)):
        return True
    if CJK.search(name):
        return len(name) > LONGEST_CJK
    return len(words) > 1 and any(word in _TALK for word in name.split())


def without_opener(name: str) -> str:
    """Return a name without the words that only open its sentence: «Wow John» is John."""
    words = name.split()
    while len(words) > 1 and words[0].casefold().strip(",!.") in _OPENERS:
        words = words[1:]
    return " ".join(words)


def initial_form(name: str) -> str | None:
    """Return the key of «J. Smith» for «John Smith», or None when the name is not of two plain words."""
    words = fold(name).replace("’", "'").split()
    if len(words) != 2 or not all(word[0].isupper() and word[1:].isalpha() for word in words):
        return None
    first, last = (word.casefold() for word in words)
    return f"{first[0]} {last}" if len(first) > 1 and len(last) > 1 else None


def longest_first(names: list[str]) -> list[str]:
    """Order the spellings of one entity: the fullest first, then by the alphabet."""
    return sorted(names, key=lambda name: (-len(name), name))
