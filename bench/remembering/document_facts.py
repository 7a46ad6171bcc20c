"""
`document-facts`: which sentences of a document are drawn as facts, and is each one? (SPEC M-11)

document_facts.jsonl has handbooks, reports and guides in six languages, with the sentences that state a fact
and the kinds that each may be called; headings, steps, examples, questions and hearsay are none. Every
document comes whole, by the API. What was decided was decided on the first part; the other one measures it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.rig.accounts import AGENT_SCOPES, AgentPlan, KeyFile, TenantPlan, open_account
from bench.rig.client import Api
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.intake import wait_until_settled
from bench.rig.jsonl import read_jsonl

FILE: Final = Path(__file__).with_name("document_facts.jsonl")
QUICK: Final = 4
"""Documents in a quick run."""


def measure(run: Run) -> dict[str, Any]:
    """Return {part: {documents, facts, drawn, right, precision, recall, kinds: {kind: [right, drawn]}}}."""
    rows = read_jsonl(FILE)[: QUICK if run.quick else None]
    plan = TenantPlan(
        slug="document-facts", name="Document facts", projects={},
        agents=(AgentPlan(slug="librarian", name="Librarian", scopes=AGENT_SCOPES),),
    )  # fmt: skip
    with own_service() as service:
        account = open_account(service, plan, KeyFile(service.home / "bench-keys.json"))
        admin, librarian = (
            Api(service.address, account.admin),
            Api(service.address, account.agents["librarian"]),
        )
        taken = [librarian.post("documents", _body(row))["id"] for row in rows]
        wait_until_settled(admin, len(rows))
        drawn = [_drawn(librarian, document) for document in taken]
    pairs = list(zip(rows, drawn, strict=True))
    parts = {
        part: judge([pair for pair in pairs if pair[0]["part"] == part])
        for part in dict.fromkeys(row["part"] for row in rows)
    }
    columns = ("documents", "facts", "drawn", "right", "precision", "recall")
    print_table(
        "Facts of documents", ("part", *columns),
        [(part, *(found[column] for column in columns)) for part, found in parts.items()],
    )  # fmt: skip
    return {**{part.replace(" ", "_"): found for part, found in parts.items()}, "quick": run.quick}


def _body(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "title": row["title"], "text": row["text"], "media_type": "text/markdown",
        "occurred_at": "2026-02-01T00:00:00Z",
    }  # fmt: skip


def _drawn(api: Api, document: str) -> list[tuple[str, str]]:
    """Return what stands beside the passages of a document, as (kind, content)."""
    rows = api.rows("memories", document=document)
    return [(row["kind"], row["content"]) for row in rows if row["kind"] != "passage"]


def judge(pairs: Sequence[tuple[Mapping[str, Any], Sequence[tuple[str, str]]]]) -> dict[str, Any]:
    """
    Return how many of the drawn facts are facts of their kind, and how many of the facts were drawn.

    pairs: a labelled document, and what was drawn of it as (kind, content). A row of two sentences is right
    if it begins with a fact of its kind.
    """
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for row, drawn in pairs:
        for kind, content in drawn:
            is_right = any(
                content.startswith(sentence) and kind in allowed.split("|")
                for sentence, allowed in row["facts"]
            )
            kinds[kind][0] += is_right
            kinds[kind][1] += 1
            if not is_right:
                CONSOLE.print(f"  no {kind}: {content}", soft_wrap=True, markup=False)
    right, count = (sum(of_kind[place] for of_kind in kinds.values()) for place in (0, 1))
    had = sum(len(row["facts"]) for row, _ in pairs)
    return {
        "documents": len(pairs), "facts": had, "drawn": count, "right": right,
        "precision": round(right / max(1, count), 3), "recall": round(right / max(1, had), 3),
        "kinds": dict(sorted(kinds.items())),
    }  # fmt: skip
