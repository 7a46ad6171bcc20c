"""What benches hand to the service's Python as a text is seen by no linter: its imports have to be there."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Final

import pytest

from tests.architecture.source import APPS, modules, parsed

IMPORT: Final = re.compile(rf"^from (?:{'|'.join(APPS)})\b[\w.]* import (?:\([^)]*\)|[^\n]+)$", re.MULTILINE)


def imports() -> Iterator[tuple[str, str, str]]:
    """Yield (file, module, name) of each import of ours that stands within a text."""
    for path in modules("bench"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for found in IMPORT.findall(node.value):
                    [statement] = ast.parse(found).body
                    assert isinstance(statement, ast.ImportFrom)
                    yield from ((path.name, str(statement.module), one.name) for one in statement.names)


FOUND: Final = tuple(imports())


def test_some_benches_hand_code_over() -> None:
    assert {"recall_asked.py", "walls_inside.py"} <= {file for file, _, _ in FOUND}


@pytest.mark.parametrize(("file", "module", "name"), FOUND)
def test_what_such_code_imports_is_there(file: str, module: str, name: str) -> None:
    there = import_module(module)
    if not hasattr(there, name):
        import_module(f"{module}.{name}")  # a module of a folder
