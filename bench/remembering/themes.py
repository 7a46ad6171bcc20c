"""
`themes`: do findings that say the same in other words, and in other languages, grow into one pattern? (SPEC
E-03)

themes.jsonl has 80 themes in four wordings each: English, Chinese, or both. They are captured as talk is,
each by another agent in a session of its own; then the step of the night is run. On the first 40 the
threshold was chosen, the other 40 measure it. Each part has a tenant of its own.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.rig.accounts import AGENT_SCOPES, Account, AgentPlan, KeyFile, TenantPlan, open_account
from bench.rig.client import Api
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.intake import Lane, post_captures, wait_until_settled
from bench.rig.jsonl import read_jsonl
from bench.rig.service import Service

FILE: Final = Path(__file__).with_name("themes.jsonl")
PARTS: Final = ("chosen on", "measured on")
SPEAKERS: Final = ("Mira", "Tom", "陈伟", "Ines")
ENOUGH: Final = 3
"""Wordings of four that one pattern must stand for, so that the theme counts as found."""

QUICK: Final = 6
"""Themes of a part in a quick run."""


def measure(run: Run) -> dict[str, Any]:
    """Return {part: {themes, found, strangers, patterns, findings}, …}."""
    rows = read_jsonl(FILE)
    with own_service() as service:
        parts = {
            part: _measure(service, [row["texts"] for row in rows if row["part"] == part], part, run)
            for part in PARTS
        }
    print_table(
        "Themes in four wordings",
        ("part", *parts[PARTS[0]]),
        [(part, *found.values()) for part, found in parts.items()],
    )
    return {**{part.replace(" ", "_"): found for part, found in parts.items()}, "quick": run.quick}


def _measure(service: Service, themes: Sequence[Sequence[str]], part: str, run: Run) -> dict[str, Any]:
    themes = themes[: QUICK if run.quick else None]
    scopes = (*AGENT_SCOPES, "share")
    plan = TenantPlan(
        slug=f"themes-{part.replace(' ', '-')}", name="Themes", projects={},
        agents=tuple(
            AgentPlan(slug=f"agent-{at}", name=name, scopes=scopes) for at, name in enumerate(SPEAKERS)
        ),
    )  # fmt: skip
    account = open_account(service, plan, KeyFile(service.home / "bench-keys.json"))
    admin = Api(service.address, account.admin)
    post_captures([_lane(service, account, themes, at) for at in range(len(SPEAKERS))])
    wait_until_settled(admin, len(themes) * len(SPEAKERS))
    CONSOLE.print(service.manage("sleep", "--tenant", account.tenant, "--step", "consolidation").strip())
    return judge(admin, themes)


def _lane(service: Service, account: Account, themes: Sequence[Sequence[str]], at: int) -> Lane:
    captures = [
        (
            f"{place}-{at}",
            {
                "role": "user", "speaker": SPEAKERS[at], "session": f"{place}-{at}", "shared": True,
                "clock": f"2026-11-{1 + place % 25:02d}T1{at}:00:00Z", "timezone": "UTC", "text": texts[at],
            },
        )
        for place, texts in enumerate(themes)
    ]  # fmt: skip
    return Lane(api=Api(service.address, account.agents[f"agent-{at}"]), captures=captures)


def judge(admin: Api, themes: Sequence[Sequence[str]]) -> dict[str, Any]:
    """
    Return how many themes were found, and which share of all findings stands in another theme's pattern.

    A theme is found if one pattern rests on three of its wordings and more.
    """
    theme_of = {text: at for at, texts in enumerate(themes) for text in texts}
    rows = {row["id"]: row for row in admin.rows("memories")}
    made = [(row["content"], _sources(admin, row)) for row in admin.rows("memories", kind="pattern")]
    patterns = [(content, sources) for content, sources in made if sources]  # the others were told as such
    found: set[int] = set()
    strangers = 0
    for pattern, sources in patterns:
        rests_on = [theme_of[rows[one]["content"]] for one in sources]
        [(theme, own)] = Counter(rests_on).most_common(1)
        strangers += len(rests_on) - own
        if own >= ENOUGH:
            found.add(theme)
        if own < len(rests_on):
            CONSOLE.print(f"  joined with strangers: {pattern}", soft_wrap=True)
    for at, texts in enumerate(themes):
        if at not in found:
            CONSOLE.print(f"  not found: {texts[0]}", soft_wrap=True)
    return {
        "themes": len(themes),
        "found": round(len(found) / len(themes), 3),
        "strangers": round(strangers / len(theme_of), 3),
        "patterns": len(patterns),
        "findings": len(theme_of),
    }


def _sources(admin: Api, pattern: Mapping[str, Any]) -> list[str]:
    links = admin.rows(f"memories/{pattern['id']}/links")
    return [
        link["target"] for link in links if link["type"] == "derived_from" and link["source"] == pattern["id"]
    ]
