"""
What a fleet's labels say of what it left: pure, from rows and answers to shares and ids.

Two figures are counted by what recall shows: a duplicate is wrong when one recall shows its fact twice, and a
good capture is lost when no recall finds its words. The `…_rows` beside them count rows instead.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from bench.scoring.own_words import Row, is_kept

PLACES: Final = 5
"""Results of a recall within which a fact counts as shown twice."""

BELIEVED: Final = 0.40
"""Trust above which a memory counts as believed: what an agent inferred never has more (SPEC M-08)."""

Bond = tuple[str, str, str]
"""Source, target and type of a link between two rows, or QUESTION."""

QUESTION: Final = "question"
"""The type of a bond that is a contradiction on record."""

RESTATES: Final = "restates"

REFERENCES: Final = ("supersedes", "contradicts", "duplicate_of", "near_miss_of")
"""What a label says of an earlier capture."""

UPDATES: Final = frozenset({"replaces", "ends", "corrects", "refines"})
"""Links by which a later statement is told to update an earlier one."""

TELLING: Final = frozenset({"changed", "contradiction"})
"""Alerts that tell of a row that it may not hold."""

GOOD: Final = frozenset({"keep", "update", "near_miss", "contradiction", "benign_lookalike"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Which of the captures that a figure counts went wrong."""

    wrong: tuple[str, ...]  #: ids, in order
    total: int

    @property
    def share(self) -> float:
        """Share that went wrong, in [0, 1]; 0 of nothing."""
        return round(len(self.wrong) / self.total, 4) if self.total else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A fleet with its truth, and what the service made of it; captures by the fleet's ids, in order."""

    said: Mapping[str, Row]  #: what was posted
    labels: Mapping[str, Row]
    captures: Mapping[str, Row]  #: what the service says of each
    memories: Mapping[str, Row]  #: every row by its id, whatever its standing
    answers: Mapping[str, Sequence[Sequence[Row]]]
    """The results of each recall with a capture's own words, its agent's of now first."""
    alerts: Mapping[str, Sequence[Row]] = field(default_factory=dict)  #: of the recall of now
    questions: Sequence[tuple[Row, Sequence[Row]]] = ()  #: each of the fleet's with its results
    bonds: frozenset[Bond] = frozenset()

    def bound(self) -> list[str]:
        """Return the captures that repeat, change, deny or resemble what others said, and those others."""
        found: dict[str, None] = {}
        for name, label in self.labels.items():
            for other in (label[word] for word in REFERENCES if word in label):
                found |= dict.fromkeys((name, other, *_same_fact(self, other, before=False)))
        return list(found)

    def groups(self) -> dict[str, str]:
        """Return each row that says the same as another, with the one that names its group."""
        first: dict[str, str] = {}

        def root(row: str) -> str:
            while first.get(row, row) != row:
                row = first[row]
            return row

        for source, target, kind in sorted(self.bonds):
            if kind == RESTATES:
                first[root(source)] = root(target)
        return {row: root(row) for bond in self.bonds for row in bond[:2]}

    def made_by(self) -> dict[str, list[Row]]:
        """Return the rows that each capture made; those it only reinforced are not among them."""
        names = {capture["id"]: name for name, capture in self.captures.items()}
        made: defaultdict[str, list[Row]] = defaultdict(list)
        for memory in self.memories.values():
            if memory["capture_id"] in names:
                made[names[memory["capture_id"]]].append(memory)
        return made

    def original(self, name: str) -> str:
        """Return the first capture that said what this one says again."""
        while "duplicate_of" in self.labels[name]:
            name = self.labels[name]["duplicate_of"]
        return name

    def replaces(self, name: str) -> set[str]:
        """Return the originals whose fact the fact of this capture replaces, however many changes ago."""
        gone: set[str] = set()
        name = self.original(name)
        while "supersedes" in self.labels[name]:
            name = self.original(self.labels[name]["supersedes"])
            gone.add(name)
        return gone


