"""
Check the sample fleet and print what it holds: `python examples/fleet/check.py`.

Every rule of the folder's README is one function that yields a sentence for each breach. Exit code 0 when
there is none, 1 otherwise.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

HERE: Final = Path(__file__).resolve().parent
Row = dict[str, Any]

CLASSES: Final = ("public", "internal", "restricted", "confidential")  # rank = position
STATES: Final = frozenset(
    {"invariant", "working_state", "profile", "preference", "skill", "interest", "estimate"}
)
KINDS: Final = STATES | {
    "task",
    "episode",
    "decision",
    "finding",
    "correction",
    "negative",
    "meta",
    "pattern",
}
REFERENCES: Final = {
    "duplicate": "duplicate_of",
    "update": "supersedes",
    "contradiction": "contradicts",
    "near_miss": "near_miss_of",
}
EXPECTATIONS: Final = {*REFERENCES, "keep", "junk", "secret", "attack", "invented_task", "benign_lookalike"}
CAPTURE_KEYS: Final = {
    *("id", "agent", "project", "session", "role", "speaker", "clock", "timezone", "text", "classification"),
}
LABEL_KEYS: Final = {
    "id",
    "expect",
    "facts",
    "current",
    "assigned_by",
    "secret",
    "note",
    "echo_of",
    *REFERENCES.values(),
}
QUESTION_KEYS: Final = {
    *("id", "agent", "project", "q", "now", "timezone", "expect", "must_not", "ceiling", "demo", "why"),
}
FIRST_DAY: Final = datetime.fromisoformat("2026-01-05T00:00:00+00:00")
LAST_DAY: Final = datetime.fromisoformat("2026-06-06T00:00:00+00:00")
HAN: Final = re.compile(r"[\u4e00-\u9fff]")
LATIN_WORD: Final = re.compile(r"[A-Za-zÀ-ÿ]{2,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """The files, read; rows by id, in the order of the file."""

    company: Row
    agents: dict[str, Row]  #: by slug
    capture: dict[str, Row]
    label: dict[str, Row]
    questions: list[Row]

    def expecting(self, expect: str) -> list[Row]:
        """Labels with that expectation, in order."""
        return [row for row in self.label.values() if row["expect"] == expect]

    def replaced(self) -> set[str]:
        """Ids of the captures whose state a later one updates."""
        return {row["supersedes"] for row in self.expecting("update")}


def read_lines(path: Path) -> list[Row]:
    """Read a file of one JSON object a line."""
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def read_fleet(folder: Path = HERE) -> Fleet:
    """Read the files of a fleet. Raises OSError or ValueError when one is missing or no JSON."""
    company = json.loads((folder / "fleet.json").read_text("utf-8"))
    return Fleet(
        company=company,
        agents={row["slug"]: row for row in company["agents"]},
        capture={row["id"]: row for row in read_lines(folder / "captures.jsonl")},
        label={row["id"]: row for row in read_lines(folder / "labels.jsonl")},
        questions=read_lines(folder / "questions.jsonl"),
    )


def is_chinese(text: str) -> bool:
    """Tell whether a text reads as Chinese: at least two Han characters, and no fewer than Latin words."""
    han = len(HAN.findall(text))
    return han >= 2 and han >= len(LATIN_WORD.findall(text))


def count_words(text: str) -> int:
    """Count words; two Han characters count as one."""
    return len(LATIN_WORD.findall(text)) + len(HAN.findall(text)) // 2


def rank(classification: Any) -> int:
    """Rank of a class, 0 public to 3 confidential."""
    return CLASSES.index(classification)


def fits_zone(clock: str, zone: str) -> bool:
    """Tell whether the offset of an ISO-8601 clock is the zone's on that day."""
    at = datetime.fromisoformat(clock)
    return at.astimezone(ZoneInfo(zone)).utcoffset() == at.utcoffset()


