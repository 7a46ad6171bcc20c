"""Money as an amount and a currency, English and Chinese; nothing is exchanged (SPEC W-03)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from memories.normalise.amounts import (
    BARE_FIGURES,
    CHINESE,
    FIGURES,
    WORDS,
    read_amount,
    scale_of,
    write_amount,
)
from security.patterns import bounded

_SYMBOLS: Final = {
    "us$": "USD", "usd$": "USD", "hk$": "HKD", "nt$": "TWD", "a$": "AUD", "au$": "AUD", "c$": "CAD",
    "ca$": "CAD",
    "s$": "SGD", "nz$": "NZD", "mx$": "MXN", "r$": "BRL", "cn¥": "CNY", "rmb¥": "CNY", "jp¥": "JPY",
    "$": "USD", "€": "EUR",
    "£": "GBP", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₫": "VND", "฿": "THB", "₴": "UAH",
    "₪": "ILS", "¥": "¥",
}  # fmt: skip
"""What stands before an amount. «$» alone is the US dollar; «¥» alone is two currencies and stays itself."""

_CODES: Final = [
    "USD",
    "EUR",
    "GBP",
    "CNY",
    "RMB",
    "JPY",
    "CHF",
    "AUD",
    "CAD",
    "NZD",
    "HKD",
    "TWD",
    "SGD",
    "KRW",
    "INR",
    "RUB",
    "BRL",
    "MXN",
    "SEK",
    "NOK",
    "DKK",
    "PLN",
    "CZK",
    "HUF",
    "TRY",
    "ZAR",
    "THB",
    "IDR",
    "MYR",
    "PHP",
    "VND",
    "ILS",
    "AED",
    "SAR",
    "EGP",
    "NGN",
    "KES",
    "UAH",
]
_NAMES: Final = {
    r"(?:us|u\.s\.|american)\sdollars?": "USD", r"(?:canadian)\sdollars?": "CAD",
    r"(?:australian)\sdollars?": "AUD",
    r"(?:hong\skong)\sdollars?": "HKD", r"(?:singapore)\sdollars?": "SGD", r"dollars?": "USD",
    r"bucks?": "USD",
    r"euros?": "EUR", r"pounds?\ssterling": "GBP", r"(?:british)\spounds?": "GBP", r"quid": "GBP",
    r"(?:japanese\s)?yen": "JPY", r"(?:chinese\s)?yuan": "CNY", r"renminbi": "CNY", r"swiss\sfrancs?": "CHF",
    r"rupees?": "INR", r"won(?!['\w]|\s\w)": "KRW", r"rubles?": "RUB",
}  # fmt: skip
_CHINESE_NAMES: Final = {
    "人民币": "CNY", "美元": "USD", "美金": "USD", "美刀": "USD", "欧元": "EUR", "歐元": "EUR", "英镑": "GBP",
    "英鎊": "GBP",
    "日元": "JPY", "日圆": "JPY", "日圓": "JPY", "港元": "HKD", "港币": "HKD", "港幣": "HKD", "新台币": "TWD",
    "新臺幣": "TWD",
    "台币": "TWD", "韩元": "KRW", "卢布": "RUB", "瑞士法郎": "CHF", "加元": "CAD", "澳元": "AUD",
    "新加坡元": "SGD",
    "元人民币": "CNY", "块钱": "CNY", "塊錢": "CNY", "块": "CNY", "元": "CNY",
}  # fmt: skip

_SCALE: Final = (
    r"(?:\s?(?P<scale>thousand|million|billion|mio|mn|bn|[kmb]|百万|千万|[千百万萬亿億])(?![a-z]))?"
)


def _one_of(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


_LEADING: Final = bounded(
    rf"(?<![\w$€£¥])(?P<unit>{_one_of(re.escape(name) for name in _SYMBOLS)}|(?:{_one_of(_CODES)})"
    r"(?=\s?\d))\s?"
    rf"(?P<amount>{BARE_FIGURES}){_SCALE}(?:\s?(?P<code>{_one_of(_CODES)})\b)?",
    re.IGNORECASE,
)
_TRAILING: Final = bounded(
    rf"(?P<amount>{FIGURES}|{WORDS}){_SCALE}\s?-?(?:of\s)?(?P<unit>(?:{_one_of(_CODES)}|{_one_of(_NAMES)})\b"
    r"|[€£₹₩₽$](?![\d\w]))",
    re.IGNORECASE,
)
_CHINESE: Final = bounded(
    rf"(?:人民币\s?)?(?P<amount>{FIGURES}|{CHINESE}){_SCALE}\s?(?P<unit>{_one_of(_CHINESE_NAMES)})"
    r"(?![素首旦宵月件老帅气])",
    re.IGNORECASE,
)
_SIGN: Final = bounded(
    r"[$€£¥₹₩₽₺₫฿₴₪元块塊币幣金刀镑鎊]|\d\s?[a-z]|[a-z]{3}\s?\d|dollar|buck|euro|quid|yen|yuan|pound|franc"
    r"|rupee",
    re.I,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyMention:
    """A place in a text that names a sum."""

    text: str  #: as written
    span: tuple[int, int]  #: in the text, end exclusive
    amount: Fraction
    currency: str  #: ISO 4217; «¥» where the yen and the yuan cannot be told apart

    @property
    def canonical(self) -> str:
        """The one way to write this sum: `1200 USD`."""
        return f"{write_amount(self.amount)} {self.currency}"


def find_money(text: str) -> tuple[MoneyMention, ...]:
    """Return the sums a folded text names, in order of place, without overlaps."""
    if not _SIGN.search(text):
        return ()
    found: list[MoneyMention] = []
    taken = bytearray(len(text))
    for pattern in (_LEADING, _CHINESE, _TRAILING):
        for match in pattern.finditer(text):
            start, end = match.span()
            if not any(taken[start:end]):
                found.append(_read(match))
                taken[start:end] = b"\x01" * (end - start)
    return tuple(sorted(found, key=lambda mention: mention.span))


def _read(match: re.Match[str]) -> MoneyMention:
    groups = match.groupdict()
    return MoneyMention(
        text=match[0],
        span=match.span(),
        amount=read_amount(match["amount"]) * scale_of(match["scale"]),
        currency=_currency(groups.get("code") or match["unit"]),
    )


def _currency(unit: str) -> str:
    """Return the code of a symbol, a code or a name."""
    if unit.upper() in _CODES:
        return "CNY" if unit.upper() == "RMB" else unit.upper()
    if unit in _CHINESE_NAMES:
        return _CHINESE_NAMES[unit]
    if unit.lower() in _SYMBOLS:
        return _SYMBOLS[unit.lower()]
    return next(code for name, code in _NAMES.items() if bounded(name, re.IGNORECASE).fullmatch(unit))
