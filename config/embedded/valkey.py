"""The embedded Valkey: broker and cache, in memory only. What must not be lost is in PostgreSQL."""

from __future__ import annotations

import signal
import socket as sockets
from pathlib import Path

from config.embedded.layout import Layout

NAME = "valkey"

STOP_SIGNAL = signal.SIGTERM

SETTINGS = {
    "port": "0",  # unix socket only
    "unixsocketperm": "700",
    "save": "",  # messages are hints: a sweeper finds the work that nobody hinted at
    "appendonly": "no",
    "maxmemory": "256mb",
    "maxmemory-policy": "volatile-lru",  # drops cached values, which expire anyway, and never a message
    "daemonize": "no",
    "loglevel": "warning",
}


def socket(layout: Layout) -> Path:
    """Answer where the server listens."""
    return layout.sockets / "valkey.sock"


def command(layout: Layout) -> list[str]:
    """Answer the command line of the server, which stays in the foreground."""
    settings = {**SETTINGS, "unixsocket": str(socket(layout)), "dir": str(layout.data / "valkey")}
    return [str(layout.valkey), *(part for name, value in settings.items() for part in (f"--{name}", value))]


def url(layout: Layout) -> str:
    """Answer the broker's address as Celery reads it."""
    return f"redis+socket://{socket(layout)}"


def why_silent(path: Path) -> str | None:
    """Send a PING; answer None when a PONG comes back, else the reason."""
    try:
        with sockets.socket(sockets.AF_UNIX, sockets.SOCK_STREAM) as wire:
            wire.settimeout(5)
            wire.connect(str(path))
            wire.sendall(b"PING\r\n")
            answer = wire.recv(64)
    except OSError as error:
        return str(error)
    return None if answer == b"+PONG\r\n" else f"it answered {answer!r}"


def clear_away_former(layout: Layout) -> None:
    """Raise BlockingIOError while a former server still answers: at its end it takes the socket along."""
    if why_silent(socket(layout)) is None:
        raise BlockingIOError(f"a former {NAME} is still ending")
