"""The examples of a page: what it shows, and what its code prints."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from tenants.scope import Viewer
from tests.factories import make_agent
from tests.http.conftest import key_of

DOCS = Path(__file__).resolve().parents[2] / "docs"
SCOPES = ["capture", "write", "recall", "feedback", "read"]


def blocks(page: str, language: str) -> list[str]:
    """Return the code blocks of a page of docs/, of one language."""
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)


def printed_by(code: str, page: str, names: dict[str, Any] | None = None) -> str:
    """Run a block, and return what it prints; names: where its own are left."""
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(code, f"docs/{page}", "exec"), {} if names is None else names)
    return out.getvalue()


def be_an_agent(address: str, tenant: Viewer, monkeypatch: pytest.MonkeyPatch) -> str:
    """Set the environment of an agent of the tenant; return its key."""
    key = key_of(tenant, agent=make_agent(tenant=tenant).id, scopes=SCOPES)
    monkeypatch.setenv("CANDOR_URL", address)
    monkeypatch.setenv("CANDOR_KEY", key)
    return key
