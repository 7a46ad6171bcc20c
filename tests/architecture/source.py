"""The project's own code as the architecture tests read it."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

APPS = ("config", "console", "evolution", "recall", "memories", "security", "tenants")
"""The floors, the highest first."""

BESIDE = ("bench", "candor", "examples")
"""What stands beside the house and speaks HTTP to it; not all of it need exist."""


def modules(*packages: str) -> list[Path]:
    """Return the Python files of the packages that exist, by path."""
    return sorted(path for package in packages for path in (ROOT / package).rglob("*.py"))


def parsed(path: Path) -> ast.Module:
    """Return the file's syntax tree."""
    return ast.parse(path.read_text("utf-8"))


def imports(path: Path) -> Iterator[str]:
    """Yield the modules that the file imports, wherever in it; relative ones are its own package's."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module


def named(path: Path) -> str:
    """Return the path as it is written from the project's root."""
    return path.relative_to(ROOT).as_posix()
