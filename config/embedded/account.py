"""
Decide which system account runs the embedded servers, and ask what it can reach.

PostgreSQL refuses to run as root, and the account it runs under must be able to walk to its data and to its
binaries. Folders that are not ours are never opened up for it: what it cannot reach is put elsewhere.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.embedded.errors import EmbeddedError

SERVICE_ACCOUNT = "candor"
"""The system user that runs the servers for root; made when missing."""

FALLBACK_ACCOUNT = "nobody"
"""Runs the servers for root where no user can be made (a read-only /etc, no useradd)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A system account that runs the servers; `borrowed` when it is not the one this process runs under."""

    name: str
    uid: int
    gid: int
    borrowed: bool

    def popen_arguments(self) -> dict[str, Any]:
        """Answer the arguments that make `subprocess` switch to this account (none when it is ours)."""
        if not self.borrowed:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def take_over(self, path: Path) -> None:
        """Give a file or folder that we just made to this account."""
        if self.borrowed:
            os.chown(path, self.uid, self.gid)


def choose_account(home: Path) -> Account:
    """
    Choose who runs the servers of a home: ourselves; for root the home's owner, else a system user.

    Raises EmbeddedError when the home exists and belongs to somebody else than an ordinary caller.
    """
    me = os.geteuid()
    owner, group = _owner_of(home) or (me, os.getegid())
    if me != 0 and owner != me:
        raise EmbeddedError(
            f"{home} belongs to {_name(owner)}. Run as that user, or set CANDOR_HOME to a folder of yours."
        )
    if me == 0 and owner == 0:
        return _service_account()
    return Account(name=_name(owner), uid=owner, gid=group, borrowed=me == 0)


def _owner_of(home: Path) -> tuple[int, int] | None:
    try:
        status = home.stat()
    except FileNotFoundError:
        return None
    except PermissionError as error:
        raise EmbeddedError(f"{home} cannot be reached. Set CANDOR_HOME to a folder of yours.") from error
    return status.st_uid, status.st_gid


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)  # a container may run under a bare number


def _service_account() -> Account:
    _make_service_account()
    for name in (SERVICE_ACCOUNT, FALLBACK_ACCOUNT):
        try:
            entry = pwd.getpwnam(name)
            return Account(name=name, uid=entry.pw_uid, gid=entry.pw_gid, borrowed=True)
        except KeyError:
            continue
    raise EmbeddedError(
        "PostgreSQL does not run as root, and no system user could be made for it. "
        f"Add one named {SERVICE_ACCOUNT!r}, start as an ordinary user, or set DATABASE_URL and BROKER_URL."
    )


def _make_service_account() -> None:
    try:
        pwd.getpwnam(SERVICE_ACCOUNT)
    except KeyError:
        useradd = shutil.which("useradd", path="/usr/sbin:/sbin:/usr/bin:/bin")
        if useradd is not None:
            options = ["--system", "--no-create-home", "--home-dir", "/nonexistent", "--shell", "/bin/false"]
            argv = [useradd, *options, SERVICE_ACCOUNT]
            subprocess.run(argv, check=False, capture_output=True)  # noqa: S603 our own command line


def can_enter(account: Account, folder: Path) -> bool:
    """Ask whether the account can walk into a folder (through all the folders above it)."""
    return _test(account, ["sh", "-c", 'cd -- "$1"', "sh", str(folder)])


def can_run(account: Account, program: Path) -> bool:
    """Ask whether the account may execute a file."""
    return _test(account, ["sh", "-c", 'test -x "$1"', "sh", str(program)])


def _test(account: Account, argv: Sequence[str]) -> bool:
    # A child that has become the account asks the kernel itself: access lists, mounts and the like all count.
    try:
        answer = subprocess.run(  # noqa: S603 a fixed test, the path is an argument of its own
            argv,
            check=False,
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            **account.popen_arguments(),
        )
    except PermissionError as error:
        raise EmbeddedError(
            f"This process may not switch to the account {account.name!r}. Start as an ordinary user, "
            "or set DATABASE_URL and BROKER_URL."
        ) from error
    return answer.returncode == 0
