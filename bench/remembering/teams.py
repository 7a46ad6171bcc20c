"""
`teams`: months of a team's talk, in which values change: does what holds now stand first? (SPEC K-05)

Seven logs of the arbiter's data are captured as they come, each in a project of its own, and 71 questions are
asked after their last turn. team_questions.jsonl names for each the turns that answer it now, and those that
did before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bench.rig.accounts import AgentPlan, KeyFile, TenantPlan, open_account
from bench.rig.client import Api
from bench.rig.harness import CONSOLE, Run, own_service, print_table
from bench.rig.intake import Lane, post_captures, wait_until_settled
from bench.rig.jsonl import read_jsonl
from bench.rig.service import PROJECT

QUESTIONS: Final = Path(__file__).with_name("team_questions.jsonl")
TALKS: Final = PROJECT / "memories" / "reconciliation" / "arbiters" / "talks"
AGENT: Final = "pilot"
DEPTH: Final = 10
ASKED_AFTER: Final = timedelta(days=1)
"""How long after a log's last turn it is asked about."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What a question brought: the turns behind each result, best first."""

    log: str
    question: str
    gold: frozenset[int]
    outdated: frozenset[int]
    results: Sequence[frozenset[int]]
    folded: frozenset[int] = frozenset()  #: turns whose words the first result shows besides

    @property
    def is_right(self) -> bool:
        """Whether the first result answers the question as it is now."""
        return bool(self.results) and bool(self.results[0] & self.gold)

    @property
    def is_outdated(self) -> bool:
        """Whether the first result is what answered it before."""
        return bool(self.results) and not self.is_right and bool(self.results[0] & self.outdated)

    @property
    def is_shown(self) -> bool:
        """Whether the first result shows the words of an answer, of its own or of one folded under it."""
        return self.is_right or bool(self.folded & self.gold)

    @property
    def reciprocal(self) -> float:
        """1 / place of the first answer; 0 when it is not found."""
        places = (place for place, turns in enumerate(self.results, start=1) if turns & self.gold)
        return 1 / next(places, float("inf"))


def measure(run: Run) -> dict[str, Any]:
    """Return {teams: {n, first, outdated, shown, mrr}, logs: {log: …}}."""
    questions = read_jsonl(QUESTIONS)
    names = list(dict.fromkeys(one["log"] for one in questions))[: 1 if run.quick else None]
    files = {one["log"]: one["file"] for one in questions}
    talks = {name: read_log(TALKS / files[name], name) for name in names}
    plan = TenantPlan(
        slug="teams", name="Teams", projects={name: name for name in names},
        agents=(AgentPlan(slug=AGENT, name="Pilot"),),
    )  # fmt: skip
    with own_service() as service:
        account = open_account(service, plan, KeyFile(service.home / "bench-keys.json"))
        api, admin = Api(service.address, account.agents[AGENT]), Api(service.address, account.admin)
        taken = post_captures([Lane(api=api, captures=_captures(name, talk)) for name, talk in talks.items()])
        wait_until_settled(admin, len(taken))
        turns = _turns_of(taken, list(admin.rows("captures")))
        answered = [
            _ask(api, one, talks[one["log"]], turns, seed=run.seed)
            for one in questions
            if one["log"] in talks
        ]
    logs = {name: figures([one for one in answered if one.log == name]) for name in names}
    whole = figures(answered)
    columns = list(whole)
    print_table(
        "Questions on team logs",
        ("log", *columns),
        [(name, *found.values()) for name, found in {**logs, "all": whole}.items()],
    )
    for one in answered:
        if not one.is_right:
            CONSOLE.print(f"  {one.log}: {one.question}", soft_wrap=True)
    return {"teams": whole, "logs": logs, "quick": run.quick}


def read_log(path: Path, name: str) -> Sequence[Row]:
    """Return the turns of a log of this name."""
    return next(list(log["turns"]) for log in read_jsonl(path) if log["id"] == name)


def _captures(name: str, talk: Sequence[Row]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (
            f"{name}/{place}",
            {
                **{field: turn[field] for field in ("text", "role", "speaker", "clock")},
                "session": f"{name}/{turn['session']}",
                "timezone": "UTC",
                "project": name,
            },
        )
        for place, turn in enumerate(talk)
    ]


def _turns_of(taken: Mapping[str, str], captures: Sequence[Row]) -> dict[str, set[int]]:
    """Return the places in their log of the turns that each memory stands for."""
    made = {capture["id"]: capture["memories"] for capture in captures}
    turns: dict[str, set[int]] = {}
    for key, capture in taken.items():
        for memory in made[capture]:
            turns.setdefault(memory, set()).add(int(key.rpartition("/")[2]))
    return turns


def _ask(
    api: Api, question: Row, talk: Sequence[Row], turns: Mapping[str, set[int]], *, seed: int
) -> Answered:
    last = max(datetime.fromisoformat(turn["clock"]) for turn in talk)
    body = {
        "query": question["q"], "k": DEPTH, "project": question["log"], "timezone": "UTC", "seed": seed,
        "now": (last + ASKED_AFTER).isoformat(),
    }  # fmt: skip
    results = api.post("recall", body)["results"]
    also = [*results[0]["likely_same"], *results[0]["restatements"]] if results else []
    return Answered(
        log=question["log"],
        question=question["q"],
        gold=frozenset(question["gold"]),
        outdated=frozenset(question["outdated"]),
        results=[frozenset(turns.get(result["id"], ())) for result in results],
        folded=frozenset(turn for memory in also for turn in turns.get(memory, ())),
    )


def figures(answered: Sequence[Answered]) -> dict[str, float]:
    """Return {n, first, outdated, shown, mrr}: how many questions, and shares of them to three decimals."""
    n = len(answered)
    return {
        "n": n,
        "first": round(sum(one.is_right for one in answered) / n, 3),
        "outdated": round(sum(one.is_outdated for one in answered) / n, 3),
        "shown": round(sum(one.is_shown for one in answered) / n, 3),
        "mrr": round(sum(one.reciprocal for one in answered) / n, 3),
    }