def state_key(label: Row) -> tuple[str, str] | None:
    """Return (entity, concept) of the label's first state fact, which is what `current` speaks of."""
    for fact in label["facts"]:
        if fact["kind"] in STATES:
            return fact["entity"], fact["concept"]
    return None


def keys_of(label: Row) -> set[tuple[str, str]]:
    """Return (entity, concept) of all the label's facts."""
    return {(fact["entity"], fact["concept"]) for fact in label["facts"]}


def check_fleet(data: Fleet) -> Iterator[str]:
    """The company: 6 agents with known ceilings and projects, people with real zones."""
    slugs = {row["slug"] for row in data.company["projects"]}
    if len(data.company["agents"]) != 6:
        yield "fleet.json: not six agents"
    for agent in data.company["agents"]:
        if agent["ceiling"] not in CLASSES or not agent["domains"] or agent["project"] not in {*slugs, None}:
            yield f"fleet.json: agent {agent['slug']} has a wrong ceiling, project or no domain"
    for person in data.company["people"]:
        ZoneInfo(person["timezone"])


def check_capture_shape(data: Fleet) -> Iterator[str]:
    """Exact keys, ids in order, a speaker who may have that role, a class the agent may see."""
    people = {row["name"] for row in data.company["people"]}
    for number, row in enumerate(data.capture.values(), start=1):
        if set(row) != CAPTURE_KEYS or row["id"] != f"c{number:03d}" or not row["text"]:
            yield f"{row.get('id')}: keys, id or text are wrong"
            return
        agent = data.agents[row["agent"]]
        allowed = {"user": people, "assistant": {agent["name"]}}.get(row["role"])
        if (allowed is None and row["role"] != "tool") or (allowed and row["speaker"] not in allowed):
            yield f"{row['id']}: {row['speaker']} cannot speak as {row['role']}"
        if row["project"] not in {agent["project"], None} or rank(row["classification"]) > rank(
            agent["ceiling"]
        ):
            yield f"{row['id']}: outside the agent's project or above its ceiling"


def check_clocks(data: Fleet) -> Iterator[str]:
    """Clocks are sorted, inside the five months, and their offset is the zone's on that day."""
    clocks = [datetime.fromisoformat(row["clock"]) for row in data.capture.values()]
    if clocks != sorted(clocks):
        yield "captures.jsonl: not sorted by clock"
    for row, clock in zip(data.capture.values(), clocks, strict=True):
        if not fits_zone(row["clock"], row["timezone"]):
            yield f"{row['id']}: offset does not fit {row['timezone']}"
        if not FIRST_DAY <= clock < LAST_DAY:
            yield f"{row['id']}: outside the five months"


def check_sessions(data: Fleet) -> Iterator[str]:
    """A session belongs to one agent and project and has 2 to 8 turns."""
    owners = {(row["session"], row["agent"], row["project"]) for row in data.capture.values()}
    turns = Counter(row["session"] for row in data.capture.values())
    if len(owners) != len(turns):
        yield "captures.jsonl: a session with two agents or two projects"
    yield from (f"session {name}: {n} turns" for name, n in turns.items() if not 2 <= n <= 8)


def check_label_shape(data: Fleet) -> Iterator[str]:
    """One label for each capture, in order, with known keys, expectation and kinds."""
    if list(data.label) != list(data.capture):
        yield "labels.jsonl: ids are not those of captures.jsonl"
    for row in data.label.values():
        if not {"id", "expect", "facts"} <= set(row) <= LABEL_KEYS or row["expect"] not in EXPECTATIONS:
            yield f"{row['id']}: unknown key or expectation in its label"
        if any(set(fact) - {"value"} != {"kind", "entity", "concept"} for fact in row["facts"]):
            yield f"{row['id']}: a fact without kind, entity or concept"
        if {fact["kind"] for fact in row["facts"]} - KINDS:
            yield f"{row['id']}: unknown kind"
        if (row["expect"] == "junk") == bool(row["facts"]) and row["expect"] != "attack":
            yield f"{row['id']}: junk has no fact, everything else has one"


