"""The pages of the documentation site, and the first of them, run as it stands."""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from string import Template

import httpx
import pytest
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer

from tenants.scope import Viewer
from tests.client.guides import be_an_agent, blocks, printed_by

PROJECT = Path(__file__).resolve().parents[2]
START = (PROJECT / "docs" / "start.md").read_text("utf-8")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages as `make docs` has them built."""
    folder = tmp_path_factory.mktemp("site")
    described = OpenApiJsonRenderer().render(SchemaGenerator().get_schema(public=True)).decode()
    for script, given in (
        (["build_reference.py", str(folder / "docs" / "reference")], described),
        (["build_site.py", str(folder)], ""),
    ):
        command = [sys.executable, "-I", str(PROJECT / "docs" / script[0]), *script[1:]]
        subprocess.run(command, check=True, capture_output=True, text=True, input=given)
    return folder


def test_every_link_of_a_page_leads_to_a_page_and_to_a_heading_of_it(pages: Path) -> None:
    lost = []
    for page in (pages / "docs").rglob("*.md"):
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            where, _, heading = target.partition("#")
            if "://" in target:
                continue
            aim = (page.parent / where).resolve() if where else page
            if not aim.exists() or (heading and heading not in headings(aim)):
                lost.append((page.name, target))

    assert lost == []


def test_every_operation_is_in_the_reference_and_every_field_of_what_it_takes(pages: Path) -> None:
    described = SchemaGenerator().get_schema(public=True)
    index = (pages / "docs" / "reference" / "README.md").read_text("utf-8")
    objects = (pages / "docs" / "reference" / "objects.md").read_text("utf-8")

    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            name, page = operation["operationId"], f"{operation['tags'][0]}.md"
            assert f"[{name}]({page}#{name}) | `{method.upper()} {path}` |" in index
            told = (pages / "docs" / "reference" / page).read_text("utf-8").split(f"## {name}\n")[1]
            for one in operation.get("parameters", ()):
                assert f"| `{one['name']}` | {one['in']} | " in told.split("\n## ")[0]
    assert "| `query` | body | string | " in (pages / "docs" / "reference" / "recall.md").read_text("utf-8")
    for name in described["components"]["schemas"]:
        assert f"\n## {name}\n" in objects


def headings(page: Path) -> set[str]:
    """Return the anchors of a page's headings."""
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    plain = [re.sub(r"[^\w\s-]", "", re.sub(r"\]\([^)]*\)", "", title)).strip().lower() for title in titles]
    return {re.sub(r"\s", "-", one) for one in plain}


def test_every_page_is_in_the_list_of_pages_and_in_the_one_for_models(pages: Path) -> None:
    names = {page.relative_to(pages / "docs").as_posix() for page in (pages / "docs").rglob("*.md")}
    listed = set(re.findall(r'"([\w/-]+\.md)"', (pages / "zensical.toml").read_text("utf-8")))
    models = (pages / "docs" / "llms.txt").read_text("utf-8")

    assert listed == names
    told = dict(re.findall(r"^- \[[^\]]+\]\(([\w-]+\.md)\): (.+)$", models, re.MULTILINE))
    assert set(told) == {name for name in names if "/" not in name} - {"index.md"}
    assert all(len(sentence) > 10 for sentence in told.values())


@pytest.mark.spec("I-02")
@pytest.mark.usefixtures("worker")
def test_the_first_page_prints_what_it_says(
    address: str, ada: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its part for LangGraph runs where LangGraph is: tests/client/frameworks."""
    key = be_an_agent(address, ada, monkeypatch)
    code, *_ = blocks("start.md", "python")
    shown, *_ = blocks("start.md", "text")
    assert printed_by(code, "start.md") == shown

    lines = START[START.index("## By curl") :].replace("\\\n", " ")
    commands = re.findall(r"^(curl .*)$", lines, re.MULTILINE)
    answers = [send(command, {"CANDOR_URL": address, "CANDOR_KEY": key}) for command in commands]
    assert answers[0]["state"] == "stored"
    assert answers[1]["results"][0]["content"] == "I eat no fish."  # type: ignore[index]


def send(command: str, variables: dict[str, str]) -> dict[str, object]:
    """Send what curl would send."""
    _, _, url, *words = shlex.split(Template(command).substitute(variables))
    given = list(zip(words[::2], words[1::2], strict=True))
    headers = dict(value.split(": ", 1) for option, value in given if option == "-H")
    [body] = [value for option, value in given if option == "-d"]
    answer = httpx.post(url, content=body, headers=headers, timeout=30)
    assert answer.is_success, answer.text
    told: dict[str, object] = answer.json()
    return told
