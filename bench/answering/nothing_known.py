"""
`nothing-known`: is a question without an answer answered by nothing, and one with an answer not? (SPEC K-10)

Every set is loaded as a user's captures come, passages as they stand, and asked over HTTP with the floor that
ships. Unanswerable: questions of other conversations (`locomo_other`), of other chats (`beam_other`), on
other passages (`cjk_other`; `cross_other`, asked in English), on pairs that another tenant holds
(`relations_other`), and those that BEAM's authors wrote so that the chat does not answer them
(`beam_abstention`). Answerable: the sets' own questions, and the
sample fleet's; lost is one whose evidence stands among the first five without a floor and not with it.

Small stores (`small_01`, `_03`, `_10` memories) are cut from LoCoMo, the passages and relations, and asked
the same way; `small_…_other` are questions that the cut leaves unanswered.

Every set but the fleet is halved by its stores: one half is fitted on, the other measured, and only the
latter's figures count. The fleet is measured only. What was asked, with the signs of what was found, goes
to bench/out/nothing-known-asked.jsonl, from which `manage.py calibrate_relevance` fits the half's floor.

Bars of the issue: unanswerable_nothing ≥ 0.80 (other conversations' questions of LoCoMo, BEAM abstention) at
answerable_lost ≤ 0.02 (LoCoMo and BEAM; each other source by itself, too) and small_lost ≤ 0.02.
"""

import json
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Final

from bench.answering.retrieval import Corpus, load
from bench.corpora.chats import read_chats
from bench.corpora.conversations import ADVERSARIAL, Conversation, Query, gold_keys, read_conversations
from bench.corpora.passages import CHINESE, CROSS, read_passages
from bench.corpora.sample_fleet import FLEET, read_lines, read_plan, write_fleet
from bench.corpora.small_stores import SmallStore, converse, cut_stores
from bench.remembering.relations import AFTERWARDS_SECONDS, FILE, capture_pairs, read_pairs
from bench.rig.accounts import AgentPlan, KeyFile, TenantPlan, open_account
from bench.rig.client import Api
from bench.rig.harness import CONSOLE, OUT, NoData, Run, own_service, print_table
from bench.rig.intake import wait_until_settled
from bench.rig.jsonl import read_jsonl
from bench.rig.service import Service
from bench.scoring.own_words import result_text
from bench.scoring.relations_judge import Pair

PLACES: Final = 5
"""Results among which the evidence is looked for."""

ASKERS: Final = 2
OTHERS: Final = 120
"""Questions of each other store that a store is asked."""

PASSAGES_STEP: Final = 3
"""Of the questions on passages one in so many is asked: there are 1 190."""

QUICK_STEP: Final = 12
"""A quick run asks one question in so many."""

HEADLINE: Final = {"unanswerable": ("locomo_other", "beam_abstention"), "answerable": ("locomo", "beam")}
"""The sources that the bars speak of."""

SMALL: Final = "small_"
"""How the names of small stores begin, by size."""

SIGN: Final = "relevance_"
"""How the names of the signs begin in what a recall explains."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Posed:
    """A question for one store, and how its evidence is known among results."""

    source: str
    part: str  #: «fit» or «measured»
    text: str
    body: Mapping[str, Any]  #: what else is sent
    api: Api
    is_found: Callable[[Sequence[Row]], bool] | None  #: None: the store does not answer it
    size: int | None = None  #: memories in its store, where that is a small one

    @property
    def group(self) -> str:
        """What it is counted with: all of its source, or of one size of small stores, answered or not."""
        other = "_other" if self.is_found is None else ""
        return self.source if self.size is None else f"{SMALL}{self.size:02}{other}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What came of a question."""

    posed: Posed
    nothing: bool  #: it was answered by nothing
    found: bool  #: without a floor its evidence stands among the first
    rows: Sequence[Mapping[str, float]]  #: the signs of what was found without a floor