def check_references(data: Fleet) -> Iterator[str]:
    """A reference names an earlier capture of the same agent and project, and is there when it must be."""
    for row in data.label.values():
        needed = {REFERENCES[row["expect"]]} if row["expect"] in REFERENCES else set()
        if needed != set(row) & set(REFERENCES.values()):
            yield f"{row['id']}: {row['expect']} needs {needed or 'no reference'}"
        for name in needed | ({"echo_of"} & set(row)):
            mine, other = data.capture[row["id"]], data.capture.get(row.get(name, ""))
            if other is None or other["id"] >= mine["id"]:
                yield f"{row['id']}: {name} does not name an earlier capture"
            elif (mine["agent"], mine["project"]) != (other["agent"], other["project"]):
                yield f"{row['id']}: {name} crosses agents or projects"


def check_relations(data: Fleet) -> Iterator[str]:
    """Duplicates, updates and contradictions speak of the key they refer to; near misses of another."""
    for row in data.label.values():
        name = REFERENCES.get(row["expect"])
        if name is None:
            continue
        other = data.label[row[name]]
        if bool(keys_of(row) & keys_of(other)) == (row["expect"] == "near_miss"):
            yield f"{row['id']}: its (entity, concept) does not fit being a {row['expect']} of {other['id']}"
        if row["expect"] == "update" and state_key(row) not in keys_of(other):
            yield f"{row['id']}: updates another key than {other['id']} has"


def check_duplicates(data: Fleet) -> Iterator[str]:
    """A duplicate has the class of its original, or the two could never be merged."""
    for row in data.expecting("duplicate"):
        mine, original = data.capture[row["id"]], data.capture[row["duplicate_of"]]
        if mine["classification"] != original["classification"]:
            yield f"{row['id']}: is of another class than {original['id']}"


def check_chains(data: Fleet) -> Iterator[str]:
    """Along a chain of updates only the last is current."""
    replaced = data.replaced()
    for row in data.expecting("update"):
        if row.get("current") is not (row["id"] not in replaced):
            yield f"{row['id']}: current does not fit its place in the chain"
    for each in replaced:
        if data.label[each].get("current") is not False:
            yield f"{each}: is superseded, so not current"


def check_current(data: Fleet) -> Iterator[str]:
    """No state key of an agent has two current values."""
    held = Counter(
        (data.capture[row["id"]]["agent"], state_key(row))
        for row in data.label.values()
        if row.get("current") and state_key(row)
    )
    yield from (f"{agent}: {n} current values of {key}" for (agent, key), n in held.items() if n > 1)


def check_secrets(data: Fleet) -> Iterator[str]:
    """A secret is an exact part of its own capture, is in no other, and leaves something useful."""
    for row in data.label.values():
        if (row["expect"] == "secret") != ("secret" in row):
            yield f"{row['id']}: secret label and secret do not go together"
            return
    for row in data.expecting("secret"):
        holders = [each["id"] for each in data.capture.values() if row["secret"] in each["text"]]
        if holders != [row["id"]] or len(row["secret"]) < 8:
            yield f"{row['id']}: its secret stands in {holders}"


def has_task(label: Row) -> bool:
    """Tell whether one of the label's facts is a task."""
    return any(fact["kind"] == "task" for fact in label["facts"])


def check_assigned(data: Fleet) -> Iterator[str]:
    """A task that is to be kept was assigned by the person who speaks."""
    for row in data.label.values():
        turn = data.capture[row["id"]]
        assigner = turn["speaker"] if has_task(row) and turn["role"] == "user" else None
        if row.get("assigned_by") != assigner:
            yield f"{row['id']}: assigned_by is not the person who speaks"
        if has_task(row) and assigner is None and row["expect"] != "invented_task":
            yield f"{row['id']}: a task that nobody assigned"


