"""
Cut text into terms: what lexical search matches on, and what tags and keywords are made of.

`words` is on the path of every recall, so it is regular expressions and a cached stemmer only; jieba (0.8 s
and some 60 MB to load) is for `content_words` and `keywords`, loaded when Chinese text first asks for it.
"""

import importlib
import threading
import unicodedata
import warnings
from collections.abc import Iterator
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, Final

import snowballstemmer

from memories.language.token_words import CHINESE_STOP_WORDS, CONTENT_STOP_WORDS, MONTHS, STOP_WORDS, WEEKDAYS
from security.patterns import bounded

_UNSPACED: Final = (
    "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\U00020000-\U0003ffff"
)
"""Scripts without spaces, and Hangul with its long inflected words: cut into character bigrams."""

# Vowel signs and accents are not \w; without them a Hindi or Arabic word would fall apart.
_MARKS: Final = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_LETTER: Final = rf"[^\W_{_UNSPACED}]"

_TOKEN: Final = bounded(
    r"(?P<date>(?<!\d)[12]\d{3}-[01]\d(?:-[0-3]\d)?(?!\d))"
    r"(?:t(?P<time>[0-2]\d:[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?"
    r"|(?P<unit>\d{1,4})(?P<of>[年月日号])"
    rf"|(?P<word>{_LETTER}(?>(?:{_LETTER}|[{_MARKS}]|[-._/'@:+](?={_LETTER})){{0,20000}})(?:\+\+|\#)?)"
    rf"|(?P<run>[{_UNSPACED}]+)"
)
_JOINER: Final = bounded(r"[-._/'@:+]+")
_THOUSANDS: Final = bounded(r"(?<=\d),(?=\d{3}(?!\d))")
_DECIMAL: Final = bounded(r"\d+(?:\.\d+)?")
_HAN: Final = bounded(r"[\u3400-\u9fff]")
_KANA: Final = bounded(r"[\u3040-\u30ff]")
_PROPER: Final = {"nr": "person", "ns": "place", "nt": "organisation"}
"""jieba's tags of people, places and organisations; «nrt», a foreign name, is guessed for too much else."""

_LONGEST_PROPER: Final = 12
_SURNAMES: Final = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆"
    "汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤張劉陳楊黃趙吳孫馬羅鄭謝許韓馮鄧"
    "蕭蔣葉蘇呂盧鐘譚陸賈韋鄒龍賀顧龔萬錢嚴湯"
)
"""The hundred most frequent surnames in China, by the Ministry of Public Security's count of 2020, in both
scripts."""

_KINDS_OF_PLACE: Final = frozenset("坡楼樓路村镇鎮县縣区區街市省")

_IDENTIFIER: Final = bounded(r"(?=.*[^\W\d])[^\s]*(?:\d|[-._/@:+#])[^\s]*")
_CLITIC: Final = bounded(r"'(?:s|re|ve|ll|d|m|t)$")

_local = threading.local()
_segmenter_lock: Final = threading.Lock()
_segmenter: Any = None


def words(text: str) -> list[str]:
    """
    Cut text into search terms, in order, repeats kept.

    Latin words come lower-cased and stemmed (English), without stop words; numbers and identifiers
    (`payment-api`, `v2.3`) whole and in parts; an ISO day as itself, its month, year, the month's name and
    the day; unspaced scripts as character bigrams, a lone character as itself.
    """
    terms: list[str] = []
    for match in _TOKEN.finditer(_folded(text)):
        kind = match.lastgroup
        if kind == "word":
            terms += _word_terms(match["word"])
        elif kind == "run":
            terms += _bigrams(match["run"])
        elif match["date"]:
            terms += _date_terms(match["date"])
            terms += [match["time"]] if match["time"] else []
        else:
            terms.append(match["unit"] + "月" if match["of"] == "月" else match["unit"])
    return terms


def content_words(text: str) -> list[str]:
    """
    Cut text into the surface words that carry content, in order, repeats kept: the stuff of tags.

    Lower-cased, not stemmed, identifiers whole. Latin words have at least 3 letters, Chinese ones (cut by
    jieba) at least 2 characters; stop words, plain numbers and dates are left out.
    """
    found: list[str] = []
    for match in _TOKEN.finditer(_folded(text)):
        if match.lastgroup == "word":
            word = _CLITIC.sub("", match["word"]) if "'" in match["word"] else match["word"]
            if _carries_content(word):
                found.append(word)
        elif match.lastgroup == "run":
            found += _segment(match["run"])
    return found


LONGEST_KEYWORD: Final = 200
"""Characters of a keyword: what is longer is no word that anybody would ask by, and no note may carry it."""


def keywords(text: str, *, most: int = 8) -> tuple[str, ...]:
    """
    Choose at most `most` words that tell this text from others: frequent first, then as they come.

    Identifiers count as if they stood there once more. Forms of one word (deploy, deploys) are counted
    together and shown as first written.
    """
    weight: dict[str, float] = {}
    shown: dict[str, str] = {}
    for word in content_words(text):
        if len(word) > LONGEST_KEYWORD:
            continue
        key = stem(word)
        if key not in shown:
            shown[key] = word
            weight[key] = 1.0 if _IDENTIFIER.fullmatch(word) else 0.0
        weight[key] += 1.0
    best = sorted(shown, key=lambda key: -weight[key])
    return tuple(shown[key] for key in best[:most])


