"""Slow down who tries key after key: an address has so many wrong ones a minute (SPEC S-02)."""

from collections import OrderedDict
from threading import Lock
from typing import Final, TypeVar

from security.keys.format import hash_key
from security.rest import LocalBuckets

MOST_KNOWN: Final = 10_000
"""Keys a process remembers as good; those of one that was pushed out are looked up as a stranger's."""

MOST_BLOCKED: Final = 10_000
"""Addresses a process keeps blocked at a time; beyond it the first ones are let go."""


K = TypeVar("K")
V = TypeVar("V")


class Guesses:
    """
    Wrong keys by address, in this process; safe to use from several threads.

    An address that spent its wrong keys is not looked up any more until a minute is over. A key that was good
    here before is: behind one proxy many callers have one address, and a guesser must not shut them out. It
    is known by its hash, and asked for in the database as ever.
    """

    def __init__(self) -> None:
        self._wrong = LocalBuckets()
        self._known: OrderedDict[bytes, None] = OrderedDict()
        self._blocked: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def wait(self, address: str, key: str, *, now: float) -> float:
        """Return 0.0 when the key may be looked up, else the seconds until then. now: monotonic seconds."""
        until = self._blocked.get(address, 0.0)
        return 0.0 if until <= now or hash_key(key) in self._known else until - now

    def note_good(self, key: str) -> None:
        """Remember a key that was in force."""
        with self._lock:
            _keep(self._known, hash_key(key), None, most=MOST_KNOWN)

    def note_wrong(self, address: str, key: str, *, per_minute: int, now: float) -> None:
        """Count a key that looked right and was not in force."""
        wait = self._wrong.take({address: per_minute}, now=now)
        with self._lock:
            self._known.pop(hash_key(key), None)
            if wait:
                _keep(self._blocked, address, now + wait, most=MOST_BLOCKED)

    def forget(self) -> None:
        """Let everybody try again."""
        self._wrong.forget()
        with self._lock:
            self._known.clear()
            self._blocked.clear()


def _keep(kept: OrderedDict[K, V], name: K, value: V, *, most: int) -> None:
    kept[name] = value
    kept.move_to_end(name)
    if len(kept) > most:
        kept.popitem(last=False)


GUESSES: Final = Guesses()
