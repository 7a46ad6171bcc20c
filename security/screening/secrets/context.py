"""
Secrets given away by what stands around them: assignments, headers, URLs, and plain sentences that tell one.

What a pattern catches is only a candidate; `believe` looks at the value itself, so that «the password is
expired» stays. Patterns begin at a fixed word and every repetition is bounded: linear in the text.
"""

import re
from collections.abc import Callable
from typing import Final

from security.patterns import bounded
from security.screening.secrets.shapes import Rule
from security.screening.secrets.values import (
    looks_like_password,
    looks_like_pin,
    looks_like_token,
    looks_mixed,
    looks_random,
    looks_spoken,
)

_QUOTED: Final = (
    r"""\\?(?:"[^"\n]{1,200}"|'[^'\n]{1,200}'|`[^`\n]{1,200}`"""
    r"""|“[^”\n]{1,200}”|‘[^’\n]{1,200}’|「[^」\n]{1,200}」)"""
)
_BARE_CHARACTER: Final = r"""[^\s"'`“”‘’<>,;，。；、！？（）「」\u2e80-\u9fff]"""
_BARE: Final = rf"{_BARE_CHARACTER}{{3,2000}}"
_VALUE: Final = rf"(?P<secret>{_QUOTED}|{_BARE})"
_ASSIGN: Final = (
    r"""\\?["'`\])]{0,2}[ \t]{0,4}(?:(?::[ \t]{0,2}str[ \t]{0,2})?(?:=>|:=|={1,3}|:)|→|->)[ \t]{0,4}"""
)
_LOGIN: Final = r"(?:pass(?:word|wd|phrase|code)|(?<![A-Za-z])(?:pwd|pw|pass))"
_KEY: Final = (
    r"(?:(?:api|access|auth|secret|private|encryption|signing|master|client|service|app|account|license|shared"
    r"|admin|bot|deploy|registration|webhook)[ _.-]?(?:key|token|secret|credential)s?(?:[ _.-]?id)?"
    r"|(?<![A-Za-z_])(?:[A-Z0-9]{1,20}_){1,4}(?:KEY|TOKEN|SECRET)|(?<![A-Za-z])(?:token|secret|apikey))"
)
_OF: Final = r"(?:\s{1,3}(?:for|to|of|on|at|in)\s[^\n.:;=?!]{1,60}?)?"
_IS: Final = (
    r"\s{1,3}(?:is|was|are|will\sbe"
    r"|(?:(?:is|was|(?:has|have|had)\sbeen)\s)?(?:changed|set|reset|updated|rotated)\sto)"
    r"(?:\s(?:now|still|currently|again))?:?\s{1,3}"
)
_SENTENCE_ENDS: Final = (
    r"(?=[\"'`.,;:!?)]{0,4}(?:\s{0,9}$|\s{0,9}\n|(?<=[.,;:!?)\"'`])\s|\s(?:and|but|for|on|in|at|as|so)\b))"
)
_ZH_LOGIN: Final = r"(?:密码|口令|PIN码)"
_ZH_BECAME: Final = r"是|为|叫|(?:改|设|换|变|重置|设置|修改|更新|更改|调整)(?:成了|为了|成|为|到|了)"
_ZH_IS: Final = rf"[^\n。，；,;!-~]{{0,12}}?(?:\([^()\n]{{1,20}}\))?(?:[:=]|{_ZH_BECAME})[:\s]{{0,3}}"


def _rule(kind: str, needles: str, pattern: str, believe: Callable[[str], bool] | None = None) -> Rule:
    """Build a rule that minds no letter case; needles are separated by spaces."""
    compiled = bounded(pattern, re.IGNORECASE | re.ASCII)
    return Rule(kind=kind, needles=tuple(needles.split()), pattern=compiled, believe=believe)


_HEADERS_AND_URLS: Final = (
    _rule(
        "url_password",
        "://",
        r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}://"
        r"[^\s/:@'\"<>]{0,128}:(?P<secret>[^\s/'\"<>]{1,200})@(?=[\w\[%.$-])",
        looks_like_password,
    ),
    _rule(
        "url_password",  # of a database, where an unescaped slash is more likely than a path with an @
        "://",
        r"(?<![a-z0-9])(?:postgres|mysql|mariadb|mongodb|redis|amqp|clickhouse|mssql|oracle)[a-z+]{0,12}://"
        r"[^\s/:@'\"<>]{0,128}:(?P<secret>[^\s'\"<>]{1,200})@(?=[\w\[%.$-])",
        looks_like_password,
    ),
    _rule(
        "authorization",
        "authorization",
        r"authorization[\"'\\]{0,3}\s{0,3}[:=]\s{0,3}[\"'\\]{0,2}"
        r"(?:bearer|basic|token|apikey|key|digest|negotiate|ssws)\s{1,3}(?P<secret>[\w.~+/=:-]{8,4000})",
        looks_like_password,
    ),
    _rule("bearer_token", "bearer", r"\bbearer[\s:]{1,3}(?P<secret>[\w.~+/=-]{16,4000})", looks_like_token),
    _rule(
        "password",
        "curl wget",
        r"(?<![\w-])(?:-u|--user|--proxy-user)[ =][\"']?[\w.@-]{1,64}:(?P<secret>[^\s\"']{3,128})",
        looks_like_password,
    ),
)

