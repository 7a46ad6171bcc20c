"""Fingerprints of what facts are checked against: files, parts of a git repository, flags."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path
from typing import Final

from candor.models import FingerprintRequest, HandleRequest

GIT_SECONDS: Final = 10
CHUNK: Final = 1 << 20


class NoFingerprint(ValueError):
    """There is nothing of that name to take a fingerprint of."""


def file_fingerprint(path: Path | str, *, root: Path | str = ".") -> FingerprintRequest:
    """
    Return the fingerprint of a file: the SHA-256 of its content, under its path from the project's root.

    Raises NoFingerprint when it is no file, or lies outside the root.
    """
    top = Path(root).resolve()
    whole = (top / path).resolve()
    try:
        named = whole.relative_to(top).as_posix()
        digest = _sha256(whole)
    except (OSError, ValueError) as error:
        raise NoFingerprint(f"{path}: {error}") from error
    return FingerprintRequest(handle=HandleRequest(kind="file", path=named), value=digest)


def git_fingerprint(scope: str, *, ref: str = "HEAD", root: Path | str = ".") -> FingerprintRequest:
    """
    Return the fingerprint of a folder or file of a git repository at a ref: its tree's hash.

    scope: from the repository's root, never all of it. Raises NoFingerprint.
    """
    named = f"{ref}:{scope.strip('/')}"
    command = ["git", "-C", str(root), "rev-parse", "--verify", "--quiet", "--end-of-options", named]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=GIT_SECONDS)  # noqa: S603 - no shell
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoFingerprint(f"git: {error}") from error
    if ran.returncode != 0 or not scope.strip("/"):
        raise NoFingerprint(f"{named} is not in the repository")
    return FingerprintRequest(
        handle=HandleRequest(kind="git", ref=ref, scope=scope), value=ran.stdout.strip()
    )


def flag_fingerprint(name: str, setting: str | bool | float) -> FingerprintRequest:
    """Return the fingerprint of a flag: its setting."""
    value = str(setting).lower() if isinstance(setting, bool) else str(setting)
    return FingerprintRequest(handle=HandleRequest(kind="flag", name=name), value=value)


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as content:
        while piece := content.read(CHUNK):
            digest.update(piece)
    return digest.hexdigest()
