"""docs/architecture.md names files, what is in them, and every folder of the packages that have folders."""

import ast
import re
from pathlib import Path

import tenants.rls
from tenants.rls.operations import TableOperation
from tests.architecture.source import APPS, ROOT, modules, parsed

PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")

FOLDERED = ("console", "evolution", "recall", "memories", "security", "tenants")
"""Packages whose folders the page lists."""

UNLISTED = {"admin", "migrations", "management", "models", "templatetags"}
"""Folders that Django names."""


def named_paths(page: str) -> list[str]:
    """Return what the page names as files or folders of ours."""
    return re.findall(rf"`((?:{'|'.join(APPS)}|tests)/[^`]*)`", page)


def steps(page: str) -> list[tuple[str, str]]:
    """Return each step of a route: the file, and the function or class."""
    return re.findall(r"\| `([^`]+\.py)` \| `(\w+)` \|", page)


def defined(path: Path) -> set[str]:
    """Return the functions and classes at the top of a module."""
    kinds = ast.FunctionDef | ast.ClassDef
    return {node.name for node in parsed(path).body if isinstance(node, kinds)}


def test_what_the_page_names_is_there() -> None:
    paths = named_paths(PAGE)
    assert len(paths) > 40
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_step_is_done_where_the_page_says() -> None:
    routes = steps(PAGE)
    assert len(routes) > 25
    assert [(file, name) for file, name in routes if name not in defined(ROOT / file)] == []


def test_every_folder_is_on_the_page() -> None:
    inside = [path.relative_to(ROOT).parts for path in modules(*FOLDERED)]
    folders = {f"{parts[0]}/{parts[1]}/" for parts in inside if len(parts) > 2 and parts[1] not in UNLISTED}
    assert folders == {path for path in named_paths(PAGE) if path.endswith("/")}


def test_a_file_that_is_not_there_would_be_noticed() -> None:
    page = "| a | `memories/nowhere.py` | `nothing` |"
    assert named_paths(page) == ["memories/nowhere.py"]
    assert steps(page) == [("memories/nowhere.py", "nothing")]
    assert not (ROOT / "memories/nowhere.py").exists()


WALLS = (ROOT / "docs" / "walls.md").read_text("utf-8")


def test_the_page_of_the_walls_names_tests_and_operations_that_there_are() -> None:
    tests = set(re.findall(r"`(tests/[^`]+)`", WALLS))
    of_tables = {
        name
        for name in tenants.rls.__all__
        if isinstance(one := getattr(tenants.rls, name), type)
        and issubclass(one, TableOperation)
        and not name.startswith("LetDefiner")
    }

    assert [name for name in sorted(tests) if not (ROOT / name).is_file()] == []
    assert sorted(name for name in of_tables if f"`{name}" not in WALLS) == []
    assert len(of_tables) > 3