def measure(run: Run) -> dict[str, Any]:
    """Return {unanswerable_nothing, answerable_lost, by_source, fit}. Raises NoData."""
    with own_service() as service:
        posed = [one for pose in POSERS for one in _posed_if_there(pose, service, run)]
        if not posed:
            raise NoData(f"no data at {run.data}")
        posed = posed[:: QUICK_STEP if run.quick else 1]
        with ThreadPoolExecutor(ASKERS) as pool:
            seen = list(pool.map(lambda one: ask(one, seed=run.seed), posed))
    _keep(seen)
    found = {part: summarise([one for one in seen if one.posed.part == part]) for part in ("measured", "fit")}
    for part, figures in found.items():
        _show(part, figures)
    return {**found["measured"], "fit": found["fit"], "quick": run.quick}


def _posed_if_there(pose: Callable[[Service, Run], list[Posed]], service: Service, run: Run) -> list[Posed]:
    try:
        return pose(service, run)
    except NoData as missing:
        CONSOLE.print(f"skipped: {missing}")
        return []


def ask(posed: Posed, *, seed: int) -> Seen:
    """Ask as anybody would, and once more without a floor where nothing was told. Raises ApiError."""
    body = {"query": posed.text, "k": PLACES, "seed": seed, "explain": True, **posed.body}
    answer = posed.api.post("recall", body)
    nothing = bool(answer["nothing_known"])
    results = (
        posed.api.post("recall", body | {"min_relevance": 0})["results"] if nothing else answer["results"]
    )
    signs = [
        {name.removeprefix(SIGN): value for name, value in one["explain"].items() if name.startswith(SIGN)}
        for one in results
        if "explain" in one
    ]
    found = posed.is_found is not None and posed.is_found(results)
    return Seen(posed=posed, nothing=nothing, found=found, rows=signs)


def summarise(seen: Sequence[Seen]) -> dict[str, Any]:
    """Return the shares of all that the bars speak of, and of each source: pure."""
    by: defaultdict[str, list[Seen]] = defaultdict(list)
    for one in seen:
        by[one.posed.group].append(one)
    figures = {source: _figures(each) for source, each in sorted(by.items())}
    return {
        "unanswerable_nothing": _pooled(figures, HEADLINE["unanswerable"], "nothing", "asked"),
        "answerable_lost": _pooled(figures, HEADLINE["answerable"], "lost", "found"),
        "small_lost": _pooled(figures, [one for one in figures if SMALL in one], "lost", "found"),
        "by_source": {
            source: {
                **one,
                "share": _share(one.get("lost", one.get("nothing", 0)), one.get("found", one["asked"])),
            }
            for source, one in figures.items()
        },
    }


def _figures(seen: Sequence[Seen]) -> dict[str, int]:
    if seen[0].posed.is_found is None:
        return {"asked": len(seen), "nothing": sum(one.nothing for one in seen)}
    found = [one for one in seen if one.found]
    return {"asked": len(seen), "found": len(found), "lost": sum(one.nothing for one in found)}


def _pooled(figures: Mapping[str, Mapping[str, int]], sources: Iterable[str], part: str, whole: str) -> float:
    there = [figures[source] for source in sources if part in figures.get(source, {})]
    return _share(sum(one[part] for one in there), sum(one[whole] for one in there))


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _keep(seen: Iterable[Seen]) -> None:
    """Write what the floor is fitted on. Of a question whose evidence was not found nothing is learned."""
    OUT.mkdir(parents=True, exist_ok=True)
    with (OUT / "nothing-known-asked.jsonl").open("w", encoding="utf-8") as lines:
        for one in seen:
            is_answerable = one.posed.is_found is not None
            if one.rows and (one.found or not is_answerable):
                told = {
                    "part": one.posed.part, "source": one.posed.source, "size": one.posed.size,
                    "answerable": int(is_answerable), "text": one.posed.text, "nothing": one.nothing,
                }  # fmt: skip
                lines.write(json.dumps({**told, "rows": one.rows}) + "\n")


def _show(part: str, figures: Mapping[str, Any]) -> None:
    rows = [
        (source, one["asked"], one.get("found", "–"), "lost" if "lost" in one else "nothing", one["share"])
        for source, one in figures["by_source"].items()
    ]
    title = f"The half that was {'fitted on' if part == 'fit' else 'not fitted on'}"
    print_table(title, ("source", "asked", "found", "what", "share"), rows)


