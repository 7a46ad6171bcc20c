"""
Find secrets that words announce, in some thirty languages: «das Passwort lautet …», «… es la contraseña».

A noun («password», «door code», «API key») is looked for by itself; what stands behind it, or before it,
has to be joined to it («is», «:», nothing) and to look like a secret and not like a word: «das Passwort ist
abgelaufen» stays. Each noun is found by plain search and its neighbourhood is bounded: linear in the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from security.patterns import bounded
from security.screening.secrets.nouns import NOUNS, STATUS
from security.screening.secrets.values import NOT_SECRETS, looks_like_password, looks_like_token, looks_mixed

NEIGHBOURHOOD: Final = 160
"""Characters behind a noun, and before it, that are read."""


_QUOTES: Final = {
    '"': '"', "'": "'", "`": "`", "“": "”", "„": "“”", "«": "»", "»": "«", "‘": "’",
    "‚": "‘’", "「": "」", "『": "』", "‹": "›",
}  # fmt: skip
_IS: Final = (
    r"(?:(?:is|are|was|will be|remains|ist|lautet|lauten|heißt|heisst|war|bleibt|wäre|est|sera"
    r"|était|reste|es|son|era|será"
    r"|sigue siendo"
    r"|è|sono|sarà|é|são|ficou|luidt|är|lyder|er|este|sunt|jest|to|brzmi|je|zní|on|это|є|это|là|adalah|ialah|yaitu|هو|هي|है|हैं"
    r"|είναι|was|blijft|blev|to jest)(?![^\W_]))"
)
_PARTICLE: Final = r"(?:คือ|เป็น|は|が|を|是|为|為|叫|改成了?|改为|设为|은|는|이|가|을|를)"
_NOW: Final = (
    r"(?:(?:now|still|currently|again|jetzt|nun|aktuell|derzeit|weiterhin|wieder|ab sofort"
    r"|maintenant|désormais|toujours"
    r"|ahora|ya|actualmente"
    r"|ora|adesso|agora|atualmente|nu|teraz|obecnie|nyní|teď|теперь|сейчас|пока|тепер|зараз|artık|şimdi|الآن|अब"
    r"|bây giờ|sekarang|also"
    r"|heute|oggi|hoy|hoje|seit heute|provisoirement|vorläufig|übrigens)\s+){0,2}"
)
_TO: Final = (
    r"(?:auf|zu|in|to|as|als|en|à|a|por|per|na|на|naar|till|para|como|come|comme|ile|olarak|thành|menjadi"
    r"|إلى|में|को)(?![^\W_])"
)
_SIGN: Final = r"(?::=|=>|={1,3}|[:：]|->|→|—|–|\||-(?=\s))"
_MARKUP: Final = r"[\"'`*_)\]]{0,3}"
_GAP: Final = r"(?:\s{1,2}[^\s.:;=!?|,،؛，。：；、？！\"'`«„“]{1,24}){1,4}?"
_ENDING: Final = r"[^\W\d_]{0,7}"
"""Letters behind a noun's stem: «şifresi», «паролем», «kata sandinya»."""

