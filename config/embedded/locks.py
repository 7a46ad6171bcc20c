"""
File locks between the processes of one home.

# Note [Three locks]
users.lock   held shared by every process that uses the servers, for its life; whoever gets it exclusive
             knows that nobody does. A forked child shares its parent's hold.
start.lock   held exclusive while somebody prepares and starts the servers, so that they start once.
keeper.lock  held exclusive by the keeper, for its life. Held = there is a keeper; its text names its pid.
The kernel lets go of them when a process ends, however it ends: a lock is never stale, as a pid file can be.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def open_lock(path: Path) -> int:
    """Open a lock file, made when missing, and answer its descriptor; other programs do not inherit it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    owner = path.parent.stat()
    if os.geteuid() == 0 and owner.st_uid != 0:
        os.fchown(
            descriptor, owner.st_uid, owner.st_gid
        )  # or the home's owner could not lock it after root did
    return descriptor


def take_shared(path: Path) -> int:
    """Wait for a shared lock and answer the descriptor that holds it; closing it lets go."""
    descriptor = open_lock(path)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return descriptor


def try_exclusive(path: Path) -> int | None:
    """Take an exclusive lock at once and answer the descriptor that holds it, or None."""
    descriptor = open_lock(path)
    with suppress(BlockingIOError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return descriptor
    os.close(descriptor)
    return None


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Wait for an exclusive lock and hold it within the block."""
    descriptor = open_lock(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def is_free(path: Path) -> bool:
    """Ask whether nobody holds the lock at all."""
    descriptor = try_exclusive(path)
    if descriptor is not None:
        os.close(descriptor)
    return descriptor is not None


def is_named(path: Path, descriptor: int) -> bool:
    """Ask whether the path still names the file that is open here; a folder may be deleted and made anew."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def is_held(path: Path) -> bool:
    """Ask whether somebody holds the lock exclusive; asking disturbs nobody for longer than the question."""
    if not path.exists():
        return False
    descriptor = open_lock(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
