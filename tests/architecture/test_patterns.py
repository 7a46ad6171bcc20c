"""Patterns are compiled in one place, which gives every repeat an end (`security.patterns`)."""

import ast
from collections.abc import Iterator

from tests.architecture.source import APPS, modules, named

SEARCHES = frozenset(
    {"compile", "search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn"}
)
"""Functions of `re` that compile what they are given."""

MAY = {
    "security/patterns.py": "compiles them for everybody",
    "tenants/rls/audit.py": "reads the catalogue's own text; this floor lies below security",
    "tenants/db/statement_batch.py": "reads our own SQL; this floor lies below security",
    "tenants/db/statement_spans.py": "reads SQL that holds no values; this floor lies below security",
    "tenants/sql/queries.py": "reads our own SQL; this floor lies below security",
}
"""Who may compile a pattern without `bounded`, each with its reason: none of it meets a tenant's text."""


def unbounded(source: str) -> Iterator[str]:
    """Yield each call of `re` that compiles a pattern, and each import that hides one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module in ("re", "regex"):
            yield from (f"from re import {one.name}" for one in node.names if one.name in SEARCHES)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id in ("re", "regex")
            and node.func.attr in SEARCHES
        ):
            yield f"{node.lineno}: re.{node.func.attr}"


def test_every_pattern_is_compiled_with_an_end_to_its_repeats() -> None:
    found = [
        f"{name}:{call}"
        for path in modules(*APPS)
        if (name := named(path)) not in MAY
        for call in unbounded(path.read_text("utf-8"))
    ]
    assert found == []


def test_those_who_may_compile_still_do() -> None:
    used = {named(path) for path in modules(*APPS) if list(unbounded(path.read_text("utf-8")))}
    assert used >= set(MAY)


def test_a_pattern_compiled_elsewhere_would_be_found() -> None:
    assert list(unbounded("import re\nre.compile('a+b')\nre.search('x', t)\nfrom re import sub"))
    assert not list(unbounded("import re\nre.escape('a')\nbounded('a+b')\npattern.search('x')"))
