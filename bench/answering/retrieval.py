"""
`retrieval`: does recall find what answers questions, without a language model? (SPEC V-03)

Each set is loaded into a tenant of its own over HTTP, word for word, and asked over HTTP. `locomo`: turns of
conversations of two people. `beam`: what a person wrote to an assistant. `cjk`: Chinese questions on Chinese
passages. `cross`: English questions, ours, on the same passages. `without`: R@10 on `locomo` when a channel
or a part of the score is left out.

`captured`: `locomo` and `beam` are loaded once more as a user's captures come, without `verbatim`, and asked
the same. A memory counts for each turn whose capture names it among its memories. Of the turns that some
question needs, `evidence_lost` is the share whose capture left no memory, `evidence_unfound` the share that a
recall with their own words does not bring back. `questions_lost`: questions all of whose turns are lost.

Bars of the issue: locomo r5 ≥ 0.66, r10 ≥ 0.77, mrr ≥ 0.54; beam r10 ≥ 0.70; cjk r1 ≥ 0.93; cross r10 ≥ 0.95.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bench.corpora.chats import read_chats
from bench.corpora.conversations import (
    Asked,
    Conversation,
    Loaded,
    ask_all,
    ask_floors,
    capture_key,
    gold_keys,
    lanes_of,
    match_memories,
    plan_tenant,
    read_conversations,
    recall_in,
)
from bench.corpora.passages import CHINESE, CROSS, read_passages
from bench.rig.accounts import KeyFile, open_account
from bench.rig.client import Api
from bench.rig.harness import CONSOLE, NoData, Run, own_service, print_table
from bench.rig.intake import post_captures, wait_until_settled
from bench.rig.service import Service
from bench.scoring.floors import load_model
from bench.scoring.own_words import LONGEST_QUESTION, is_kept

CHANNELS: Final = ("semantic", "tag", "lexical", "fuzzy", "time", "graph")
PARTS: Final = (
    "semantic", "keyword", "usefulness", "importance", "recency",
    "fused", "neighbours", "layer", "standing", "named", "exploration",
)  # fmt: skip
"""What recall's `channels` and `leave_out` take; a refusal of the service tells when it knows others."""

CAPTURED: Final = ("locomo", "beam")
"""Sets that are also loaded as a user's captures come."""

QUICK_QUESTIONS: Final = 100
"""Questions asked of each conversation or store in a quick run, of which it reads the first one only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """One file, loaded."""

    conversations: Sequence[Conversation]
    api: Api  #: of the agent that heard it all
    loaded: Loaded

    def ask(self, **options: Any) -> Asked:
        """Ask all questions. Raises ApiError."""
        return ask_all(self.api, self.conversations, self.loaded, options=options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A file and how it is read."""

    name: str
    file: str
    read: Callable[[Any], list[Conversation]]


SOURCES: Final = (
    Source(name="locomo", file="locomo_turns.jsonl", read=read_conversations),
    Source(name="beam", file="beam_user_messages.jsonl", read=read_chats),
    Source(name="cjk", file="cjk_passages.jsonl", read=read_passages),
)


def measure(run: Run) -> dict[str, Any]:
    """
    Return {locomo, beam, cjk, cross: {r1, r5, r10, mrr, ndcg10, floor}, without: {part: r10}}.

    `locomo` and `beam` have {captured: {r1, r5, r10, mrr, ndcg10, evidence_lost, …}}, too. Raises NoData.
    """
    found = {source.name: _read(source, run) for source in SOURCES}
    if not any(found.values()):
        raise NoData(f"no data at {run.data}")
    figures: dict[str, Any] = {}
    with own_service() as service:
        for name, conversations in found.items():
            if conversations:
                figures |= _measure_one(name, load(service, name, conversations), run)
            if conversations and name in CAPTURED:
                corpus = load(service, f"{name}-captured", conversations, verbatim=False)
                figures[name]["captured"] = _measure_captured(name, corpus, run)
    return figures | {"quick": run.quick}


def _read(source: Source, run: Run) -> list[Conversation]:
    """Return a file's conversations; none, and a line that says so, where there is no file."""
    try:
        conversations = source.read(run.file(source.file))
    except NoData as missing:
        CONSOLE.print(f"skipped: {missing}")
        return []
    return [one.cut(QUICK_QUESTIONS) for one in conversations[:1]] if run.quick else conversations


def load(
    service: Service, name: str, conversations: Sequence[Conversation], *, verbatim: bool = True
) -> Corpus:
    """Load the conversations into a tenant of the service, and see what became of the turns."""
    plan = plan_tenant(name, conversations)
    account = open_account(service, plan, KeyFile(service.home / "bench-keys.json"))
    lanes = lanes_of(service.address, account, conversations, verbatim=verbatim)
    taken = post_captures(lanes)
    admin = Api(service.address, account.admin)
    wait_until_settled(admin, len(taken))
    captures = {row["id"]: row for row in admin.rows("captures")}
    loaded = match_memories({key: captures[one] for key, one in taken.items()})
    CONSOLE.print(f"{name}: {len(taken)} turns loaded, {len(loaded.lost)} of them left no memory")
    return Corpus(conversations=conversations, api=lanes[0].api, loaded=loaded)


