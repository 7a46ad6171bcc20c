"""The examples of docs/client.md, run from the first to the last as they stand."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from tenants.scope import Viewer
from tests.http.conftest import key_of

PROJECT = Path(__file__).resolve().parents[2]
GUIDE = (PROJECT / "docs" / "client.md").read_text("utf-8")
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
SHOWN = re.compile(r"^ *print\(.*\)  # (.+)$", re.MULTILINE)


@pytest.mark.spec("I-01", "I-02")
def test_every_example_of_the_guide_prints_what_it_says(
    address: str, ada: Viewer, worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(PROJECT)
    monkeypatch.setenv("CANDOR_URL", address)
    monkeypatch.setenv("CANDOR_KEY", key_of(ada))
    known: dict[str, object] = {}
    blocks = BLOCK.findall(GUIDE)

    for block in blocks:
        out = io.StringIO()
        with redirect_stdout(out):
            exec(compile(block, "docs/client.md", "exec"), known)
        printed = out.getvalue().split("\n")
        for shown in SHOWN.findall(block):
            if not shown.startswith("for the"):
                assert shown in printed, (block, printed)

    known["memory"].close()  # type: ignore[attr-defined]
    known["fake"].close()  # type: ignore[attr-defined]
    assert len(blocks) >= 10
