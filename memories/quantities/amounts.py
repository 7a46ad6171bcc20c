"""
Sums of money and proportions (SPEC W-03): $1.2k is 1200 USD, 三分之二 is 2/3, 八成 is 0.8.

Nothing is exchanged. «$» alone is the US dollar; «¥» alone is two currencies and stays itself.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from memories.quantities.numbers import (
    BARE_FIGURES,
    CHINESE,
    FIGURES,
    WORDS,
    read_amount,
    scale_of,
    write_amount,
)
from security.patterns import bounded


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A place in a text that names a sum, or a part of a whole."""

    text: str  #: as written
    span: tuple[int, int]  #: in the text, end exclusive
    amount: Fraction  #: of a proportion exact, in [0, 1]
    currency: str = (
        ""  #: ISO 4217, «¥» where the yen and the yuan cannot be told apart; empty for a proportion
    )

    @property
    def canonical(self) -> str:
        """The one way to write it: `1200 USD`, `0.85`, or `2/3` where no decimal ends."""
        return f"{write_amount(self.amount)} {self.currency}".rstrip()


def _table(text: str) -> dict[str, str]:
    """Return «CODE name name; …» as {name: code}; «_» in a name is a blank."""
    entries = (entry.split() for entry in text.split(";"))
    return {name.replace("_", r"\s"): code for code, *names in entries for name in names}


_CURRENCIES: Final = (
    "USD us$ usd$ $; HKD hk$; TWD nt$; AUD a$ au$; CAD c$ ca$; SGD s$; NZD nz$; MXN mx$; BRL r$;"
    "CNY cn¥ rmb¥; JPY jp¥; EUR €; GBP £; INR ₹; KRW ₩; RUB ₽; TRY ₺; VND ₫; THB ฿; UAH ₴; ILS ₪; ¥ ¥; RMB;"
    "CHF; SEK; NOK; DKK; PLN; CZK; HUF; ZAR; IDR; MYR; PHP; AED; SAR; EGP; NGN; KES"
)
_CODES: Final = tuple(entry.split()[0] for entry in _CURRENCIES.split(";"))
_SYMBOLS: Final = _table(_CURRENCIES)
"""What stands before an amount."""
_NAMES: Final = _table(
    "USD (?:us|u\\.s\\.|american)_dollars? dollars? bucks?; CAD canadian_dollars?; AUD australian_dollars?;"
    "HKD hong_kong_dollars?; SGD singapore_dollars?; EUR euros?; GBP pounds?_sterling british_pounds?;"
    "GBP quid; JPY (?:japanese_)?yen; CNY (?:chinese_)?yuan renminbi; CHF swiss_francs?; INR rupees?;"
    "RUB rubles?; KRW won(?!['\\w]|\\s\\w)"
)
_CHINESE_NAMES: Final = _table(
    "CNY 人民币 元人民币 块钱 塊錢 块 元; USD 美元 美金 美刀; EUR 欧元 歐元; GBP 英镑 英鎊; JPY 日元 日圆;"
    "JPY 日圓; HKD 港元 港币 港幣; TWD 新台币 新臺幣 台币; KRW 韩元; RUB 卢布; CHF 瑞士法郎; CAD 加元;"
    "AUD 澳元; SGD 新加坡元"
)
_SCALE: Final = (
    r"(?:\s?(?P<scale>thousand|million|billion|mio|mn|bn|[kmb]|百万|千万|[千百万萬亿億])(?![a-z]))?"
)


