"""The curl examples of README.md and docs/api.md, run as they stand, and the table of settings."""

import io
import json
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connections
from django.http import HttpResponse
from django.test import Client
from django.test.client import BOUNDARY, encode_multipart
from django.utils import timezone

from memories.ingestion import notify
from memories.models import Capture
from memories.pipeline import process_capture
from security.audit.query import public_key_in_force
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_agent
from tests.http.conftest import key_of
from tests.http.forms import FORM
from tests.http.people import make_person

PROJECT = Path(__file__).resolve().parents[2]
README = (PROJECT / "README.md").read_text()
SETTINGS = (PROJECT / "docs" / "settings.md").read_text()
GUIDE = (PROJECT / "docs" / "api.md").read_text()
AUDIT = (PROJECT / "docs" / "audit.md").read_text()
ADDRESS = "http://127.0.0.1:8000"
AGENT_SCOPES = ("capture", "write", "recall", "feedback", "read")

BLOCK = re.compile(r"```sh\n(?P<commands>.*?)```(?:\n```json\n(?P<answer>.*?)```)?", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A curl command with the answer shown below it, if one is."""

    command: str
    answer: Any


def examples(text: str) -> list[Example]:
    """Return the curl commands of the text's shell blocks; an answer belongs to the last one above it."""
    found = []
    for block in BLOCK.finditer(text):
        commands = re.split(r"\n(?=curl)", block["commands"].strip())
        curls = [command for command in commands if command.startswith("curl")]
        answers = [None] * (len(curls) - 1) + [json.loads(block["answer"]) if block["answer"] else None]
        found += [Example(command=curl, answer=one) for curl, one in zip(curls, answers, strict=bool(curls))]
    return found


@pytest.fixture
def variables(ada: Viewer) -> dict[str, str]:
    """What the shell knows: the address, and the keys of an agent and of an operator."""
    agent = make_agent(tenant=ada, slug="atlas")
    make_person(ada, "priya", ceiling=1)
    return {
        "CANDOR": f"{ADDRESS}/api/v1",
        "CANDOR_KEY": key_of(ada, scopes=AGENT_SCOPES, ceiling=2, agent=agent.id),
        "CANDOR_ADMIN_KEY": key_of(ada),
    }


@pytest.fixture
def worker(ada: Viewer, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work the queue beside the test, as a worker does whom no hint reached."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    with working(ada):
        yield


@contextmanager
def working(tenant: Viewer) -> Iterator[None]:
    """Process the tenant's captures in a thread until the end of the block."""
    done = threading.Event()

    def work() -> None:
        with tenant_scope(tenant):
            while not done.wait(0.02):
                with unit_of_work():
                    waiting = list(Capture.objects.filter(state="pending").values_list("id", flat=True))
                for capture_id in waiting:
                    process_capture(capture_id, now=timezone.now())
        connections.close_all()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def run(command: str, variables: dict[str, str]) -> HttpResponse:
    """Send what the command would send; an option that is not known here is an error."""
    words = iter(shlex.split(Template(command.replace("\\\n", " ")).substitute(variables)))
    assert next(words) == "curl"
    method, headers, body, address = None, {}, None, ""
    form: dict[str, Any] = {}
    for word in words:
        if word == "-H":
            name, value = next(words).split(": ", 1)
            headers[name] = value
        elif word == "-d":
            body = next(words)
        elif word == "-F":
            name, value = next(words).split("=", 1)
            path = PROJECT / value.removeprefix("@")
            is_file = value.startswith("@")
            file = SimpleUploadedFile(path.name, path.read_bytes()) if is_file else value
            form.setdefault(name, []).append(file)
        elif word == "-X":
            method = next(words)
        elif word != "-s":
            assert word.startswith(ADDRESS), word
            address = word.removeprefix(ADDRESS)
    kind = headers.pop("Content-Type", "application/x-www-form-urlencoded")
    if form:
        kind, body = FORM, encode_multipart(BOUNDARY, form)
    send = Client(raise_request_exception=False).generic
    return send(  # type: ignore[return-value]
        method or ("POST" if body else "GET"), address, data=body or "", content_type=kind, headers=headers
    )


def keys_missing(shown: Any, real: Any, path: str = "$") -> list[str]:
    """Return the paths that the example shows and the real answer has not."""
    if isinstance(shown, dict):
        if not isinstance(real, dict):
            return [path]
        gone = [f"{path}.{name}" for name in shown if name not in real]
        both = (name for name in shown if name in real)
        return gone + [
            one for name in both for one in keys_missing(shown[name], real[name], f"{path}.{name}")
        ]
    if isinstance(shown, list) and shown:
        return keys_missing(shown[0], real[0], f"{path}[0]") if real else [f"{path}[0]"]
    return []


def remember(answer: dict[str, Any], variables: dict[str, str]) -> None:
    """Keep the ids that the examples after this one put in."""
    if "passages" in answer:
        variables["DOCUMENT"] = answer["id"]
    elif "state" in answer and "id" in answer:
        variables["CAPTURE"] = answer["id"]
    if "recall_id" in answer:
        variables |= {"RECALL": answer["recall_id"], "MEMORY": answer["results"][0]["id"]}
    if any("verdict" in one for one in answer.get("results", ())):
        variables["CONTRADICTION"] = answer["results"][0]["id"]
    if any("salience" in one for one in answer.get("results", ())):
        variables["ENTITY"] = answer["results"][0]["id"]
    if isinstance(answer.get("memory"), dict):
        variables["WRITTEN"] = answer["memory"]["id"]
    if "origin" in answer:
        variables["LINK"] = answer["id"]
    if "key" in answer:
        variables["KEY"] = answer["id"]


def test_every_example_of_the_guide_works_and_is_answered_as_shown(
    variables: dict[str, str], worker: None
) -> None:
    guide = examples(GUIDE)

    for example in guide:
        response = run(example.command, variables)
        assert response.status_code < 300, (example.command, response.content)
        answer = json.loads(response.content) if response.content else {}
        assert keys_missing(example.answer, answer) == [], (example.command, answer)
        if isinstance(example.answer, dict) and "state" in example.answer:
            assert answer["state"] == example.answer["state"], (example.command, answer)
        remember(answer, variables)

    assert len(guide) >= 15


@pytest.mark.spec("S-03")
def test_every_example_of_the_audits_page_works(
    variables: dict[str, str], ada: Viewer, settings: Any, tmp_path: Path
) -> None:
    settings.AUDIT_DIR, settings.AUDIT_KEY = tmp_path, "ab" * 32
    guide = examples(AUDIT)
    for example in guide:
        response = run(example.command, variables)
        assert keys_missing(example.answer, json.loads(response.content)) == [], response.content
    assert len(guide) == 2

    known = {
        "CANDOR_AUDIT_DIR": str(tmp_path), "TENANT": str(ada.tenant_id),
        "PUBLIC_KEY": public_key_in_force().hex(),
    }  # fmt: skip
    lines = re.findall(r"^(manage\.py audit .*|python docs/verify_audit\.py .*)$", AUDIT, re.MULTILINE)
    told = [run_line(Template(line).substitute(known), tmp_path) for line in lines]

    assert len(lines) == 6
    assert [one.split("\t")[-1].split(":")[0].strip() for one in told] == [
        told[0].split("\t")[-1].strip(), "holds", '{"tenants"', "",
        "holds up to seq 3; 0 events withheld, 0 payloads erased, 1 checkpoints counted; signed up to 0",
        "holds up to seq 3; 0 events withheld, 0 payloads erased, 1 checkpoints counted; signed up to 2",
    ]  # fmt: skip


def run_line(line: str, folder: Path) -> str:
    """Run a command of ours, or the script in a process of its own; return what it says."""
    command, _, target = line.partition(" > ")
    words = shlex.split(command)
    if words[0] == "python":
        script = [sys.executable, "-I", str(PROJECT / words[1]), *words[2:]]
        return subprocess.run(script, cwd=folder, capture_output=True, text=True, check=True).stdout
    out = io.StringIO()
    call_command(*words[1:], stdout=out)
    if target:
        (folder / target).write_text(out.getvalue())
        return ""
    return out.getvalue()


def test_what_the_readme_writes_is_what_it_then_recalls(variables: dict[str, str], worker: None) -> None:
    write, recall = examples(README)

    written = run(write.command, variables)
    assert written.json()["state"] == "stored"
    answer = run(recall.command, variables).json()

    assert [result["speaker"] for result in answer["results"]] == ["Rui"]
    assert "Frankfurt" in answer["results"][0]["content"]
    assert answer["results"][0]["explain"]["total"] == answer["results"][0]["score"]


def test_the_settings_told_are_those_that_are_read() -> None:
    read = set()
    for path in (PROJECT / "config").rglob("*.py"):
        code = path.read_text()
        read |= set(re.findall(r'\b(?:text|flag|number|listing)\("([A-Z_]+)"', code))
        read |= set(re.findall(r'environ\.get\("(CANDOR_[A-Z_]+)"', code))

    told = set(re.findall(r"^\| `([A-Z_]+)` \|", SETTINGS, re.MULTILINE))

    assert told == read


PAGES = sorted(str(page.relative_to(PROJECT)) for page in (PROJECT / "docs").glob("*.md"))


def test_every_page_is_reached_from_the_readme() -> None:
    assert [page for page in PAGES if f"]({page})" not in README] == []


LEAD_NOWHERE = {
    f"docs/{page}.md" for page in ("architecture", "consolidation", "glossary", "measuring", "watermarks")
}


@pytest.mark.parametrize("page", ["README.md", *PAGES])
def test_every_link_to_a_file_leads_somewhere(page: str) -> None:
    folder = (PROJECT / page).parent

    links = re.findall(r"\]\((?!http|…)([^)#]+)", (PROJECT / page).read_text())

    assert bool(links) == (page not in LEAD_NOWHERE)
    assert [link for link in links if not (folder / link).exists()] == []
