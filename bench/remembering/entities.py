"""
`entities`: are two names of one thing known as one, and two names of two things as two? (SPEC M-10)

entities.jsonl has pairs of names as captures say them, in one text or two, in seven languages: brackets,
«known as», acronyms, other scripts, nicknames, spellings, titles; and names that only look alike. Every
capture comes alone, in a session of its own; each part has a tenant of its own. The rules were looked at on
the first part, the other one measures them.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.rig.accounts import AGENT_SCOPES, AgentPlan, KeyFile, TenantPlan, open_account
from bench.rig.client import Api
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.intake import Lane, post_captures, wait_until_settled
from bench.rig.jsonl import read_jsonl
from bench.rig.service import Service

FILE: Final = Path(__file__).with_name("entities.jsonl")
PARTS: Final = ("chosen on", "measured on")
QUICK: Final = 10
"""Pairs of a part in a quick run."""


def measure(run: Run) -> dict[str, Any]:
    """Return {part: {pairs, precision, recall, joined, …}, …, sorts: {sort: [joined, pairs]}}."""
    rows = read_jsonl(FILE)
    with own_service() as service:
        parts = {
            part: _measure(service, [row for row in rows if row["part"] == part], part, run) for part in PARTS
        }
    columns = ("pairs", "precision", "recall", "joined", "joined wrongly", "not found")
    print_table(
        "Two names, one entity", ("part", *columns),
        [(part, *(found[column] for column in columns)) for part, found in parts.items()],
    )  # fmt: skip
    return {**{part.replace(" ", "_"): found for part, found in parts.items()}, "quick": run.quick}


def _measure(service: Service, rows: Sequence[Mapping[str, Any]], part: str, run: Run) -> dict[str, Any]:
    rows = rows[: QUICK if run.quick else None]
    plan = TenantPlan(
        slug=f"entities-{part.replace(' ', '-')}", name="Entities", projects={},
        agents=(AgentPlan(slug="scribe", name="Scribe", scopes=AGENT_SCOPES),),
    )  # fmt: skip
    account = open_account(service, plan, KeyFile(service.home / "bench-keys.json"))
    captures = [
        (
            f"{place}-{at}",
            {
                "role": "user", "speaker": "Reader", "session": f"{place}-{at}", "text": text,
                "timezone": "UTC", "clock": f"2026-11-{1 + place % 25:02d}T1{at}:00:00Z",
            },
        )
        for place, row in enumerate(rows)
        for at, text in enumerate(row["texts"])
    ]  # fmt: skip
    admin = Api(service.address, account.admin)
    post_captures([Lane(api=Api(service.address, account.agents["scribe"]), captures=captures)])
    wait_until_settled(admin, len(captures))
    return judge(admin, rows)


def judge(admin: Api, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """
    Return precision and recall of «one entity» over these pairs.

    A pair is joined if one entity goes by both names. A name that no entity goes by was not found: such a
    pair is apart.
    """
    bearers: dict[str, set[str]] = defaultdict(set)
    for entity in admin.rows("entities"):
        for name in (entity["name"], *entity["aliases"]):
            bearers[_plain(name)].add(entity["id"])
    sorts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    joined = wrong = missing = 0
    for row in rows:
        one, other = (bearers[_plain(name)] for name in row["names"])
        is_joined, is_found = bool(one & other), bool(one and other)
        tally = sorts[f"{'same' if row['same'] else 'different'}: {row['sort']}"]
        tally[0] += is_joined
        tally[1] += 1
        joined += is_joined and row["same"]
        wrong += is_joined and not row["same"]
        missing += not is_found
        if is_joined != row["same"]:
            said = "joined wrongly" if is_joined else "apart" if is_found else "not found"
            CONSOLE.print(
                f"  {said} ({row['sort']}): {' | '.join(row['names'])}", soft_wrap=True, markup=False
            )
    same = sum(row["same"] for row in rows)
    return {
        "pairs": len(rows), "joined": joined, "joined wrongly": wrong, "not found": missing,
        "precision": round(joined / max(1, joined + wrong), 3), "recall": round(joined / max(1, same), 3),
        "sorts": dict(sorted(sorts.items())),
    }  # fmt: skip


def _plain(name: str) -> str:
    plain = name.casefold().replace("-", " ").replace("_", " ").strip(". ").removeprefix("the ")
    return " ".join(plain.split())
