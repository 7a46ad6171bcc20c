"""Each adapter with its framework, in an environment where that and the client are all there is."""

import ast
import os
import re
import subprocess
from pathlib import Path

import pytest

from tenants.scope import Viewer
from tests.client.guides import SCOPES, blocks
from tests.factories import make_agent
from tests.http.conftest import key_of

PROJECT = Path(__file__).resolve().parents[3]

CHECKS = {
    path.stem: path for path in sorted((PROJECT / "tests" / "client" / "frameworks" / "checks").glob("*.py"))
}


PAGE = (PROJECT / "docs" / "frameworks.md").read_text("utf-8")


@pytest.mark.spec("I-02")
def test_the_page_names_what_there_is() -> None:
    """Its blocks are Python, and what they and the table import from the adapters is defined there."""
    shown = blocks("frameworks.md", "python")
    named = re.findall(r"`candor\.adapters\.(\w+)\.(\w+)`", PAGE)
    for block in shown:
        tree = ast.parse(block)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("candor.adapters."):
                named += [((node.module or "").rpartition(".")[2], one.name) for one in node.names]

    assert len(shown) == len(CHECKS) + 1
    assert len(named) > 12
    for module, name in named:
        tree = ast.parse((PROJECT / "candor" / "adapters" / f"{module}.py").read_text("utf-8"))
        defined = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        assert name in defined, f"{module}.{name}"


@pytest.mark.spec("I-02")
@pytest.mark.parametrize("name", CHECKS)
def test_the_adapter_does_what_its_framework_wants(
    name: str, address: str, ada: Viewer, worker: None, tmp_path: Path
) -> None:
    home = PROJECT / ".frameworks" / name.replace("_", "-")
    if not (home / "made").exists():
        pytest.skip(f"`make frameworks` makes the environment of {name}")
    key = key_of(ada, agent=make_agent(tenant=ada, slug="atlas").id, scopes=SCOPES)
    env = {"CANDOR_URL": address, "CANDOR_KEY": key, "PYTHONPATH": str(PROJECT), "HOME": str(tmp_path)}
    env |= {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}

    done = subprocess.run(
        [home / "bin" / "python", "-P", CHECKS[name]],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert done.returncode == 0, done.stdout + done.stderr
