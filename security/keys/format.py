"""
The shape of an API key: `cdr_<prefix>_<secret>_<checksum>`.

The checksum lets a mistyped or made-up key be refused without asking the database, and secret scanners tell
a real one from a look-alike by `cdr_[0-9A-Za-z]{8}_[0-9A-Za-z_-]{43}_[0-9A-Za-z]{6}`.
"""

import hashlib
import secrets
import string
import zlib
from dataclasses import dataclass
from typing import Final

from security.patterns import bounded

_SHAPE: Final = bounded(r"(cdr_([0-9A-Za-z]{8})_[0-9A-Za-z_-]{43})_([0-9A-Za-z]{6})")
_BASE62: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase

SECRET_BYTES: Final = 32
"""256 random bits (SPEC S-02): 43 characters of unpadded base64url."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshKey:
    """A key just made: what is stored of it and what is shown once."""

    prefix: str
    secret_hash: bytes
    shown_once: str


def fresh_key(*, external: bool = False) -> FreshKey:
    """Return a new random key; external: one for somebody outside."""
    prefix = "".join(secrets.choice(_BASE62) for _ in range(8))
    body = f"cdr_{prefix}_{secrets.token_urlsafe(SECRET_BYTES)}"
    key = f"{body}_{checksum(body)}"
    return FreshKey(prefix=prefix, secret_hash=hash_key(key, external=external), shown_once=key)


def checksum(body: str) -> str:
    """Return the CRC-32 of the key before its last «_», as six base62 digits."""
    number, digits = zlib.crc32(body.encode()), ""
    for _ in range(6):  # 62^6 is more than 2^32
        number, digit = divmod(number, 62)
        digits = _BASE62[digit] + digits
    return digits


def well_formed(key: str) -> bool:
    """Return whether the key has the right shape and checksum; says nothing of whether it is in force."""
    match = _SHAPE.fullmatch(key)
    return match is not None and secrets.compare_digest(checksum(match[1]), match[3])


def hash_key(key: str, *, external: bool = False) -> bytes:
    """
    Return the SHA-256 that is stored: 256 random bits need no slow hash.

    external: hashed once more, so that it is found only by who asks whether the gate is open.
    """
    digest = hashlib.sha256(key.encode()).digest()
    return hashlib.sha256(digest).digest() if external else digest
