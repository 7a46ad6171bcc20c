"""Where our code takes locks, found in its source: statements of SQL files, and calls in Python."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tenants.sql import load_queries
from tests.isolation.ledger import locks_in

PROJECT: Final = Path(__file__).resolve().parents[2]
APPS: Final = ("tenants", "security", "memories", "recall", "evolution", "config")
TAKING: Final = frozenset({"lock_tenant", "lock_and_run", "select_for_update"})


def locking_statements() -> dict[str, str]:
    """Return every statement of our SQL files that takes a lock, by file and name, without its comments."""
    return {
        f"{path.relative_to(PROJECT)} {name}": text
        for app in APPS
        for path in sorted((PROJECT / app).glob("**/sql/*.sql"))
        if "migrations" not in path.parts
        for name, text in load_queries(path).items()
        if locks_in(text) or "pg_advisory" in text
    }


def locking_calls() -> list[str]:
    """Return every call in our Python that takes a lock: file, function, what is called and with what."""
    return [
        f"{path.relative_to(PROJECT)} {call}"
        for app in APPS
        for path in sorted((PROJECT / app).rglob("*.py"))
        for call in calls_in(path.read_text("utf-8"))
    ]


def calls_in(source: str) -> list[str]:
    """Return the calls of one module that take a lock, in their order."""
    return list(_calls(ast.parse(source), ""))


def _calls(node: ast.AST, inside: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        is_named = isinstance(child, ast.FunctionDef | ast.ClassDef)
        where = f"{inside}.{child.name}".lstrip(".") if is_named else inside  # type: ignore[attr-defined]
        if isinstance(child, ast.Call) and _name(child.func) in TAKING:
            with_what = ast.unparse(child.args[0]) if child.args else ""
            yield f"{where}: {_name(child.func)}({with_what})"
        if isinstance(child, ast.Tuple) and child.elts and _is_hold(child.elts[0]):
            yield f"{where}: {ast.unparse(child)}"
        yield from _calls(child, where)


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _is_hold(first: ast.expr) -> bool:
    return isinstance(first, ast.Constant) and first.value == "hold_lock"


def facts() -> list[str]:
    """Return every lock that our code takes, one a line, in order."""
    statements = [
        f"{name}: {lock}"
        for name, text in locking_statements().items()
        for lock in locks_in(text) or ["pg_advisory_xact_lock"]
    ]
    return sorted([*statements, *locking_calls()])
