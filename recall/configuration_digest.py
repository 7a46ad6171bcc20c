"""
What recalls are answered with: the engine of this process, and all that is in force in a tenant (SPEC S-06).

# Note [The engine is its code]
A filter that is written, tested and not called is a change of code, and no number in a table tells of it. So
the engine is the digest of the sources that decide what is shown to whom: a release that touches one of them
shuts every gate until a shadow run has passed with it. Pages, addresses and JSON forms do not belong to it.
"""

import hashlib
from pathlib import Path
from typing import Final

from django.conf import settings

from security.gate import in_force

ROOT: Final = Path(__file__).resolve().parent.parent

SOURCES: Final = (
    "recall/**/*.py", "recall/**/*.sql",
    "memories/migrations/**/*.sql", "memories/sql/*.sql", "memories/access/visibility.py",
    "memories/storage/read.py", "memories/vectors/vector_spaces.py", "memories/queries.py",
    "tenants/sql/*.py", "tenants/sql/*.sql", "tenants/db/*.py",
    "security/migrations/**/*.sql", "security/keys/lifecycle.py", "security/people/viewers.py",
    "security/rest/api_view.py",
    "tenants/migrations/**/*.sql", "tenants/managers.py", "tenants/rights.py", "tenants/scope.py",
    "tenants/rls/*.py",
)  # fmt: skip
"""What decides what is shown to whom."""

BESIDE: Final = ("admin", "apps", "http", "serializers", "urls", "views", "tasks")
"""Beginnings of names of files and folders that decide nothing of it."""


def engine() -> str:
    """Return the digest of the engine in force: its alias, and the sources as they lie on the disk."""
    digest = hashlib.sha256(f"{settings.RECALL_ENGINE}\n".encode())
    for path in engine_sources():
        digest.update(f"{path.relative_to(ROOT).as_posix()}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def engine_sources() -> list[Path]:
    """Return the files that are the engine, in one order everywhere."""
    found = {path for pattern in SOURCES for path in ROOT.glob(pattern)}
    return sorted(path for path in found if not _stands_beside(path))


def _stands_beside(path: Path) -> bool:
    return any(part.startswith(BESIDE) for part in path.relative_to(ROOT).parts[1:])


def fingerprint() -> str:
    """Return the digest of what is in force for the tenant in force, with this engine. Raises NoTenant."""
    return in_force()
