"""Keep an eye on a home's servers for a process that stays: tell what the keeper did, replace the keeper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from config.embedded import locks
from config.embedded.errors import EmbeddedError
from config.embedded.servers import ensure


class ServersWatch:
    """Answers, each time it looks, what happened to the servers since it last did."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._log = home / "log" / "keeper.log"
        self._read_up_to = self._log.stat().st_size

    def look(self) -> Iterator[str]:
        """Yield the keeper's news; when the keeper itself is gone, start the servers again and say so."""
        yield from self._news()
        if not locks.is_held(self._home / "keeper.lock"):
            yield "the keeper of the servers is gone; starting them again"
            try:
                ensure(self._home)
            except EmbeddedError as error:
                yield str(error)
            yield from self._news()

    def _news(self) -> Iterator[str]:
        with self._log.open() as log:
            if self._log.stat().st_size < self._read_up_to:
                self._read_up_to = 0  # the log was set aside and begun anew
            log.seek(self._read_up_to)
            for line in log.read().splitlines():
                yield line.split(" ", 2)[-1]  # without its date and time
            self._read_up_to = log.tell()
