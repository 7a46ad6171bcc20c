"""The setups that the console offers for a new agent, run as they are copied from its page (SPEC H-05)."""

import html
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import httpx
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tenants.scope import Viewer
from tests.factories import make_membership, make_user

pytestmark = pytest.mark.spec("H-05")

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture
def setups(ada: Viewer, address: str) -> dict[str, str]:
    """The page of an agent made just now: what to copy, by tool, and its key."""
    user = make_user()
    make_membership(tenant=ada, user=user, role="operator", ceiling=3)
    browser = Client()
    browser.force_login(User.objects.get(pk=user.pk))
    host = address.removeprefix("http://")
    page = browser.post(reverse("console-agents"), {"slug": "atlas"}, headers={"host": host}).content.decode()
    found = re.findall(r"<summary>([^<]+)</summary><pre[^>]*>([^<]+)</pre>", page)
    key = re.search(r'<pre id="key"[^>]*>([^<]+)</pre>', page)
    assert key is not None
    return {name.split()[0]: html.unescape(text) for name, text in found} | {"key": key[1]}


def test_the_python_setup_remembers_and_recalls(setups: dict[str, str], worker: None) -> None:
    assert _run(setups["Python"]) == "We moved the launch to 4 May.\n"


def test_the_langgraph_setup_keeps_an_item(setups: dict[str, str], worker: None) -> None:
    put = 'store.put(("notes",), "a", {"text": "Tea, no sugar."})'
    told = 'print(store.get(("notes",), "a").value["text"])'

    assert _run("\n".join([setups["LangGraph"], put, told])) == "Tea, no sugar.\n"


def test_the_curl_setup_is_answered(setups: dict[str, str]) -> None:
    done = subprocess.run(
        ["bash", "-c", setups["curl"]], capture_output=True, text=True, check=True, timeout=60
    )

    assert json.loads(done.stdout)["nothing_known"] is True


def test_the_mcp_setups_name_a_server_that_answers(setups: dict[str, str], address: str) -> None:
    cursor = json.loads(setups["Cursor"])["mcpServers"]["candor"]
    codex = tomllib.loads(setups["Codex"])["mcp_servers"]["candor"]
    who = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": who}
    headers = {**cursor["headers"], "Accept": "application/json, text/event-stream"}

    assert cursor["url"] == codex["url"] == f"{address}/mcp"
    assert f"{address}/mcp" in setups["Claude"]
    assert "serverInfo" in httpx.post(cursor["url"], json=hello, headers=headers, timeout=30).text


def _run(code: str) -> str:
    """Run it as a program of its own, which knows the client and nothing of the service."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