_STRONG: Final = bounded(
    rf"{_ENDING}{_MARKUP}(?:\s{{0,2}}{_SIGN}[ \t*_]{{0,4}}\n?[ \t>*_-]{{0,6}}"
    rf"|(?P<gap>{_GAP})??(?:\s{{1,2}}{_IS}[ \t]{{0,2}}[:：]?\s{{0,2}}{_NOW}|\s{{0,2}}{_SIGN}\s{{0,4}}))",
    re.IGNORECASE,
)
_WEAK: Final = bounded(rf"{_ENDING}{_MARKUP}(?:{_GAP})??\s{{1,2}}{_TO}\s{{1,2}}", re.IGNORECASE)
_BARE: Final = bounded(rf"{_ENDING}{_MARKUP},?[ \t]{{1,2}}[(]?", re.IGNORECASE)
_STRONG_NARROW: Final = bounded(
    rf"{_MARKUP}(?P<gap>[(（][^()（）\n]{{1,20}}[)）])?\s{{0,2}}(?:{_SIGN}|{_PARTICLE}){{1,2}}\s{{0,2}}"
)
_JOINTS: Final = ((_STRONG, True), (_WEAK, False), (_BARE, False))
_JOINTS_NARROW: Final = ((_STRONG_NARROW, True), (bounded(_MARKUP), False))
_COPULAS: Final = frozenset(
    [
        "is",
        "ist",
        "est",
        "es",
        "è",
        "é",
        "jest",
        "to",
        "är",
        "er",
        "je",
        "este",
        "это",
        "є",
        "là",
        "adalah",
        "wäre",
        "war",
        "olan",
        "as",
        "als",
        "comme",
        "como",
        "come",
        "jako",
        "как",
        "як",
        "som",
        "ca",
        "olarak",
        "sebagai",
        "—",
        "–",
        "-",
    ]
)
_MOST_ARTICLES: Final = 3
"""Words between a copula and the noun: «hunter2 is the old password»."""
_ENDS: Final = bounded(r"[)\]\"'`»”.!]{0,3}(?:$|\s*\n|[.,;!?)](?:\s|$)|\s*[|/])")
_VALUE: Final = bounded(r"[^\s\"'`“”„«»<>,;，。；、！？（）「」『』|]{3,80}+")
_VALUE_ASCII: Final = bounded(r"[!#-&(-+\--;=?-_a-{}~가-힣]{3,80}+")
_DIGITS: Final = bounded(
    r"\d(?:[ .-]?\d){3,11}(?!\d|[.,]?\d|\s?(?:%|€|\$))[#*]?(?![A-Za-z_年月日天位桁字文個个년월일자개])"
)
_PAIR: Final = bounded(
    r"[^\W\d_]{0,7}(?:\s{1,2}[^\s.:;=!?|,]{1,24}){0,4}?\s{0,2}(?:[:：=]|ist|sind|est|sont|es|son|sono|são|są|jsou|это|là|adalah|は)?\s{0,2}"
    r"(?P<user>[\w.@+-]{2,60})\s{0,2}[/|:,]\s{0,2}(?P<value>[^\s,;|]{4,64})",
    re.IGNORECASE,
)
_UNSPACED: Final = bounded("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_KOREAN_END: Final = bounded("(?:으?로|이?라고|입니다|이에요|예요|이다|임|야|이야|요|을|를|은|는)$")
_COUNTED: Final = bounded(
    r"\d{1,2}[-.]?[^\W\d_]+$|v?\d+(?:\.\d+)+$|\d{1,2}[:/.-]\d{1,2}(?:[:/.-]\d{2,4})?$|\d{4}-\d\d-\d\d"
)
_ADDRESS: Final = bounded(
    r"\w+://|[\w.+-]+@[\w-]+\.|www\.|[\w-]+\.(?:xlsx?|docx?|pdf|txt|kdbx|csv|md|json|ya?ml|env|py|com|de|fr|org|net|io)$"
)
_WORDS: Final = bounded(r"\S+")
_PROMISING: Final = bounded("[\\d\"'`„“«»「『‘!@#$%^&*+~_A-ZÀ-ÞА-Я-]")
"""What a secret has and a sentence of small letters has not."""
_YEAR: Final = bounded(r"(?:19|20)\d\d$")
_NAMED_WORD: Final = bounded(r"[^\W\d_]+$")
_PARTS: Final = bounded(r"[^\W_]{2,}(?:[-_.+][^\W_]{2,}){2,}$")
_MARKER: Final = bounded(r"\*{3,}|\[secret:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """A secret that words announce."""

    kind: str
    span: tuple[int, int]


def find_announced(text: str) -> Iterator[Announced]:
    """Yield each secret that a noun announces, in no order; they may overlap."""
    lowered = _lower(text)
    for noun, kind in NOUNS:
        start = lowered.find(noun)
        while start >= 0:
            end = start + len(noun)
            if _is_word(lowered, start, noun, kind):
                yield from _read_around(text, start, end, kind)
            start = lowered.find(noun, end)


def _lower(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _is_word(lowered: str, start: int, noun: str, kind: str) -> bool:
    """Say whether a noun begins here; passwords may be the end of a compound («WLAN-Passwort»)."""
    if _UNSPACED.match(noun) or start == 0:
        return True
    before = lowered[start - 1]
    if kind == "password" and noun in (
        "passwort",
        "kennwort",
        "wachtwoord",
        "lösenord",
        "password",
        "adgangskode",
    ):
        return True
    return not before.isalnum()


def _read_around(text: str, start: int, end: int, kind: str) -> Iterator[Announced]:
    behind = text[end : end + NEIGHBOURHOOD]
    if not _PROMISING.search(text, max(0, start - NEIGHBOURHOOD), end + NEIGHBOURHOOD):
        return
    if kind == "login":
        pair = _PAIR.match(behind)
        if pair and _is_strong(pair["value"].rstrip(".")):
            yield Announced(
                kind="password", span=_trim(text, end + pair.start("value"), end + pair.end("value"))
            )
        return
    narrow = bool(_UNSPACED.match(text, start))
    for joint, tells in _JOINTS_NARROW if narrow else _JOINTS:
        match = joint.match(behind)
        found = None if match is None else _read_value(text, end + match.end(), narrow=narrow)
        if match is None or found is None:
            continue
        apart = tells and match["gap"] is not None and not match[0].rstrip()[-1:].isalpha()
        believe = _believe_told if tells and not apart else _believe_strong
        if believe(text, found, kind, joint=match[0]):
            yield Announced(kind=kind, span=found)
            return
    if kind != "api_key":
        yield from _read_before(text, start, kind)


def _read_before(text: str, start: int, kind: str) -> Iterator[Announced]:
    """Yield the value that stands before a noun: «hunter2 is the password»."""
    first = max(0, start - NEIGHBOURHOOD)
    words = list(_WORDS.finditer(text, first, start))[-_MOST_ARTICLES - 2 :]
    for index in range(len(words) - 1, 0, -1):
        if words[index][0].lower() in _COPULAS:
            value = _VALUE.search(words[index - 1][0])
            if value is not None and _is_strong(value[0]):
                begin = words[index - 1].start() + value.start()
                yield Announced(kind=kind, span=(begin, begin + len(value[0])))
            return


def _read_value(text: str, place: int, *, narrow: bool) -> tuple[int, int] | None:
    """Return where the value stands that begins at a place, within its quotes if it has any."""
    if text[place : place + 1] in ("(", "["):
        place += 1
    quote = text[place : place + 1]
    if quote and quote in _QUOTES:
        for end in range(place + 1, min(len(text), place + 100)):
            if text[end] in _QUOTES[quote]:
                return (place + 1, end) if end - place > 3 else None
            if text[end] == "\n":
                break
        return None
    digits = _DIGITS.match(text, place)
    if digits is not None:
        return digits.span()
    value = (_VALUE_ASCII if narrow else _VALUE).match(text, place)
    return None if value is None else _trim(text, *value.span())


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a value's place without what ends the sentence, or is a particle of Korean."""
    value = text[start:end].rstrip(".,;:?)]}*_\\")
    if _UNSPACED.search(value):
        value = _KOREAN_END.sub("", value)
    return start, start + len(value)


def _is_quoted(text: str, place: tuple[int, int]) -> bool:
    return place[0] > 0 and text[place[0] - 1] in _QUOTES


def _believe_told(text: str, place: tuple[int, int], kind: str, *, joint: str) -> bool:
    """Say whether what is said to be the secret is one."""
    value = text[slice(*place)]
    if _is_plain(value):
        return False
    if kind == "api_key":
        return looks_like_token(value)
    if _is_quoted(text, place):
        return len(value) >= 3 and looks_like_password(f'"{value}"') and len(value.split()) <= 10
    if value.replace(" ", "").isdigit():
        ends = _ENDS.match(text, place[1]) is not None
        return ends or not _YEAR.match(value)
    if _is_strong(value) or looks_mixed(value):
        return not _COUNTED.match(value)
    if kind == "pin":
        return False
    ends = _ENDS.match(text, place[1]) is not None
    if not ends or len(value) < 4:
        return False
    if _PARTS.match(value):
        return True
    told = value[:1].isupper() and not value.isupper()
    return bool(_NAMED_WORD.match(value)) and told and not joint.rstrip().endswith("|")


def _believe_strong(text: str, place: tuple[int, int], kind: str, *, joint: str) -> bool:
    """Say whether a value that nothing says to be the secret looks like one by itself."""
    del joint
    value = text[slice(*place)]
    if _is_plain(value):
        return False
    if kind == "api_key":
        return looks_like_token(value) and sum(char.isdigit() for char in value) >= 3
    if kind == "pin":
        return value.replace(" ", "").isdigit() and _ENDS.match(text, place[1]) is not None
    if _is_quoted(text, place):
        return _is_strong(value) and " " not in value
    return _is_strong(value)


def _is_plain(value: str) -> bool:
    """Say whether a value is a word of the trade, an address, a version, a date, or redacted already."""
    lowered = value.lower()
    return (
        len(value) < 3
        or lowered in STATUS
        or lowered in NOT_SECRETS
        or bool(_MARKER.search(value) or _ADDRESS.match(value) or _COUNTED.match(value))
        or not looks_like_password(value)
    )


def _is_strong(value: str) -> bool:
    """Say whether a value has letters and figures, or a sign besides, and six characters."""
    if _is_plain(value) or len(value) < 6:
        return False
    letters, digits = any(c.isalpha() for c in value), any(c.isdigit() for c in value)
    signs = any(c in "!@#$%^&*?+=~" for c in value[:-1]) or value.endswith(("#", "$", "%", "&"))
    return letters and (digits or signs)
