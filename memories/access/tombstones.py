"""
Know a text that a person had forgotten when it comes again, without having it (SPEC S-05).

What is kept of it are digests: HMAC-SHA-256 under the service's secret key, of the text as `normalised`
leaves it and of each of its sentences, within its tenant. A former key is looked for as long as it stands in
SECRET_KEY_FALLBACKS.
"""

from typing import Final

from django.conf import settings
from django.utils.crypto import salted_hmac

from memories.language import fold_all, split_sentences, strip_guess, words
from tenants.scope import tenant_in_force

FORGOTTEN: Final = "[forgotten]"
"""What stands in the place of a text that was erased from a row which stays."""

EXPIRED: Final = "[expired]"
"""What stands in the place of a capture's text that a rule of retention let go."""

GATE: Final = "forgotten"
REASON: Final = "a person had this text forgotten"

FEWEST_WORDS: Final = 3
"""Words from which a sentence of a forgotten text is known by itself: «Thanks!» may be said again. Ours."""

_SALT: Final = "candor.erasure"
_ENDS: Final = " .!?…。！？\"'“”‘’«»"


class TextForgotten(RuntimeError):
    """A person had this text forgotten. It is not stored again."""


def normalised(text: str) -> str:
    """Return the text as it is told again: folded, lower-cased, without the end of its sentence."""
    return fold_all(strip_guess(text)).strip(_ENDS)


def digest(text: str) -> bytes:
    """Return the digest of a whole text of the tenant in force, 32 bytes. Raises NoTenant."""
    return _digest(text, settings.SECRET_KEY)


def telling_sentences(text: str) -> set[str]:
    """Return the sentences of a forgotten text that say something by themselves."""
    return {part for part in _sentences(text) if len(words(part)) >= FEWEST_WORDS}


def digests(text: str) -> set[bytes]:
    """Return by what a text is known: digests of it and of each of its sentences, under any key in force."""
    parts = {text, *_sentences(text)}
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return {_digest(part, key) for part in parts for key in keys if normalised(part)}


def _sentences(text: str) -> set[str]:
    return {sentence.text for sentence in split_sentences(text)}


def _digest(text: str, key: str | bytes) -> bytes:
    told = f"{tenant_in_force()}\n{normalised(text)}"
    made: bytes = salted_hmac(_SALT, told, secret=key, algorithm="sha256").digest()
    return made
