"""The table of docs/visibility.md, walked: each row is written, asked for and compared."""

from pathlib import Path
from typing import Any, Final

import pytest

from security.classification import Classification
from tenants.scope import Viewer
from tests.factories import make_agent, make_memory, make_project
from tests.http.conftest import caller

pytestmark = pytest.mark.spec("T-05", "T-06", "T-07", "K-09")

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "visibility.md"
COLUMNS: Final = (
    "owner", "shared", "domain", "project", "class", "person", "key", "asked_project", "asked_person", "sees",
)  # fmt: skip
TEXT: Final = "The keys are in the blue box."


def rows() -> list[dict[str, str]]:
    """Return the table's rows by the names of its columns."""
    table = PAGE.read_text("utf-8").partition("## The table")[2].partition("\n## ")[0]
    lines = [line.strip().strip("|").split("|") for line in table.splitlines() if line.startswith("|")]
    return [dict(zip(COLUMNS, map(str.strip, line), strict=True)) for line in lines[2:]]


def test_the_table_has_rows_of_every_sort() -> None:
    found = rows()

    assert len(found) > 20
    for name in COLUMNS:
        assert len({row[name] for row in found}) > 1, name


def test_each_row_of_the_table_is_so(ada: Viewer) -> None:
    agents = {slug: make_agent(tenant=ada, slug=slug, domains=["design"]) for slug in ("atlas", "brook")}
    projects = {slug: make_project(tenant=ada, slug=slug) for slug in ("moon", "sun")}
    keys = {
        "atlas": caller(ada, agent=agents["atlas"].id, ceiling=int(Classification.INTERNAL)),
        "from above": caller(ada),
    }
    wrong = []
    for row in rows():
        memory = make_memory(
            tenant=ada,
            content=TEXT,
            agent=agents.get(row["owner"]),
            shared=row["shared"] == "yes",
            domain=row["domain"],
            project=projects.get(row["project"]),
            classification=int(Classification.named(row["class"])),
            person=row["person"],
        )
        asked: dict[str, Any] = {"query": TEXT, "k": 50, "min_relevance": 0}
        asked |= {"project": row["asked_project"]} if row["asked_project"] else {}
        asked |= {"person": row["asked_person"]} if row["asked_person"] else {}
        answer = keys[row["key"]].post("recall", asked)
        assert answer.status_code == 200, answer.content
        sees = str(memory.id) in answer.content.decode()
        if sees != (row["sees"] == "yes"):
            wrong.append(row)

    assert wrong == []