def check_invented(data: Fleet) -> Iterator[str]:
    """An invented task is an agent's own sentence, and comes back on a later day."""
    invented = data.expecting("invented_task")
    cited = {row["echo_of"] for row in invented if "echo_of" in row}
    for row in invented:
        if data.capture[row["id"]]["role"] != "assistant" or not has_task(row):
            yield f"{row['id']}: an invented task is a task in an assistant's turn"
        if "echo_of" not in row and row["id"] not in cited:
            yield f"{row['id']}: invented, but never cited again"
        if "echo_of" in row and days_between(data, row["echo_of"], row["id"]) < 1:
            yield f"{row['id']}: cites {row['echo_of']} on the same day"


def days_between(data: Fleet, earlier: str, later: str) -> float:
    """Return the days from one capture to another."""
    clocks = [datetime.fromisoformat(data.capture[each]["clock"]) for each in (earlier, later)]
    return (clocks[1] - clocks[0]) / timedelta(days=1)


def ceiling_of(data: Fleet, question: Row) -> int:
    """Rank up to which a question may see: its own ceiling, or else its agent's."""
    return rank(question.get("ceiling", data.agents[question["agent"]]["ceiling"]))


def check_question_shape(data: Fleet) -> Iterator[str]:
    """Known keys, an answer expected, and an offset that is the zone's."""
    for row in data.questions:
        if not QUESTION_KEYS - {"ceiling", "demo"} <= set(row) <= QUESTION_KEYS or not row["expect"]:
            yield f"{row['id']}: keys are wrong or nothing is expected"
        if not fits_zone(row["now"], row["timezone"]):
            yield f"{row['id']}: offset does not fit {row['timezone']}"


def check_answers(data: Fleet) -> Iterator[str]:
    """What a question expects is visible to its agent, below its ceiling, and no longer ahead."""
    for row in data.questions:
        for turn in (data.capture[each] for each in row["expect"]):
            if turn["agent"] != row["agent"] or turn["project"] not in {row["project"], None}:
                yield f"{row['id']}: {turn['id']} is not visible to {row['agent']}"
            if rank(turn["classification"]) > ceiling_of(data, row):
                yield f"{row['id']}: {turn['id']} is above the ceiling"
            if datetime.fromisoformat(turn["clock"]) > datetime.fromisoformat(row["now"]):
                yield f"{row['id']}: {turn['id']} lies in the future"


def check_must_not(data: Fleet) -> Iterator[str]:
    """What must not come back is superseded, an attack, invented, refuted, or above the ceiling."""
    replaced = data.replaced()
    for row in data.questions:
        for each in row["must_not"]:
            bad = each in replaced or data.label[each]["expect"] in {
                "attack",
                "invented_task",
                "contradiction",
            }
            if not bad and rank(data.capture[each]["classification"]) <= ceiling_of(data, row):
                yield f"{row['id']}: why must {each} not come back?"


def is_cross_language(data: Fleet, question: Row) -> bool:
    """Tell whether no expected capture is in the question's language."""
    return all(
        is_chinese(data.capture[each]["text"]) != is_chinese(question["q"]) for each in question["expect"]
    )


