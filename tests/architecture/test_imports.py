"""Who imports whom: the contracts of pyproject.toml, and that they cover all there is."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from tests.architecture.source import APPS, BESIDE, ROOT, imports, modules, named, parsed

LINT = Path(sys.executable).parent / "lint-imports"


def contracts() -> dict[str, Any]:
    """Return import-linter's section of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    section: dict[str, Any] = project["tool"]["importlinter"]
    return section


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the contracts of the folder's pyproject.toml over the folder."""
    return subprocess.run(
        [str(LINT), "--no-cache", "--config", "pyproject.toml"],
        cwd=folder,
        env={"PYTHONPATH": f"{folder}:{ROOT}", "PATH": "", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_contracts_of_imports_are_kept() -> None:
    ran = lint(ROOT)
    assert ran.returncode == 0, ran.stdout
    assert f"{len(contracts()['contracts'])} kept, 0 broken" in ran.stdout


def dotted(path: Path) -> str:
    """Return the name of the module that lies there."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def let_pass() -> Iterator[tuple[str, str]]:
    """Yield the imports that contracts let pass, importer first: a pattern that matches none is an error."""
    names = [dotted(path) for path in modules(*APPS, *BESIDE)]
    for contract in contracts()["contracts"]:
        for one in contract.get("ignore_imports", ()):
            importer, imported = one.split(" -> ")
            yield from ((importer, name) for name in names if fnmatchcase(name, imported))


def a_house(folder: Path, *, module: str, text: str) -> Path:
    """Build the project's modules empty but for one, and for what is let pass, under its contracts."""
    for path in modules(*APPS, *BESIDE):
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.touch()
    for importer, imported in let_pass():
        with folder.joinpath(*importer.split(".")).with_suffix(".py").open("a") as file:
            file.write(f"import {imported}\n")
    folder.joinpath(*module.split(".")).with_suffix(".py").write_text(text)
    (folder / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text("utf-8"))
    return folder


BROKEN = {
    "A package imports only the floors below it": ("tenants.peek", "import memories"),
    "Modules of a package form no ring": ("recall.policies.policy", "import recall.retrieval.engines"),
    "The night stands on its steps, and they on what they are made with": (
        "evolution.steps.peek", "import evolution.sleep",
    ),
    "A recall goes down its floors, to the question": (
        "recall.retrieval.peek", "import recall.answering",
    ),
    "A capture goes down its floors, and words lie lowest": (
        "memories.language.peek", "import memories.storage",
    ),
    "Security has floors, and screening knows nothing of the others": (
        "security.screening.peek", "import security.rest",
    ),
    "Tenants have floors: who is asking stands on the database alone": (
        "tenants.db.peek", "import tenants.scope",
    ),
    "A measurement stands on what is said and asked, and that on the rig": (
        "bench.rig.peek", "import bench.corpora",
    ),
    "Who is outside a folder comes in by its door": ("memories.peek", "import tenants.sql.queries"),
    "The pure modules know no framework and none of our models": ("recall.ranking.formulas", "import django"),
    "What calls itself pure imports no framework by itself": ("recall.channels.graph", "import django"),
    "The console asks the API, and knows nothing below it but who is asking": (
        "console.peek", "import memories.storage",
    ),
    "What stands beside the house speaks HTTP to it": ("bench.peek", "import memories"),
    "The house knows nothing of what stands beside it": ("config.peek", "import candor"),
}  # fmt: skip
"""Each contract with a module that breaks it."""


def test_each_contract_is_broken_by_what_it_forbids(tmp_path: Path) -> None:
    noticed = {}
    for number, (name, (module, text)) in enumerate(BROKEN.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        house = a_house(folder, module=module, text=text)
        if module == "recall.policies.policy":
            (house / "recall" / "retrieval" / "engines.py").write_text(f"import {module}")
        noticed[name] = f"{name} BROKEN" in lint(house).stdout
    assert noticed == {contract["name"]: True for contract in contracts()["contracts"]}


def test_every_package_of_the_project_is_under_the_contracts() -> None:
    packages = {path.relative_to(ROOT).parts[0] for path in modules(*APPS, *BESIDE)}
    assert packages <= set(contracts()["root_packages"])


def test_every_folder_with_code_is_a_floor_or_stands_beside_the_house() -> None:
    folders = {path.parts[-2] for path in ROOT.glob("*/*.py") if not path.parts[-2].startswith(".")}
    assert folders - {"tests", "docs"} <= {*APPS, *BESIDE}


def test_what_stands_beside_the_house_imports_none_of_it() -> None:
    inward = {
        (named(path), name)
        for path in modules(*BESIDE)
        for name in imports(path)
        if name.partition(".")[0] in APPS
    }
    assert inward == set()


#: Packages whose marks the linter reads, and whose folders are counted (docs/decisions/0070, 0071).
MARKED = ("evolution", "recall", "memories", "security", "tenants")


def is_marked_pure(path: Path) -> bool:
    """Return whether the module's docstring says that it is pure."""
    return bool(re.search(r"\bpure\b", ast.get_docstring(parsed(path)) or "", re.IGNORECASE))


def test_what_calls_itself_pure_is_under_the_contract_of_the_pure() -> None:
    pure = [one for one in contracts()["contracts"] if "pure" in one["name"]]
    marked = [dotted(path) for path in modules(*MARKED) if is_marked_pure(path)]
    held = tuple(f"{name}." for one in pure for name in one["source_modules"])
    assert "evolution.maintenance.decay" in marked
    assert [name for name in marked if not f"{name}.".startswith(held)] == []


def test_no_folder_but_of_migrations_has_more_than_fifteen_modules() -> None:
    sizes = Counter(path.parent for path in modules(*MARKED, "bench", "candor") if path.name != "__init__.py")
    crowded = {named(folder): size for folder, size in sizes.items() if size > 15}
    assert {name for name in crowded if not name.endswith("migrations")} == set()