def _measure_one(name: str, corpus: Corpus, run: Run) -> dict[str, Any]:
    methods = {"default": corpus.ask(seed=run.seed), "plain-rrf": corpus.ask(policy="plain-rrf")}
    floors = ask_floors(load_model(), corpus.conversations)
    methods |= {f"floor: {floor}": asked for floor, asked in floors.items()}
    if name == "cjk":
        return {
            part: _figures(f"{part}: {category} questions", _only(methods, category), corpus)
            for part, category in (("cjk", CHINESE), ("cross", CROSS))
            if methods["default"].of(category).each
        }
    figures = {name: _figures(name, methods, corpus)}
    if name == "locomo" and not run.quick:
        figures["without"] = _leave_out(corpus, run.seed, whole=figures[name])
    if name == "beam":
        _print_categories(methods["default"])
    return figures


def _measure_captured(name: str, corpus: Corpus, run: Run) -> dict[str, Any]:
    """Ask the same questions where nothing was taken verbatim, and see what of the evidence is gone."""
    asked = corpus.ask(seed=run.seed)
    print_methods(f"{name}, as captures come", {"default": asked})
    gone = measure_losses(corpus, seed=run.seed)
    print_table(
        "What of the evidence is gone", ("what", "share"), [(what, share) for what, share in gone.items()]
    )
    return {**asked.figures(), **_noadv(asked), **gone, "lost": len(corpus.loaded.lost)}


def measure_losses(corpus: Corpus, *, seed: int) -> dict[str, float]:
    """Return {evidence_lost, questions_lost, evidence_unfound}; each a share, to four decimals."""
    needed = [gold_keys(one, query) for one in corpus.conversations for query in one.queries]
    evidence = set().union(*needed)
    lost = evidence.intersection(corpus.loaded.lost)
    unfound = [
        key
        for one in corpus.conversations
        for turn in one.turns
        if (key := capture_key(one, turn)) in evidence
        and not is_kept(
            turn.text,
            recall_in(corpus.api, one, turn.text[:LONGEST_QUESTION], options={"seed": seed}),
        )
    ]
    return {
        "evidence_lost": _share(len(lost), len(evidence)),
        "questions_lost": _share(sum(keys <= lost for keys in needed), len(needed)),
        "evidence_unfound": _share(len(unfound), len(evidence)),
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _only(methods: Mapping[str, Asked], category: str) -> dict[str, Asked]:
    return {name: asked.of(category) for name, asked in methods.items()}


def _figures(title: str, methods: Mapping[str, Asked], corpus: Corpus) -> dict[str, Any]:
    """Print a line for each method and return the default's figures with the others' beside them."""
    print_methods(title, methods)
    each = {method: asked.figures() | _noadv(asked) for method, asked in methods.items()}
    floor = {
        method.removeprefix("floor: "): one for method, one in each.items() if method.startswith("floor")
    }
    return {
        **each["default"],
        "plain_rrf": each["plain-rrf"],
        "floor": floor,
        "lost": len(corpus.loaded.lost),
        "turns": sum(len(one.turns) for one in corpus.conversations),
    }


def _leave_out(corpus: Corpus, seed: int, *, whole: Mapping[str, Any]) -> dict[str, float]:
    """Return R@10 without each channel («channel tag») and without each part of the score («keyword»)."""
    tried: dict[str, Mapping[str, Any]] = {
        f"channel {name}": {"channels": [one for one in CHANNELS if one != name]} for name in CHANNELS
    }
    tried |= {name: {"leave_out": [name]} for name in PARTS}
    asked = {name: corpus.ask(seed=seed, **options).figures() for name, options in tried.items()}
    rows = [(name, *(one[key] - whole[key] for key in ("r5", "r10", "mrr"))) for name, one in asked.items()]
    print_table("What leaving out changes", ("left out", "R@5", "R@10", "MRR"), rows)
    return {name: one["r10"] for name, one in asked.items()}


def _print_categories(asked: Asked) -> None:
    categories = sorted({category for category, _found in asked.each})
    rows = [(category, *asked.of(category).figures().values()) for category in categories]
    print_table("By category of question", ("category", "R@1", "R@5", "R@10", "MRR", "nDCG@10"), rows)


def print_methods(title: str, methods: Mapping[str, Asked]) -> None:
    """Print a line for each method, with and without the questions that have no answer."""
    rows = []
    for name, asked in methods.items():
        answered = asked.figures(adversarial=False)
        rows.append((name, *asked.figures().values(), answered["r10"], answered["mrr"]))
    columns = ("method", "R@1", "R@5", "R@10", "MRR", "nDCG@10", "R@10 answerable", "MRR answerable")
    count = len(next(iter(methods.values())).each)
    print_table(f"{title}, {count} questions", columns, rows)


def _noadv(asked: Asked) -> dict[str, float]:
    figures = asked.figures(adversarial=False)
    return {"r10_noadv": figures["r10"], "mrr_noadv": figures["mrr"]}
