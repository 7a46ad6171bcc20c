"""Rules of the house that a reader would otherwise have to check by eye."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from bench.rig.jsonl import read_jsonl as bench_lines
from evolution.erasure import read_receipts as receipts
from examples.fleet.check import read_lines as example_lines
from tests.architecture.source import APPS, BESIDE, ROOT, modules, named, parsed

LONGEST = 60
"""Lines of a function; a longer one says why in a comment that begins `# long:`."""

TYPICAL = 15
"""Lines of the median function, at most."""

NAMELESS = {"utils.py", "helpers.py", "services.py", "api.py", "logic", "utils", "helpers", "services"}
"""Names that say nothing of what is inside, so that everything ends up there."""

READS_ENVIRONMENT = {
    "config/settings/environment.py": "where settings are read",
    "config/celery.py": "names the settings before they exist",
    "config/wsgi.py": "names the settings before they exist",
    "manage.py": "names the settings before they exist",
    "config/embedded/": "runs before the settings, which need its addresses",
    "config/supervisor/": "hands the environment on to its children; NO_COLOR of the terminal",
    "config/management/commands/up.py": "hands the environment on to a child",
    "memories/embedders/engine.py": "sets OpenMP's variables, which are read when its library is loaded",
    "memories/embedders/engine_process.py": "hands the environment on to a child",
    "bench/": "measures from outside, without settings",
    "examples/": "runs from outside, without settings",
    "candor/": "a client, without settings",
}
"""Who may touch the environment, each with its reason."""


def functions(source: str) -> Iterator[tuple[str, int, bool]]:
    """Yield each function's name, its lines from `def` to the end, and whether it gives a reason for them."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first, last = node.lineno, node.end_lineno or node.lineno
            reason = any(re.search(r"# long: \S", line) for line in lines[first - 1 : last])
            yield node.name, last - first + 1, reason


def code() -> list[Path]:
    """Return the files of the project's own code; migrations are written by Django."""
    paths = [*modules(*APPS, *BESIDE), ROOT / "manage.py"]
    return [path for path in paths if "migrations" not in path.parts]


def test_no_function_is_long_without_a_reason() -> None:
    long = [
        (named(path), name, size)
        for path in code()
        for name, size, reason in functions(path.read_text("utf-8"))
        if size > LONGEST and not reason
    ]
    assert long == []


def test_the_median_function_is_short(record_property: Any) -> None:
    sizes = [size for path in code() for _, size, _ in functions(path.read_text("utf-8"))]
    record_property("functions", len(sizes))
    record_property("median", median(sizes))
    assert median(sizes) <= TYPICAL


def test_a_functions_lines_and_its_reason_are_found() -> None:
    bare = "def bare():\n    x = 1\n    return x\n"
    reasoned = "async def reasoned():\n    # long: a table reads best whole\n    pass\n"
    source = bare + reasoned
    assert list(functions(source)) == [("bare", 3, False), ("reasoned", 3, True)]


def test_no_file_has_a_name_that_says_nothing() -> None:
    nameless = {named(path) for path in modules(*APPS, *BESIDE, "tests") if NAMELESS & set(path.parts)}
    assert nameless == set()


def test_requirements_name_no_registry() -> None:
    found = {
        (named(path), line)
        for path in (ROOT / "requirements").rglob("*.*")
        for line in path.read_text("utf-8").splitlines()
        if "://" in line or line.startswith(("-i", "--index-url", "--extra-index-url", "--find-links", "-f"))
    }
    assert found == set()


def test_every_pinned_package_has_a_hash() -> None:
    locked = sorted((ROOT / "requirements").rglob("*.txt"))
    assert len(locked) > 2
    for path in locked:
        text = path.read_text("utf-8")
        entries = re.findall(r"^[a-zA-Z0-9_.\[\]-]+==[^\n]*(?:\n(?![a-zA-Z]).*)*", text, re.MULTILINE)
        assert entries
        assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


def test_the_environment_is_read_in_one_place() -> None:
    readers = {
        named(path)
        for path in code()
        if re.search(r"\bos\.(environ|getenv|putenv)\b|from os import .*environ", path.read_text("utf-8"))
    }
    strangers = {reader for reader in readers if not reader.startswith(tuple(READS_ENVIRONMENT))}
    assert strangers == set()


def test_no_module_looks_like_it_was_left_for_later() -> None:
    left = {
        named(path)
        for path in code()
        if re.search(r"#\s*(TODO|FIXME|XXX|HACK)\b|raise NotImplementedError\(\)", path.read_text("utf-8"))
    }
    assert left == set()


def splits_json(source: str) -> Iterator[int]:
    """Yield the lines where `splitlines` cuts what `json.loads` reads, or a `.jsonl` file."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            written = ast.unparse(node)
            if "json.loads" in written or ".jsonl" in written:
                yield from (
                    inner.lineno
                    for inner in ast.walk(node)
                    if isinstance(inner, ast.Attribute) and inner.attr == "splitlines"
                )


def test_json_lines_end_at_line_feeds_only() -> None:
    # `str.splitlines` ends a line at U+2028, too, which JSON allows inside a string.
    paths = [*code(), *modules("docs")]
    cut = [(named(path), line) for path in paths for line in splits_json(path.read_text("utf-8"))]
    assert cut == []


def test_a_splitlines_near_json_would_be_noticed() -> None:
    assert list(
        splits_json("def read(path):\n    return map(json.loads, path.read_text().splitlines())")
    ) == [2]


def test_a_line_separator_inside_a_string_breaks_no_json_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [{"text": "one\u2028two\u0085three\x1cfour"}, {"text": "five"}]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")

    assert bench_lines(path) == example_lines(path) == receipts(path) == rows


ELSEWHERE = re.compile(r"\b(?:PROOFS|DESIGN|HOUSE|STYLE|ECOSYSTEM) (?:§|\d)")
"""Citations of papers that a reader of this project does not have. SPEC's rules are in docs/spec.toml."""


def test_nothing_is_cited_that_is_not_here() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*/**/sql/*.sql")]
    read = [*modules(*APPS, *BESIDE, "tests"), *pages]

    assert len(read) > 1_000
    assert [named(path) for path in read if ELSEWHERE.search(path.read_text("utf-8"))] == []


SAME_NAME = {
    "AnsweredOtherwise", "Asked", "Channel", "Cited", "Fitted", "Found",
    "Kept", "Known", "Labelled", "LeaseLost", "Named", "Names",
    "NotCarriedOut", "Pace", "Quality", "Reading", "Row", "RunView",
    "Said", "Sample", "Share", "ShownRow", "Stored", "Verdict",
}  # fmt: skip
"""Public classes of which there are several. The list may get shorter: one name is for one thing."""


def test_a_name_is_of_one_class() -> None:
    found: dict[str, list[str]] = {}
    for path in modules(*APPS):
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(named(path))

    several = {name for name, places in found.items() if len(places) > 1}
    assert several - {"Command", "Migration"} == SAME_NAME
