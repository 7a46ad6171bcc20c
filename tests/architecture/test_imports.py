"""Who imports whom: the contracts of pyproject.toml, and that they cover all there is."""

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from tests.architecture.source import APPS, BESIDE, ROOT, imports, modules, named

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
        env={"PYTHONPATH": str(folder), "PATH": "", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_contracts_of_imports_are_kept() -> None:
    ran = lint(ROOT)
    assert ran.returncode == 0, ran.stdout
    assert f"{len(contracts()['contracts'])} kept, 0 broken" in ran.stdout


def a_house(folder: Path, *, module: str, text: str) -> Path:
    """Build the contracts' packages as empty modules but for one, under the project's own contracts."""
    wanted = {name for contract in contracts()["contracts"] for name in contract.get("source_modules", ())}
    for name in (*contracts()["root_packages"], *wanted, module):
        parts = name.split(".")
        for depth in range(1, len(parts)):
            package = folder.joinpath(*parts[:depth])
            package.mkdir(exist_ok=True)
            (package / "__init__.py").touch()
        if len(parts) == 1:
            (folder / name).mkdir(exist_ok=True)
            (folder / name / "__init__.py").touch()
        elif not folder.joinpath(*parts).is_dir():
            folder.joinpath(*parts).with_suffix(".py").touch()
    for models in ("tenants", "security", "memories", "recall", "evolution"):
        (folder / models / "models.py").touch()
    folder.joinpath(*module.split(".")).with_suffix(".py").write_text(text)
    (folder / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text("utf-8"))
    return folder


BROKEN = {
    "A package imports only the floors below it": ("tenants.peek", "import memories"),
    "Modules of a package form no ring": ("recall.pool", "import recall.ranking"),
    "The pure modules know no framework and none of our models": ("recall.ranking", "import django"),
    "What stands beside the house speaks HTTP to it": ("bench.peek", "import memories"),
    "The house knows nothing of what stands beside it": ("config.peek", "import candor"),
}
"""Each contract with a module that breaks it."""


def test_each_contract_is_broken_by_what_it_forbids(tmp_path: Path) -> None:
    noticed = {}
    for number, (name, (module, text)) in enumerate(BROKEN.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        house = a_house(folder, module=module, text=text)
        if module == "recall.pool":
            (house / "recall" / "ranking.py").write_text("import recall.pool")
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