def _one_of(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


_MONEY: Final = tuple(
    bounded(form, re.IGNORECASE)
    for form in (
        rf"(?<![\w$€£¥])(?P<unit>{_one_of(map(re.escape, _SYMBOLS))}|(?:{_one_of(_CODES)})(?=\s?\d))\s?"
        rf"(?P<amount>{BARE_FIGURES}){_SCALE}(?:\s?(?P<code>{_one_of(_CODES)})\b)?",
        rf"(?:人民币\s?)?(?P<amount>{FIGURES}|{CHINESE}){_SCALE}\s?(?P<unit>{_one_of(_CHINESE_NAMES)})"
        r"(?![素首旦宵月件老帅气])",
        rf"(?P<amount>{FIGURES}|{WORDS}){_SCALE}\s?-?(?:of\s)?(?P<unit>(?:{_one_of(_CODES)}|{_one_of(_NAMES)})\b"
        r"|[€£₹₩₽$](?![\d\w]))",
    )
)
_MONEY_SIGN: Final = bounded(
    r"[$€£¥₹₩₽₺₫฿₴₪元块塊币幣金刀镑鎊]|\d\s?[a-z]|[a-z]{3}\s?\d|dollar|buck|euro|quid|yen|yuan|pound|franc|rupee",
    re.IGNORECASE,
)

_PARTS: Final = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10,
}  # fmt: skip
_SHARES: Final = tuple(
    bounded(form, re.IGNORECASE)
    for form in (
        rf"(?P<percent>{FIGURES}|{WORDS})\s?(?:%|percent\b|per\scent\b|pct\b)(?!\s?(?:points?|pp)\b)",
        rf"(?P<some>(?:{FIGURES}|{WORDS}))\sout\sof\s(?:every\s)?(?P<all>(?:{FIGURES}|{WORDS}))(?!\s?(?:stars?|points?)\b)",
        rf"百分之(?P<percent>{BARE_FIGURES}|{CHINESE})"
        r"|(?P<all>\d+|[一二三四五六七八九十百千万]+)分之(?P<some>\d+|[一二两三四五六七八九十百千]+)"
        r"|(?<![一二三四五六七八九十\d])(?P<tenths>[一二两三四五六七八九十]|\d(?:\.\d)?)成"
        r"(?P<hundredths>[一二三四五六七八九])?(?![功为為就果立员員熟长長本都语語人群])|(?P<half>一半)",
        # Behind a part in words stands what it is a part of, or nothing: «a third party» is none.
        r"(?<!\w\s[a]nd\sa\s)\b(?:(?P<count>a|an|one|two|three|four|five|seven|nine)[\s-])?"
        rf"(?P<part>{'|'.join(_PARTS)})s?\b(?=\sof\s(?!an?\s)|\W*$)",
    )
)
_SHARE_SIGN: Final = bounded(rf"%|per\s?cent|pct|\bout\sof\b|{'|'.join(_PARTS)}|分之|成|一半", re.IGNORECASE)


def find_money(text: str) -> tuple[Quantity, ...]:
    """Return the sums a folded text names, in order of place, without overlaps."""
    return _find(text, _MONEY, _read_money) if _MONEY_SIGN.search(text) else ()


def find_proportions(text: str) -> tuple[Quantity, ...]:
    """Return the proportions a folded text names, in order of place; 150 % is none."""
    return _find(text, _SHARES, _read_share) if _SHARE_SIGN.search(text) else ()


def _find(
    text: str,
    forms: Iterable[re.Pattern[str]],
    read: Callable[[re.Match[str]], tuple[Fraction, str] | None],
) -> tuple[Quantity, ...]:
    found: list[Quantity] = []
    taken = bytearray(len(text))
    for form in forms:
        for match in form.finditer(text):
            start, end = match.span()
            told = None if any(taken[start:end]) else read(match)
            if told is not None:
                found.append(Quantity(text=match[0], span=(start, end), amount=told[0], currency=told[1]))
                taken[start:end] = b"\x01" * (end - start)
    return tuple(sorted(found, key=lambda one: one.span))


def _read_money(match: re.Match[str]) -> tuple[Fraction, str]:
    unit = match.groupdict().get("code") or match["unit"]
    if unit.upper() in _CODES:
        currency = "CNY" if unit.upper() == "RMB" else unit.upper()
    else:
        known = _CHINESE_NAMES.get(unit) or _SYMBOLS.get(unit.lower())
        names = (code for name, code in _NAMES.items() if bounded(name, re.IGNORECASE).fullmatch(unit))
        currency = known or next(names)
    return read_amount(match["amount"]) * scale_of(match["scale"]), currency


def _read_share(match: re.Match[str]) -> tuple[Fraction, str] | None:
    told = {name: said for name, said in match.groupdict().items() if said}
    share = Fraction(1, 2)
    if "percent" in told:
        share = read_amount(told["percent"]) / 100
    elif "all" in told:
        whole = read_amount(told["all"])
        share = read_amount(told["some"]) / whole if whole else Fraction(2)
    elif "tenths" in told:
        share = read_amount(told["tenths"]) / 10 + read_amount(told.get("hundredths", "0")) / 100
    elif "part" in told:
        count = told.get("count", "a").lower()
        share = (Fraction(1) if count in ("a", "an") else read_amount(count)) / _PARTS[told["part"].lower()]
    return (share, "") if 0 <= share <= 1 else None
