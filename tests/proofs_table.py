"""
Write the tables of docs/security.md: promises, what proves them, controls; properties by number; standards.

Run by `make proofs`, with `--check` to look only. The promises are docs/proofs.toml, the properties by number
docs/proofs_by_number.toml, what standards ask docs/standards.toml. Exits 1 when a name there is of no test,
no promise or no property, something has neither proof nor reason, or, with `--check`, when a table is not
the one that would be written.
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
NUMBERED = PROJECT / "docs" / "proofs_by_number.toml"
BEGIN, END = "<!-- proofs: written by `make proofs` -->\n", "<!-- /proofs -->\n"
BEGIN_NUMBERS, END_NUMBERS = "<!-- numbers: written by `make proofs` -->\n", "<!-- /numbers -->\n"
STANDARDS = PROJECT / "docs" / "standards.toml"
BEGIN_STANDARDS, END_STANDARDS = "<!-- standards: written by `make proofs` -->\n", "<!-- /standards -->\n"
PROPERTIES = 67

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


def faults_by_number(numbered: Promises, promises: Promises) -> Iterator[str]:
    """Yield what is wrong: a number left out, a name of no test or promise, neither proof nor reason."""
    if list(numbered) != [str(number) for number in range(1, PROPERTIES + 1)]:
        yield f"the properties are not numbered from 1 to {PROPERTIES}"
    for number, one in numbered.items():
        if not (one.get("promises") or one.get("tests") or one.get("missing")):
            yield f"{number}: neither proved nor said to be missing"
        yield from (
            f"{number}: no promise {name}" for name in one.get("promises", ()) if name not in promises
        )
        for test in (*one.get("tests", ()), *one.get("controls", ())):
            path, _, function = test.partition("::")
            if function not in tests_of(PROJECT / path):
                yield f"{number}: {test} is no test"


def faults_of_standards(standards: Promises, numbered: Promises) -> Iterator[str]:
    """Yield what is wrong: a name of no test or property, neither proof nor reason."""
    for name, one in standards.items():
        if not (one.get("numbers") or one.get("tests") or one.get("missing")):
            yield f"{name}: neither proved nor said to be missing"
        yield from (
            f"{name}: no property {number}"
            for number in one.get("numbers", ())
            if str(number) not in numbered
        )
        for test in one.get("tests", ()):
            path, _, function = test.partition("::")
            if function not in tests_of(PROJECT / path):
                yield f"{name}: {test} is no test"


def write_standards(standards: Promises) -> str:
    """Return the table of standards in Markdown: whether each demand is held, by what, and what is not."""
    rows = [
        "| demand | in our words | held | proved by | what is not held |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, one in standards.items():
        numbers = ", ".join(str(number) for number in one.get("numbers", ()))
        told = "<br>".join(filter(None, (numbers and f"properties {numbers}", _cell(one.get("tests", [])))))
        missing = str(one.get("missing", ""))
        rows.append(f"| {name} | {one['title']} | {_held(told, missing)} | {told} | {missing} |")
    return "\n".join(rows) + "\n"


def _held(told: str, missing: str) -> str:
    return "yes" if not missing else "partly" if told else "no"


def write_numbers(numbered: Promises) -> str:
    """Return the table by number in Markdown: whether each is held, by what, and what of it is not."""
    rows = ["| # | property | held | proved by | what is not held |", "| --- | --- | --- | --- | --- |"]
    for number, one in numbered.items():
        proofs = [f"**{name}**" for name in one.get("promises", ())]
        linked = _cell([*one.get("tests", ()), *one.get("controls", ())])
        told = "<br>".join(filter(None, (", ".join(proofs), linked)))
        missing = str(one.get("missing", ""))
        rows.append(f"| {number} | {one['title']} | {_held(told, missing)} | {told} | {missing} |")
    return "\n".join(rows) + "\n"


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


def with_table(page: str, table: str, *, begin: str = BEGIN, end: str = END) -> str:
    """Return the page with the table in its place. Raises ValueError where it has none."""
    before, found, rest = page.partition(begin)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        raise ValueError("the page has no place for the table")
    return f"{before}{begin}\n{table}\n{end}{after}"


def written(page: str) -> str:
    """Return the page with its tables as their files have them."""
    page = with_table(page, write_table(read_promises()))
    page = with_table(page, write_numbers(read_promises(NUMBERED)), begin=BEGIN_NUMBERS, end=END_NUMBERS)
    standards = write_standards(read_promises(STANDARDS))
    return with_table(page, standards, begin=BEGIN_STANDARDS, end=END_STANDARDS)


def main() -> int:
    """Write or check; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="look only")
    check = parser.parse_args().check
    promises = read_promises()
    numbered = read_promises(NUMBERED)
    wrong = [
        *faults(promises), *faults_by_number(numbered, promises),
        *faults_of_standards(read_promises(STANDARDS), numbered),
    ]  # fmt: skip
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    page = PAGE.read_text("utf-8")
    after = written(page)
    if check and after != page:
        print(f"{PAGE.relative_to(PROJECT)} is not what `make proofs` writes", file=sys.stderr)
        return 1
    PAGE.write_text(after, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
