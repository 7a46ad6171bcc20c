"""
Write the table of docs/security.md: what is promised, the tests that prove it, and their controls.

Run by `make proofs`, with `--check` to look only. The promises are docs/proofs.toml. Exits 1 when a name
there is of no test, or, with `--check`, when the table is not the one that would be written.
"""

import argparse
import ast
import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
PROMISES = PROJECT / "docs" / "proofs.toml"
PAGE = PROJECT / "docs" / "security.md"
BEGIN, END = "<!-- proofs: written by `make proofs` -->\n", "<!-- /proofs -->\n"

Promises = Mapping[str, Mapping[str, Any]]


def read_promises(path: Path = PROMISES) -> Promises:
    """Return each promise by its name, in the order of the file."""
    return tomllib.loads(path.read_text("utf-8"))


@cache
def tests_of(path: Path) -> frozenset[str]:
    """Return the names of the tests in a file; none where there is no such file."""
    if not path.is_file():
        return frozenset()
    nodes = ast.parse(path.read_text("utf-8")).body
    return frozenset(
        node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name[:5] == "test_"
    )


def faults(promises: Promises) -> Iterator[str]:
    """Yield what is wrong: a promise without a test or a control, a name of no test."""
    for name, promise in promises.items():
        for part in ("tests", "controls"):
            if not promise.get(part):
                yield f"{name}: no {part}"
            for test in promise.get(part, ()):
                path, _, function = test.partition("::")
                if function not in tests_of(PROJECT / path):
                    yield f"{name}: {test} is no test"


def write_table(promises: Promises) -> str:
    """Return the table in Markdown."""
    rows = ["| promise | proved by | it would be seen: control |", "| --- | --- | --- |"]
    for name, promise in promises.items():
        cells = [_cell(promise[part]) for part in ("tests", "controls")]
        rows.append(f"| **{name}**: {promise['promise']} | {cells[0]} | {cells[1]} |")
    return "\n".join(rows) + "\n"


def _cell(tests: list[str]) -> str:
    """Return the tests by file and name, in words."""
    said = []
    for test in tests:
        path, _, function = test.partition("::")
        said.append(f"[{function.removeprefix('test_').replace('_', ' ')}](../{path})")
    return "<br>".join(said)


def with_table(page: str, table: str) -> str:
    """Return the page with the table in its place. Raises ValueError where it has none."""
    before, found, rest = page.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not found or not ended:
        raise ValueError("the page has no place for the table")
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def main() -> int:
    """Write or check; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="look only")
    check = parser.parse_args().check
    promises = read_promises()
    if wrong := list(faults(promises)):
        print("\n".join(wrong), file=sys.stderr)
        return 1
    page = PAGE.read_text("utf-8")
    written = with_table(page, write_table(promises))
    if check and written != page:
        print(f"{PAGE.relative_to(PROJECT)} is not what `make proofs` writes", file=sys.stderr)
        return 1
    PAGE.write_text(written, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