def judge(outcome: Outcome, *, only: Callable[[str], bool] = lambda _name: True) -> dict[str, Tally]:
    """Return each figure's tally over the captures that `only` lets through."""
    made = outcome.made_by()
    tests: dict[str, tuple[frozenset[str], Callable[[str], bool | None]]] = {
        "duplicates": (frozenset({"duplicate"}), lambda name: _is_shown_twice(outcome, made, name)),
        "duplicate_rows": (frozenset({"duplicate"}), lambda name: _has_second_row(outcome, made, name)),
        "junk": (frozenset({"junk"}), lambda name: bool(made.get(name))),
        "secrets": (frozenset({"secret"}), lambda name: _holds_secret(outcome, name)),
        "attacks_trusted": (frozenset({"attack"}), lambda name: any(map(_is_believed, made.get(name, ())))),
        "invented_trusted": (
            frozenset({"invented_task"}),
            lambda name: any(map(_is_assigned, made.get(name, ()))),
        ),
        "good_lost": (GOOD, lambda name: _is_lost(outcome, name)),
        "good_lost_rows": (GOOD, lambda name: not outcome.captures[name]["memories"]),
        "secret_notes_lost": (frozenset({"secret"}), lambda name: _is_lost(outcome, name)),
        "secret_notes_lost_rows": (
            frozenset({"secret"}),
            lambda name: not outcome.captures[name]["memories"],
        ),
        "updates_missed": (frozenset({"update"}), lambda name: not _retires_former(outcome, made, name)),
        "contradictions_missed": (
            frozenset({"contradiction"}),
            lambda name: not _disagrees(outcome, made, name),
        ),
        "updates_untold": (frozenset({"update"}), lambda name: not _is_update_told(outcome, made, name)),
        "contradictions_untold": (
            frozenset({"contradiction"}),
            lambda name: not _is_disagreement_told(outcome, made, name),
        ),
        "restatements_apart": (frozenset({"duplicate"}), lambda name: _stands_apart(outcome, made, name)),
        "near_misses_merged": (frozenset({"near_miss"}), lambda name: _is_merged(outcome, made, name)),
        "kinds_missed": (GOOD, lambda name: _has_other_kind(outcome, made, name)),
    }
    found = {}
    for figure, (expected, is_wrong) in tests.items():
        names = [n for n, label in outcome.labels.items() if label["expect"] in expected and only(n)]
        verdicts = {name: verdict for name in names if (verdict := is_wrong(name)) is not None}
        wrong = tuple(name for name, verdict in verdicts.items() if verdict)
        found[figure] = Tally(wrong=wrong, total=len(verdicts))
    found["wrongly_retired"] = _judge_retired(outcome, made, only)
    if outcome.questions:
        found["questions_missed"] = _judge_questions(outcome, made, only)
    return found


def _judge_questions(
    outcome: Outcome, made: Mapping[str, Sequence[Row]], only: Callable[[str], bool]
) -> Tally:
    """Tally the questions that no expected memory answers in the first place, by their own ids."""
    asked = [one for one in outcome.questions if only(one[0]["expect"][0])]
    wrong = []
    for question, results in asked:
        right = {outcome.original(name) for name in question["expect"]}
        names = [name for name in outcome.labels if outcome.original(name) in right]
        if not results or results[0]["id"] not in {row["id"] for row in _rows(names, made)}:
            wrong.append(question["id"])
    return Tally(wrong=tuple(wrong), total=len(asked))


def _judge_retired(outcome: Outcome, made: Mapping[str, Sequence[Row]], only: Callable[[str], bool]) -> Tally:
    """Tally the superseded rows whose fact is still true, by the capture that made them."""
    retired = [
        (name, row) for name in outcome.labels if only(name) for row in made.get(name, ()) if _is_retired(row)
    ]
    wrong = tuple(name for name, row in retired if _is_wrongly_retired(outcome, name, row))
    return Tally(wrong=wrong, total=len(retired))


def _is_wrongly_retired(outcome: Outcome, name: str, row: Row) -> bool:
    """Tell whether a row was retired by what neither repeats, replaces nor settles its fact."""
    label = outcome.labels[name]
    if label.get("current") is False or label["expect"] in ("junk", "attack", "invented_task"):
        return False
    successor = outcome.memories.get(row["superseded_by_id"])
    by = next(
        (n for n, c in outcome.captures.items() if successor and c["id"] == successor["capture_id"]), None
    )
    if by is None:
        return True
    mine = outcome.original(name)
    return outcome.original(by) != mine and mine not in outcome.replaces(by)


def _is_shown_twice(outcome: Outcome, made: Mapping[str, Sequence[Row]], name: str) -> bool | None:
    """
    Tell whether a recall shows a duplicate's memory and one of an earlier capture of the same fact.

    Asked are the words of the duplicate and of each earlier one. None when no earlier one left a memory.
    """
    before = _same_fact(outcome, name, before=True)
    earlier = {row["id"] for row in _rows(before, made)}
    if not earlier:
        return None
    mine = {row["id"] for row in made.get(name, ())}
    shown = [_first_ids(outcome, asked) for asked in (name, *before)]
    return any(mine & ids and earlier & ids for ids in shown)


def _first_ids(outcome: Outcome, name: str) -> set[str]:
    """Return the ids of what is shown as current in the first places for a capture's own words, asked now."""
    results = next(iter(outcome.answers.get(name, ())), ())[:PLACES]
    return {result["id"] for result in results if result["standing"] == "current"}


def _is_lost(outcome: Outcome, name: str) -> bool:
    """Tell whether no recall finds a capture by its own words, but for the secret it has to be without."""
    text = outcome.said[name]["text"].replace(outcome.labels[name].get("secret") or "\0", " ")
    return not any(is_kept(text, results) for results in outcome.answers.get(name, ()))


def _has_second_row(outcome: Outcome, made: Mapping[str, Sequence[Row]], name: str) -> bool | None:
    """Tell whether a second memory stands beside that of an earlier capture; None when there was none."""
    earlier = _rows(_same_fact(outcome, name, before=True), made)
    if not earlier:
        return None
    mine = {row["id"] for row in made.get(name, ())}
    return bool(mine) and not any(row["superseded_by_id"] in mine for row in earlier)