_ASSIGNED: Final = (
    _rule("password", "pass pwd pw", _LOGIN + _ASSIGN + rf"(?P<secret>{_QUOTED})", looks_like_password),
    _rule("password", "pass pwd pw", _LOGIN + _ASSIGN + rf"(?P<secret>{_BARE})", looks_mixed),
    _rule(
        "password",
        "pass pwd pw",
        _LOGIN + _ASSIGN + rf"(?P<secret>[^\W_]{{4,40}}){_SENTENCE_ENDS}",
        looks_spoken,
    ),
    _rule("api_key", "key token secret credential", _KEY + _ASSIGN + _VALUE, looks_like_token),
    _rule(
        "aws_secret_key",
        "aws akia asia",
        r"(?<![\w/+=.-])(?P<secret>[a-z0-9/+]{40})(?![\w/+=])",
        looks_random,
    ),
)

_TOLD: Final = (
    _rule("password", "pass pwd pw", _LOGIN + _OF + _IS + rf"(?P<secret>{_QUOTED})", looks_like_password),
    _rule("password", "pass pwd pw", _LOGIN + _OF + _IS + rf"(?P<secret>{_BARE})", looks_like_pin),
    _rule(
        "password",
        "pass pwd pw",
        _LOGIN + _OF + _IS + rf"(?P<secret>[^\W_]{{4,40}}){_SENTENCE_ENDS}",
        looks_spoken,
    ),
    _rule(
        "password",
        "pass pwd",
        r"\b(?:set|changed?|reset|updated?|rotated?)\s[^\n.:;]{0,40}?(?:password|passphrase|passcode|pwd)"
        rf"{_OF}\s(?:back\s)?to:?\s(?P<secret>{_QUOTED}|{_BARE})",
        looks_like_pin,
    ),
    _rule(
        "password",
        "pass",
        # From its beginning only: else each character of a long word would begin a try of its own.
        rf"(?<!{_BARE_CHARACTER})(?P<secret>{_BARE})\s(?:is|as)\s(?:the|my|our|your|his|her|a)\s(?:\w{{1,20}}\s){{0,2}}"
        r"(?:password|passphrase|passcode)\b",
        looks_mixed,
    ),
    _rule(
        "password",
        "pass",
        r"\b(?:password|passphrase|passcode)(?:,|\s[-–—])?\s(?P<secret>[^\s,;\"'<>:=]{6,64})",
        looks_mixed,
    ),
    _rule(  # «the API key authentication-middleware2» is a name: a token has more figures
        "api_key",
        "key token secret",
        _KEY + r"\s(?=(?:[^\s\d]{0,60}\d){4})(?P<secret>[^\s,;\"'<>:=]{16,200})",
        looks_like_token,
    ),
    _rule(
        "pin",
        "pin",
        r"\bpin(?:\s?(?:code|number))?" + _OF + r"(?:\sis|:|\s?=|\swas)\s{0,3}(?P<secret>\d{4,8})\b",
    ),
    _rule("api_key", "key token secret", _KEY + _OF + _IS + _VALUE, looks_like_token),
    _rule(
        "password",
        "cred login",
        r"\b(?:credentials?|creds|logins?)(?:\s(?:are|is))?\s{0,2}:?\s{1,2}"
        r"[a-z][\w.@-]{1,40}\s?[/:|]\s?(?P<secret>[^\s/,;]{4,64})",
        looks_mixed,
    ),
)

_TOLD_IN_CHINESE: Final = (
    _rule("password", "密码 口令 pin码", _ZH_LOGIN + _ZH_IS + rf"(?P<secret>{_QUOTED})", looks_like_password),
    _rule(
        "password",
        "密码 口令 pin码",
        _ZH_LOGIN
        + _ZH_IS
        + r"(?P<secret>[!-~]{4,2000}+)(?!\s?(?:位|个|加密|哈希|算法|字符|格式|类型|认证|登录))",
        looks_like_password,
    ),
    _rule(
        "api_key",
        "密钥 秘钥 令牌 凭证 token key",
        rf"(?:(?:密钥|秘钥|令牌|凭证){_ZH_IS}|(?:token|key)\s?(?:{_ZH_BECAME})\s?)"
        r"[\"'`“「]?(?P<secret>[!-~]{12,2000})",
        looks_like_token,
    ),
)

CONTEXTS: Final[tuple[Rule, ...]] = _HEADERS_AND_URLS + _ASSIGNED + _TOLD + _TOLD_IN_CHINESE
"""Secrets known by their neighbourhood, after those known by shape."""
