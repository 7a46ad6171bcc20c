"""Tell a secret from an ordinary word standing where a secret would stand: «the password is expired»."""

import math
import re
from collections import Counter
from typing import Final

from security.patterns import bounded


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PLACEHOLDER: Final = bounded(
    r"\[secret:|[$%]?[{<(\[%]|\$[A-Za-z_]|[*x.•…_-]{3,}$|(?:your|my|the|some|an?)[-_ ]"
    r"|(?:os|env|process|settings|self|config|secrets|vault|ssm|vars|request|args|data|user|this)[.\[:]"
    r"|getenv|none\b|null\b|true\b|false\b|undefined\b",
    re.IGNORECASE,
)
_CODE: Final = bounded(
    r"[A-Za-z_][\w.]*[(\[{]|[A-Za-z_]+(?:\.[A-Za-z_]+)+$|[a-z]+(?:_[a-z]+)+$|[a-z]+-[a-z]+$"
)
_SIGN: Final = bounded(r"[!@#$%^&*?+=~]")

SHORTEST_TOKEN: Final = 12
"""Characters of the shortest value of a key or token that is believed."""
TOKEN_ENTROPY: Final = 2.8
"""Bits a character of such a value, at least: a date has less, a hash of any kind more."""
RANDOM_ENTROPY: Final = 4.0
"""Bits a character that make a value random by itself, where no name says what it is."""

NOT_SECRETS: Final = _set(
    """
    a an the my your our their his her its this that these those it not now never always already still
    also only just being been too very so more less much same different new old own default empty blank
    null none required mandatory optional missing wrong correct incorrect right invalid valid expired weak
    strong secure insecure safe unsafe unknown known public private secret hidden visible needed necessary
    important ready here there below above inside somewhere elsewhere unique random long short simple
    complex hard easy common plain plaintext cleartext hashed salted encrypted stored saved kept checked
    sent set reset changed rotated shared leaked exposed compromised gone lost forgotten okay fine good
    bad working broken failing string str text bytes int integer number type field value name input column
    char varchar boolean bool object bcrypt argon argon2 scrypt pbkdf2 sha1 sha256 sha512 md5 oauth oauth2
    oidc saml ldap sso mfa 2fa totp jwt hmac in on at by to for from with without of as if when where what
    who why how and or but because until rotation policy manager protection prompt authentication reuse
    hash hashing encryption generator true false yes no
    """
)
"""Words that follow «password is» without being one. Our own list."""


def looks_like_password(value: str) -> bool:
    """Say whether a value given to a password is one: no word of the trade, no placeholder, no code."""
    bare = value.strip("\"'`“”‘’「」『』")
    if len(bare) < 3 or _PLACEHOLDER.match(bare):
        return False
    if value != bare:
        return bare.lower() not in NOT_SECRETS
    return bare.lower() not in NOT_SECRETS and not _CODE.match(bare)


def looks_mixed(value: str) -> bool:
    """Say whether a value is no plain word: at least 4 characters, letters together with digits or signs."""
    if len(value) < 4 or _PLACEHOLDER.match(value) or _CODE.match(value) or value.lower() in NOT_SECRETS:
        return False
    letters, digits = any(c.isalpha() for c in value), any(c.isdigit() for c in value)
    return letters + digits + bool(_SIGN.search(value)) >= 2


def looks_like_pin(value: str) -> bool:
    """Say whether a value said to be a password may be a number alone or a mixed one."""
    return value.isdigit() or looks_mixed(value)


def looks_spoken(value: str) -> bool:
    """
    Say whether what follows «the password is» is the password.

    A mixed value is; a plain word only when it is no word of the trade («expired») and no participle.
    """
    if looks_like_pin(value):
        return True
    bare = value.lower()
    ordinary = bare in NOT_SECRETS or bounded(r"(?:ed|ing|able|ible|ly|ory|ary)$").search(bare)
    return len(bare) >= 4 and bare.isalpha() and not ordinary


def looks_like_token(value: str) -> bool:
    """Say whether a value given to a key or token is one: 12 characters, letters and digits, irregular."""
    if len(value) < SHORTEST_TOKEN or _PLACEHOLDER.match(value):
        return False
    has_digit = any(c.isdigit() for c in value)
    has_letter = any(c.isalpha() for c in value)
    return has_digit and has_letter and entropy(value) >= TOKEN_ENTROPY


def looks_random(value: str) -> bool:
    """Say whether a value is random: small and capital letters and digits, at least 4 bits a character."""
    mixed = all(any(test(c) for c in value) for test in (str.islower, str.isupper, str.isdigit))
    return mixed and entropy(value) >= RANDOM_ENTROPY


def entropy(value: str) -> float:
    """Return Shannon's entropy of the characters of a text, in bits a character; 0 for an empty one."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())
