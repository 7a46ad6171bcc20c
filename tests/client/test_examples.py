"""The five small agents of `examples/agents`, run as a user runs them, with the stand-in for a model."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tenants.scope import Viewer
from tests.http.conftest import key_of

PROJECT = Path(__file__).resolve().parents[2]
PAGE = (PROJECT / "docs" / "examples.md").read_text("utf-8")
SHOWN = dict(re.findall(r"python -m examples\.agents\.(\w+)\n```\n```text\n(.*?)```", PAGE, re.DOTALL))
AGENTS = {
    path.stem
    for path in (PROJECT / "examples" / "agents").glob("*.py")
    if "def main" in path.read_text("utf-8")
}


def test_the_page_shows_each_of_them() -> None:
    assert set(SHOWN) == AGENTS
    assert len(AGENTS) == 5


@pytest.mark.spec("I-02")
@pytest.mark.parametrize("name", sorted(AGENTS))
def test_it_says_what_the_page_shows(
    name: str, address: str, ada: Viewer, worker: None, tmp_path: Path
) -> None:
    env = {"CANDOR_URL": address, "CANDOR_KEY": key_of(ada), "HOME": str(tmp_path), "PYTHONUTF8": "1"}
    env |= {"PATH": os.environ["PATH"], "CANDOR_CONFIG": str(tmp_path / "config.json")}

    command = [sys.executable, "-m", f"examples.agents.{name}"]
    done = subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, timeout=300)

    assert done.returncode == 0, done.stderr
    assert done.stdout == SHOWN[name]