def date_words(moment: datetime) -> list[str]:
    """
    Return the terms by which a moment is searched: what people write when they mean that day.

    Each is a term that `words` makes of some usual way of writing the day: ISO, «March 2026», «Thursday»,
    3月5日, 三月, 周四. The time of day is left out.
    """
    chinese_month = f"{moment.month}月"
    return [
        *_date_terms(moment.strftime("%Y-%m-%d")),
        stem(WEEKDAYS[moment.weekday()][0]),
        *_bigrams(WEEKDAYS[moment.weekday()][1]),
        *(_bigrams(MONTHS[moment.month - 1][1]) if MONTHS[moment.month - 1][1] != chinese_month else ()),
    ]


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the English stem of a lower-cased word; other words come back as they are."""
    if len(word) < 3 or not word.isascii() or not word.isalpha():
        return word
    # The stemmer keeps its work in itself, so each thread has its own.
    if not hasattr(_local, "stemmer"):
        _local.stemmer = snowballstemmer.stemmer("english")
    return str(_local.stemmer.stemWord(word))


def _folded(text: str) -> str:
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _THOUSANDS.sub("", plain.lower().replace("’", "'"))


@lru_cache(maxsize=65_536)
def _word_terms(token: str) -> tuple[str, ...]:
    """Return the terms of one lower-cased token: the stem of a word, an identifier whole and its parts."""
    bare = _CLITIC.sub("", token) if "'" in token else token
    if token in STOP_WORDS or bare in STOP_WORDS:
        return ()
    token = bare
    if token.isalnum() or _DECIMAL.fullmatch(token) or not _JOINER.search(token):
        return (stem(token),)
    parts = [stem(part) for part in _JOINER.split(token) if part and part not in STOP_WORDS]
    return (token, *parts)


def _bigrams(run: str) -> list[str]:
    if len(run) == 1:
        return [run]
    return [run[i : i + 2] for i in range(len(run) - 1)]


def _date_terms(date: str) -> list[str]:
    """Return the terms of an ISO day or month such as 2026-03-05; one that is none comes back whole."""
    year, month, *day = date.split("-")
    if not 1 <= int(month) <= 12:
        return [date]
    name = stem(MONTHS[int(month) - 1][0])
    terms = [f"{year}-{month}", year, name, f"{int(month)}月"]
    return [date, *terms, str(int(day[0]))] if day else terms


def _carries_content(word: str) -> bool:
    if word in CONTENT_STOP_WORDS or len(word) < 3:
        return False
    return any(char.isalpha() for char in word)


def _segment(run: str) -> Iterator[str]:
    """Cut a run of an unspaced script into content words; scripts jieba does not know stay whole."""
    if not _HAN.search(run):
        if len(run) > 1:
            yield run
        return
    for word in _load_segmenter().cut(run):
        if len(word) > 1 and word not in CHINESE_STOP_WORDS:
            yield word


def cut_words(run: str) -> list[str]:
    """Cut a run of Chinese characters into its words, all of them."""
    return list(_load_segmenter().cut(run))


def find_proper_names(text: str) -> list[tuple[str, str]]:
    """
    Return the proper names in a Chinese text with what each names: person, place or organisation.

    By jieba's tagger, which takes many a common word of two characters for a name: a person's begins with one
    of the frequent surnames, or is a foreign one of three and more; what ends like a kind of place is none.
    For workers: it loads its tables (1.3 s, 96 MB) at the first call. Text with kana is Japanese, which it
    does not know: nothing is found there.
    """
    if not _HAN.search(text) or _KANA.search(text):
        return []
    tagged = [(word, _PROPER[tag]) for word, tag in _load_tagger().cut(text) if tag in _PROPER]
    return [(word, kind) for word, kind in tagged if _is_proper(word, kind)]


def _is_proper(word: str, kind: str) -> bool:
    if not 2 <= len(word) <= _LONGEST_PROPER:
        return False
    if kind == "person":
        return len(word) > 2 or word[0] in _SURNAMES
    return len(word) > 2 or word[-1] not in _KINDS_OF_PLACE


@cache
def _load_tagger() -> Any:
    return _import_quietly("jieba.posseg").POSTokenizer(_load_segmenter())


def _load_segmenter() -> Any:
    """Return jieba's segmenter, loaded at the first call."""
    global _segmenter
    with _segmenter_lock:
        if _segmenter is None:
            _segmenter = _build_segmenter()
    return _segmenter


def _import_quietly(name: str) -> Any:
    """Import a module of jieba's: 0.42.1 imports pkg_resources and has invalid escapes, which warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


def _build_segmenter() -> Any:
    segmenter = _import_quietly("jieba").Tokenizer()
    # Not `initialize()`: it would unmarshal /tmp/jieba.cache, which anyone on the machine may have written.
    segmenter.FREQ, segmenter.total = segmenter.gen_pfdict(segmenter.get_dict_file())
    segmenter.initialized = True
    return segmenter