def count_captures(data: Fleet) -> list[tuple[str, int, int]]:
    """Count what the captures hold: (what, how many, the least allowed)."""
    chinese = [row for row in data.capture.values() if is_chinese(row["text"])]
    guarded = [row for row in data.capture.values() if rank(row["classification"]) >= rank("restricted")]
    told = [data.capture[row["id"]]["text"] for row in data.label.values() if row["expect"] != "junk"]
    return [
        ("captures", len(data.capture), 320),
        ("sessions", len({row["session"] for row in data.capture.values()}), 60),
        ("in Chinese", len(chinese), len(data.capture) // 5),
        ("restricted or confidential", len(guarded), 12),
        (
            "of 8 to 60 words, in % of what is not junk",
            100 * sum(8 <= count_words(t) <= 60 for t in told) // len(told),
            75,
        ),
    ]


def count_labels(data: Fleet) -> list[tuple[str, int, int]]:
    """Count what the labels say: (what, how many, the least allowed)."""
    least = {
        "keep": 100,
        "junk": 35,
        "duplicate": 25,
        "secret": 12,
        "attack": 20,
        "update": 20,
        "contradiction": 10,
    }
    least |= {"invented_task": 10, "benign_lookalike": 12, "near_miss": 12}
    chains = [row for row in data.expecting("update") if data.label[row["supersedes"]]["expect"] != "update"]
    invented = data.expecting("invented_task")
    text = {row["id"]: row["text"] for row in data.capture.values()}
    twice = [(text[row["id"]], text[row["duplicate_of"]]) for row in data.expecting("duplicate")]
    session = {row["id"]: row["session"] for row in data.capture.values()}
    return [
        *((f"expect {name}", len(data.expecting(name)), floor) for name, floor in least.items()),
        ("keys that change", len({(row["supersedes"]) for row in chains}), 20),
        ("keys that change three times or more", sum(chain_length(data, row) >= 3 for row in chains), 3),
        (
            "changes within one session",
            sum(session[row["id"]] == session[row["supersedes"]] for row in data.expecting("update")),
            2,
        ),
        ("duplicates across languages", sum(is_chinese(a) != is_chinese(b) for a, b in twice), 5),
        ("duplicates letter by letter", sum(a == b for a, b in twice), 3),
        ("invented tasks", sum("echo_of" not in row for row in invented), 10),
        ("citations of invented tasks", sum("echo_of" in row for row in invented), 10),
        ("tasks assigned by people", sum("assigned_by" in row for row in data.label.values()), 10),
    ]


def chain_length(data: Fleet, update: Row) -> int:
    """Count the updates of a chain from its first one on."""
    later = [row for row in data.expecting("update") if row["supersedes"] == update["id"]]
    return 1 + (chain_length(data, later[0]) if later else 0)


def count_questions(data: Fleet) -> list[tuple[str, int, int]]:
    """Count the questions: (what, how many, the least allowed)."""
    return [
        ("questions", len(data.questions), 24),
        ("questions in Chinese", sum(is_chinese(row["q"]) for row in data.questions), 8),
        ("questions across languages", sum(is_cross_language(data, row) for row in data.questions), 4),
        ("questions of the demo", sum(row.get("demo", False) for row in data.questions), 10),
    ]


def check_counts(data: Fleet) -> Iterator[str]:
    """Every count reaches its floor."""
    for what, count, floor in (*count_captures(data), *count_labels(data), *count_questions(data)):
        if count < floor:
            yield f"only {count} {what}, {floor} wanted"


CHECKS: Final[tuple[Callable[[Fleet], Iterator[str]], ...]] = (
    *(check_fleet, check_capture_shape, check_clocks, check_sessions, check_label_shape, check_references),
    *(check_relations, check_duplicates, check_chains, check_current, check_secrets, check_assigned),
    *(check_invented, check_question_shape, check_answers, check_must_not, check_counts),
)


def find_breaches(data: Fleet) -> list[str]:
    """List the breaches of the first rule that has any: later rules lean on earlier ones."""
    return next((found for check in CHECKS if (found := list(check(data)))), [])


def main() -> int:
    """Print the counts and the breaches; return the exit code."""
    data = read_fleet()
    print("| what | count | at least |\n| --- | ---: | ---: |")
    for what, count, floor in (*count_captures(data), *count_labels(data), *count_questions(data)):
        print(f"| {what} | {count} | {floor} |")
    breaches = find_breaches(data)
    print("\n".join(["", *breaches, f"{len(CHECKS)} rules, {len(breaches)} breaches"]))
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