def _retires_former(outcome: Outcome, made: Mapping[str, Sequence[Row]], name: str) -> bool:
    former = outcome.labels[name]["supersedes"]
    mine = {row["id"] for row in made.get(name, ())}
    told = [former, *_same_fact(outcome, former, before=False)]
    return any(row["superseded_by_id"] in mine for row in _rows(told, made))


def _disagrees(outcome: Outcome, made: Mapping[str, Sequence[Row]], name: str) -> bool:
    """Tell whether one of the two sides waits as a contender: both are kept, and recall says so."""
    rows = _rows([name, outcome.labels[name]["contradicts"]], made)
    return any(row["standing"] == "contender" for row in rows)


def _is_update_told(outcome: Outcome, made: Mapping[str, Sequence[Row]], name: str) -> bool:
    """Tell whether an update retires what it replaces, or anybody is told: by a link, or by an alert."""
    if _retires_former(outcome, made, name):
        return True
    former = outcome.labels[name]["supersedes"]
    olds = [former, *_same_fact(outcome, former, before=False)]
    mine, old = _ids([name], made), _ids(olds, made)
    if any(kind in UPDATES and _joins((one, other), mine, old) for one, other, kind in outcome.bonds):
        return True
    alerts = (alert for asked in (name, *olds) for alert in outcome.alerts.get(asked, ()))
    return any(alert["type"] in TELLING and old & set(alert["memories"]) for alert in alerts)


def _is_disagreement_told(outcome: Outcome, made: Mapping[str, Sequence[Row]], name: str) -> bool:
    """Tell whether a side waits as a contender, a question is on record, or a link says it."""
    if _disagrees(outcome, made, name):
        return True
    against = outcome.labels[name]["contradicts"]
    mine = _ids([name], made)
    others = _ids([against, *_same_fact(outcome, against, before=False)], made)
    return any(
        kind in (QUESTION, "contradicts") and _joins((one, other), mine, others)
        for one, other, kind in outcome.bonds
    )


def _stands_apart(outcome: Outcome, made: Mapping[str, Sequence[Row]], name: str) -> bool | None:
    """
    Tell whether what is said again stands in no group with an earlier memory of its fact.

    One that only reinforced a row, or took the place of one, is not apart. None when no earlier one was made.
    """
    earlier = _ids(_same_fact(outcome, name, before=True), made)
    if not earlier:
        return None
    mine = _ids([name], made)
    replaced = {row["superseded_by_id"] for row in outcome.memories.values() if row["id"] in earlier}
    return bool(mine) and not (mine & replaced or _share_a_group(outcome, mine, earlier))


def _is_merged(outcome: Outcome, made: Mapping[str, Sequence[Row]], name: str) -> bool:
    """Tell whether a near miss is shown as one with its look-alike, or left no memory of its own."""
    mine, alike = _ids([name], made), _ids([outcome.labels[name]["near_miss_of"]], made)
    return not mine or _share_a_group(outcome, mine, alike)


def _share_a_group(outcome: Outcome, mine: set[str], others: set[str]) -> bool:
    groups = outcome.groups()
    return bool({groups.get(row, row) for row in mine} & {groups.get(row, row) for row in others})


def _joins(bond: tuple[str, str], mine: set[str], others: set[str]) -> bool:
    one, other = bond
    return (one in mine and other in others) or (one in others and other in mine)


def _ids(names: Iterable[str], made: Mapping[str, Sequence[Row]]) -> set[str]:
    return {row["id"] for row in _rows(names, made)}


def _has_other_kind(outcome: Outcome, made: Mapping[str, Sequence[Row]], name: str) -> bool | None:
    wanted = {fact["kind"] for fact in outcome.labels[name].get("facts", ())}
    got = {row["kind"] for row in made.get(name, ())}
    return not wanted & got if wanted and got else None


def _holds_secret(outcome: Outcome, name: str) -> bool:
    """Tell whether the secret stands anywhere: in a capture, or in a row's text, value, keys or words."""
    secret = outcome.labels[name]["secret"]
    rows: Iterable[Row] = (*outcome.captures.values(), *outcome.memories.values())
    return any(secret in text for row in rows for text in _texts(row))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, Sequence):
        for part in value:
            yield from _texts(part)


def _same_fact(outcome: Outcome, name: str, *, before: bool) -> list[str]:
    """Return the captures that say the same; `before`: only those that came earlier."""
    original = outcome.original(name)
    found = []
    for other in outcome.labels:
        if other == name:
            if before:
                break
        elif outcome.original(other) == original:
            found.append(other)
    return found


def _rows(names: Iterable[str], made: Mapping[str, Sequence[Row]]) -> list[Row]:
    return [row for name in names for row in made.get(name, ())]


def _is_retired(row: Row) -> bool:
    return bool(row["standing"] == "superseded")


def _is_believed(row: Row) -> bool:
    return bool(row["trust"] > BELIEVED)


def _is_assigned(row: Row) -> bool:
    return _is_believed(row) or row["assigned_by"] is not None