_PARTS: Final = ("fit", "measured")


def _part(place: int, total: int) -> str:
    return _PARTS[place >= (total + 1) // 2]


def _pose_conversations(service: Service, run: Run) -> list[Posed]:
    conversations = read_conversations(run.file("locomo_turns.jsonl"))
    corpus = load(service, "locomo", conversations, verbatim=False)
    return _pose_corpus("locomo", corpus, seed=run.seed)


def _pose_chats(service: Service, run: Run) -> list[Posed]:
    path = run.file("beam_user_messages.jsonl")
    chats = read_chats(path)
    corpus = load(service, "beam", chats, verbatim=False)
    posed = _pose_corpus("beam", corpus, seed=run.seed)
    unanswered = {str(row["store"]): row["queries"] for row in read_jsonl(path)}
    for place, chat in enumerate(chats):
        posed += [
            _of_conversation("beam_abstention", place, corpus, chat, query["q"], gold=None)
            for query in unanswered[chat.name]
            if query["cat"] == "abstention"
        ]
    return posed


def _pose_passages(service: Service, run: Run) -> list[Posed]:
    """Pose the questions on passages, which are read by two stores, one half of the passages each."""
    [whole] = read_passages(run.file("cjk_passages.jsonl"))
    corpus = load(service, "cjk", list(_halves(whole)))
    return _pose_corpus("cjk", corpus, seed=run.seed)


def _halves(whole: Conversation) -> Iterator[Conversation]:
    middle = len(whole.turns) // 2
    for number, turns in enumerate((whole.turns[:middle], whole.turns[middle:])):
        there = {turn.id for turn in turns}
        queries = [query for query in whole.queries if there.issuperset(query.gold)]
        chinese = [query for query in queries if query.category == CHINESE]
        crossing = [query for query in queries if query.category == CROSS]
        yield replace(
            whole, name=f"{whole.name}-{number}", turns=turns, queries=(*chinese[::PASSAGES_STEP], *crossing)
        )


def _pose_corpus(name: str, corpus: Corpus, *, seed: int) -> list[Posed]:
    """
    Pose to each store its own questions and those of the others.

    An «adversarial» question is nobody's: its own conversation does not answer it, but speaks of it.
    """
    posed, stores, luck = [], corpus.conversations, random.Random(seed)
    for place, store in enumerate(stores):
        for query in _fair(store):
            source = "cross" if query.category == CROSS else name
            gold = gold_keys(store, query)
            posed.append(_of_conversation(source, place, corpus, store, query.text, gold=gold))
        for other_place, other in enumerate(stores):
            # What is measured must not be asked by what was fitted on. Of two halves there is but one other.
            if other is store or (
                len(stores) > 2 and _part(place, len(stores)) != _part(other_place, len(stores))
            ):
                continue
            theirs = _fair(other)
            posed += [
                _of_conversation(
                    "cross_other" if query.category == CROSS else f"{name}_other",
                    place, corpus, store, query.text, gold=None,
                )
                for query in luck.sample(theirs, min(OTHERS, len(theirs)))
            ]  # fmt: skip
    return posed


def _fair(conversation: Conversation) -> list[Query]:
    return [query for query in conversation.queries if query.category != ADVERSARIAL]


def _of_conversation(
    source: str, place: int, corpus: Corpus, store: Conversation, text: str, *, gold: set[str] | None
) -> Posed:
    def is_found(results: Sequence[Row]) -> bool:
        said = (corpus.loaded.turns_of.get(str(one["id"]), frozenset()) for one in results)
        return gold is not None and any(gold & keys for keys in said)

    return Posed(
        source=source,
        part=_part(place, len(corpus.conversations)),
        text=text,
        body={"project": store.project, "now": store.ends_at.isoformat(), "timezone": "UTC"},
        api=corpus.api,
        is_found=None if gold is None else is_found,
    )


def _pose_relations(service: Service, run: Run) -> list[Posed]:
    """Pose each pair's question to the tenant that holds the pair and to one that holds the others."""
    pairs = read_pairs(run.file(FILE))
    held = [pairs[::2], pairs[1::2]]
    apis = [_hold(service, f"relations-{number}", half) for number, half in enumerate(held)]
    return [
        _of_pair(pair, "relations" if holder == number else "relations_other", api, place=place)
        for number, half in enumerate(held)
        for place, pair in enumerate(half)
        for holder, api in enumerate(apis)
    ]


def _hold(service: Service, name: str, pairs: Sequence[Pair]) -> Api:
    plan = TenantPlan(slug=name, name=name, projects={}, agents=(AgentPlan(slug="reader", name="Reader"),))
    account = open_account(service, plan, KeyFile(service.home / "bench-keys.json"))
    api = Api(service.address, account.agents["reader"])
    capture_pairs(api, pairs)
    wait_until_settled(Api(service.address, account.admin), 2 * len(pairs))
    time.sleep(AFTERWARDS_SECONDS)
    return api


def _of_pair(pair: Pair, source: str, api: Api, *, place: int) -> Posed:
    def is_found(results: Sequence[Row]) -> bool:
        return any(pair.is_right(result_text(one)) for one in results)

    return Posed(
        source=source,
        part=_PARTS[place % 2],
        text=pair.question,
        body={"now": pair.asked_at},
        api=api,
        is_found=is_found if source == "relations" else None,
    )


def _pose_small(service: Service, run: Run) -> list[Posed]:
    """Pose to stores of a few memories the questions that they answer, and others."""
    [passages] = read_passages(run.file("cjk_passages.jsonl"))
    pairs = read_pairs(run.file(FILE))
    sets: Mapping[str, tuple[Sequence[Conversation], bool]] = {
        "relations": ([converse(f"pairs-{half}", pairs[half::2]) for half in (0, 1)], False),
        "cjk": (list(_halves(passages)), False),
        "locomo": (read_conversations(run.file("locomo_turns.jsonl")), True),
    }
    posed = []
    for name, (wholes, apart) in sets.items():
        parted = [(_part(place, len(wholes)), whole) for place, whole in enumerate(wholes)]
        stores = cut_stores(name, parted, seed=run.seed, apart=apart)
        corpus = load(service, f"small-{name}", [one.store for one in stores], verbatim=False)
        posed += [one for store in stores for one in _of_small(name, store, corpus)]
    return posed


def _of_small(name: str, small: SmallStore, corpus: Corpus) -> Iterator[Posed]:
    place = [one.name for one in corpus.conversations].index(small.store.name)
    for query, others in [(one, "") for one in small.store.queries] + [
        (one, "_other") for one in small.others
    ]:
        one = _of_conversation(
            f"{'cross' if query.category == CROSS else name}{others}",
            place, corpus, small.store, query.text, gold=None if others else gold_keys(small.store, query),
        )  # fmt: skip
        yield replace(one, size=small.size, part=small.part)


def _pose_fleet(service: Service, _run: Run) -> list[Posed]:
    said = read_lines(FLEET / "captures.jsonl")
    account = open_account(service, read_plan(FLEET), KeyFile(service.home / "fleet-keys.json"))
    written = write_fleet(service, account, said)
    apis = {agent: Api(service.address, key) for agent, key in account.agents.items()}
    return [_of_fleet(line, written, apis) for line in read_lines(FLEET / "questions.jsonl")]


def _of_fleet(line: Row, written: Mapping[str, Row], apis: Mapping[str, Api]) -> Posed:
    expected = {memory for name in line["expect"] for memory in written[name]["memories"]}

    def is_found(results: Sequence[Row]) -> bool:
        return any(expected & {one["id"], *one["restatements"]} for one in results)

    body = {name: line[name] for name in ("now", "timezone", "project", "ceiling") if line.get(name)}
    return Posed(
        source="fleet", part="measured", text=line["q"], body=body, api=apis[line["agent"]], is_found=is_found
    )


POSERS: Final = (_pose_fleet, _pose_small, _pose_relations, _pose_passages, _pose_chats, _pose_conversations)
"""In this order: what takes longest to load comes last."""
