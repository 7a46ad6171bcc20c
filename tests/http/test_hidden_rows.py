"""
Rows above one's class change no byte of any answer (SPEC S-01).

Two tenants are asked the same by a low key, word for word. In one of them rows above its class lie around
every probe, some of the same agent, the same session and the same words. All bodies have to be equal but for
ids and moments.
"""

import json
import re
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any, Final
from uuid import UUID

import pytest
from django.utils import timezone

from evolution.sleep.registry import STEP_NAMES
from evolution.sleep.requests import ask_for_night
from evolution.sleep.run import Pace, sleep
from memories.ingestion import notify
from memories.models import Capture
from memories.pipeline import process_capture
from memories.storage import neighbours
from recall.answering.post_response import wait_until_counted
from tenants.scope import Viewer, pipeline_viewer, tenant_scope, unit_of_work
from tests.factories import make_agent, make_tenant
from tests.http.conftest import Caller, caller

pytestmark = pytest.mark.spec("S-01", "W-10", "W-14", "M-08")

FLOOD: Final = 50

_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[^\"' ]*")
_ID: Final = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")
_REFERENCES: Final = re.compile(
    r"^(- )?([0-9a-f-]{3,36}(?:, [0-9a-f-]{3,36})*)(?=:|$| (?:\d{4}-)?\d\d-\d\d)", re.MULTILINE
)
"""How a line of a context's block begins that is a card's, or speaks of cards."""
_DIGEST: Final = re.compile(r"\b[0-9a-f]{64}\b")

SAID: Final = (
    ("user", "The nightly build fails because the cache of the package mirror is stale."),
    ("user", "Priya lives in Porto and works for the harbour office."),
    ("tool", "The mirror answered 504 after 30 seconds."),
    ("assistant", "The nightly build fails because the cache of the package mirror is stale."),
    ("assistant", "The vault code of the Lisbon office was changed by Priya on Monday."),
    ("user", "We decided to keep the ferry table in the harbour office, because the cloud was slow."),
)
"""Turns of one session. The second of the assistant's is said above the key's class only."""

NOTES: Final = (
    {"content": "Builds are slow because the mirror is far away, so keep a cache near.", "kind": "finding"},
    {
        "content": "Priya's office is in Porto.", "kind": "profile", "entity_key": "priya",
        "concept_key": "office", "value": "Porto",
    },
    {
        "content": "Priya's office is in Lisbon now.", "kind": "profile", "entity_key": "priya",
        "concept_key": "office", "value": "Lisbon",
    },
    {"content": "Restarting the mirror failed because the lock was held.", "kind": "negative"},
)  # fmt: skip

PROBES: Final = (
    {"role": "user", "text": "The vault code of the Lisbon office was changed by Priya on Monday."},
    {"role": "assistant", "session": "monday", "text": "The vault code of the Lisbon office was changed."},
    {"role": "user", "session": "monday", "text": "Priya lives in Braga."},
    {"role": "tool", "text": "The mirror answered 504 after 31 seconds."},
)

QUESTIONS: Final = ("Why does the nightly build fail?", "Where is Priya's office?", "What is the vault code?")

LISTS: Final = (
    "memories", "memories?kind=finding", "captures", "captures?session=monday", "entities", "documents",
    "contradictions", "verify-first", "watermarks", "watermarks?limit=1", "watermarks/calibration",
    "lint", "lint?level=dangling", "lint?level=orphans", "lint?level=stale", "lint?level=contradictions",
    "sleep-runs", "shadow-runs", "downgrades", "statistics",
    "policies", "keys", "people", "projects", "agents", "events", "events?kind=stored&limit=5", "webhooks",
    "memories/slice?by=kind&by=entity", "memories/slice?by=tag&by=importance&limit=2",
)  # fmt: skip

NARROWED: Final = (
    {"entity_key": "priya"},
    {"session": "monday", "trust_from": 0.1},
    {"classification": "confidential"},
    {"created_from": "2020-01-01T00:00:00+00:00", "importance_from": 1},
)

PER_MEMORY: Final = ("", "/history", "/links", "/graph?depth=2", "/recalls", "/lineage")
PER_ENTITY: Final = ("", "/memories", "/triples")


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Let no hint be tried, and ask no model."""
    monkeypatch.setattr(notify, "_quiet_until", float("inf"))
    rules = {"BACKEND": "memories.llms.rules.RulesModel", "OPTIONS": {}}
    settings.LLMS = dict.fromkeys(settings.LLMS, rules)


def process(tenant: Viewer) -> None:
    """Work through what waits, oldest first, and what comes of it: a document is cut, then remembered."""
    with tenant_scope(pipeline_viewer(tenant.tenant_id)):
        while ids := waiting():
            for capture_id in ids:
                process_capture(capture_id, now=timezone.now())


def waiting() -> list[UUID]:
    """Return the captures that wait, oldest first."""
    with unit_of_work():
        rows = Capture.objects.filter(state="pending").order_by("created_at", "id")
        return list(rows.values_list("id", flat=True))


def night(tenant: Viewer) -> None:
    """Run every step of a night."""
    with tenant_scope(pipeline_viewer(tenant.tenant_id)):
        asked = ask_for_night(steps=list(STEP_NAMES), dream=True, now=timezone.now(), hinted=False)
        pace = Pace(clock=lambda: 0.0, slice_seconds=9e9, dream_seconds=9e9)
        sleep(asked.id, now=timezone.now(), pace=pace)


class House:
    """A tenant with an agent, its low key, and others that may know all."""

    def __init__(self, tenant: Viewer, *, hides: bool) -> None:
        agent = make_agent(tenant=tenant, slug="rui")
        self.tenant, self.hides = tenant, hides
        self.low = caller(tenant, agent=agent.id, ceiling=1)
        self.reader = caller(tenant, ceiling=1)
        self.high = (caller(tenant, agent=agent.id), caller(tenant))

    def hide(self, say: Callable[[Caller, int], Any]) -> None:
        """Let something be written above the low key's class, if this house hides anything."""
        if self.hides:
            for number, one in enumerate(self.high):
                say(one, number)
        process(self.tenant)  # in every house at the same moments, so that only what is hidden differs

    def capture(self, **body: Any) -> Iterator[Any]:
        """Say something with the low key, process it, and yield what is told of it."""
        taken = self.low.post("captures", body)
        yield told(taken)
        process(self.tenant)
        yield told(self.low.get(f"captures/{taken.json()['id']}"))


def told(answer: Any) -> Any:
    """Return the answer's status and body. A failure is alike in every house, and no answer."""
    assert answer.status_code < 500, answer.content
    return [answer.status_code, json.loads(answer.content)]


def plain(script: list[Any]) -> list[Any]:
    """Return the bodies with ids by their order, without moments, digests and durations."""
    seen: dict[str, int] = {}

    def named(match: re.Match[str]) -> str:
        return f"id-{seen.setdefault(match[0].replace('-', ''), len(seen))}"

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            value = with_whole_ids(value) if "sections" in value else value
            # A context counts the tokens of its ids, too, which are drawn by chance.
            timed = {"ms", "etag", "next", "prefix", "request_id", "tokens", "stable_prefix", "last_used_at",
                     "p50_ms", "p95_ms"}  # fmt: skip
            return {bare(name): bare(one) for name, one in value.items() if name not in timed}
        if isinstance(value, list):
            return [bare(one) for one in value]
        if isinstance(value, float):
            return round(value, 3)
        if isinstance(value, str):
            return _ID.sub(named, _DIGEST.sub("digest", _MOMENT.sub("moment", value)))
        return value

    return [bare(one) for one in script]


def with_whole_ids(context: dict[str, Any]) -> dict[str, Any]:
    """Return a context with ids in place of their ends: which end names a card is drawn by chance."""
    cards = [card for section in context["sections"].values() for card in section]
    whole = {card["reference"]: card["id"] for card in cards}

    def put(match: re.Match[str]) -> str:
        return (match[1] or "") + ", ".join(whole.get(one, one) for one in match[2].split(", "))

    sections = {
        name: [{**card, "reference": card["id"]} for card in section]
        for name, section in context["sections"].items()
    }
    return {**context, "sections": sections, "text": _REFERENCES.sub(put, context["text"])}


def secret(number: int) -> str:
    return f"The vault code of the Lisbon office was changed by Priya on Monday. Note {number}."


def flood(one: Caller, start: int) -> None:
    """Write rows above the low key's class around everything that is asked."""
    texts = [text for _, text in SAID] + [note["content"] for note in NOTES] + [p["text"] for p in PROBES]
    per_text = FLOOD // len(texts) + 1
    for text in texts:
        for number in range(per_text):
            name = ("restricted", "confidential")[number % 2]
            one.post(
                "memories",
                {
                    "content": f"{text} It stays among us, copy {start}-{number}.",
                    "kind": ("concept", "episode", "negative", "finding")[number % 4],
                    "classification": name, "shared": True, "session": "monday",
                },
            )  # fmt: skip
    for number, (role, text) in enumerate(SAID):
        body = {"role": role, "session": "monday", "classification": "confidential", "shared": True}
        one.post("captures", {**body, "text": text})
        one.post("captures", {**body, "text": secret(number), "verbatim": True})
    for note in NOTES:
        one.post("memories", {**note, "classification": "confidential", "shared": True})
    one.post(
        "memories",
        {
            **NOTES[1],
            "value": "Braga",
            "content": "Priya's office is in Braga.",
            "classification": "restricted",
        },
    )
    one.post(
        "documents",
        {
            "title": "The harbour", "text": " ".join(text for _, text in SAID), "shared": True,
            "classification": "confidential",
        },
    )  # fmt: skip


def script(house: House) -> Iterator[Any]:
    """Ask the same in every house; yield all bodies."""
    low, reader = house.low, house.reader
    house.hide(flood)
    for role, text in SAID:
        house.hide(
            lambda one, number, said=text: one.post(
                "captures",
                {
                    "role": "user",
                    "session": "monday",
                    "text": f"{said} And {secret(number)}",
                    "classification": "confidential",
                    "verbatim": bool(number),
                },
            )
        )
        yield from house.capture(role=role, session="monday", text=text, verbatim=False)
        yield from house.capture(role=role, session="monday", text=f"As I said: {text}", verbatim=True)
    for note in NOTES:
        yield told(low.post("memories", note))
        yield told(low.post("memories", note))
    document = low.post("documents", {"title": "The harbour", "text": " ".join(text for _, text in SAID)})
    yield told(document)
    process(house.tenant)
    yield told(low.get(f"documents/{document.json()['id']}"))
    yield told(low.get(f"documents/{document.json()['id']}/passages"))
    house.hide(flood)
    yield from probe(house)
    night(house.tenant)
    for one in (low, reader):
        yield from look(one)
    yield from probe(house)


def probe(house: House) -> Iterator[Any]:
    for body in PROBES:
        yield told(house.low.post("captures?dry_run=true", body))
        yield told(house.low.post("captures?wait=0", {**body, "role": "user", "verbatim": True}))
        process(house.tenant)
    for one in (house.low, house.reader):
        for question in QUESTIONS:
            for more in ({"session": "monday"}, {"deep": True, "k": 50}):
                answer = told(one.post("recall", {"query": question, "seed": 7, "explain": True, **more}))
                yield answer
                wait_until_counted()
                yield told(one.get(f"recall/{answer[1]['recall_id']}"))
            # With room for all: how many tokens a card takes depends on its id, which is drawn by chance.
            wide = {"query": question, "session": "monday", "budget_tokens": 4000}
            yield told(one.post("context", wide))
            wait_until_counted()
        yield from narrow(one)


def narrow(one: Caller) -> Iterator[Any]:
    """Yield what is found where a question is narrowed, by links and by what rows above have as well."""
    seen = [row["id"] for row in one.get("memories?limit=100").json()["results"]]
    for where in (*NARROWED, *({"linked_to": memory} for memory in seen[:3])):
        yield told(one.post("recall", {"query": QUESTIONS[0], "seed": 7, "k": 50, "where": where}))
        wait_until_counted()


def look(one: Caller) -> Iterator[Any]:
    """Yield every list, and everything that is told of what stands in them."""
    for path in LISTS:
        yield [path, told(one.get(path))]
    for path, parts in (("memories", PER_MEMORY), ("entities", PER_ENTITY)):
        for found in one.get(f"{path}?limit=100").json()["results"]:
            for part in parts:
                yield told(one.get(f"{path}/{UUID(found['id'])}{part}"))


def test_rows_above_ones_class_change_no_byte_of_any_answer() -> None:
    """Ask again before judging: two of nearly one score change places by chance, a leak comes each time."""
    always: set[str] | None = None
    for attempt in ("first", "second", "third", "fourth"):
        empty = plain(list(script(House(make_tenant(f"{attempt}-empty"), hides=False))))
        full = plain(list(script(House(make_tenant(f"{attempt}-full"), hides=True))))
        found = {path: f"{one!r} is {other!r}"[:300] for path, one, other in differing(empty, full)}
        always = found.keys() if always is None else always & found.keys()
        if not always:
            return
    raise AssertionError("\n".join([f"{len(always)} differ", *(f"{path}: {found[path]}" for path in always)]))


def nearest(tenant: Viewer) -> list[Any]:
    """Return what a low key's dry run says of a note beside one of its own, with thirty above around it."""
    house = House(tenant, hides=True)
    text = str(NOTES[0]["content"])
    house.low.post("memories", NOTES[0])
    house.hide(lambda one, number: [close(one, text, at) for at in range(15 * number, 15 * number + 15)])
    return plain([told(house.low.post("captures?dry_run=true", {"role": "user", "text": text}))])


def close(one: Caller, text: str, number: int) -> None:
    hidden = {"classification": "restricted", "shared": True, "kind": "concept"}
    assert one.post("memories", {"content": f"{text} ({number})", **hidden}).status_code in (200, 201)


def test_the_neighbours_of_before_would_be_noticed(
    ada: Viewer, grace: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: looked for at full clearance, as before, thirty hidden rows displace the visible one."""
    house = nearest(ada)
    steps = [step for step in house[0][1]["trace"] if step["step"] == "connect"]
    assert [len(step["neighbours"]) for step in steps] == [1] * len(steps) != []

    def at_full_clearance(rank: int, statements: Any) -> Any:
        return [("see_up_to", {"clearance": "3"}), *statements, ("see_up_to", {"clearance": "3"})]

    monkeypatch.setattr(neighbours, "_up_to", at_full_clearance)
    assert nearest(grace) != house


def differing(one: Any, other: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield where two bodies differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted(one.keys() | other.keys()):
            yield from differing(one.get(name), other.get(name), f"{path}.{name}")
    elif isinstance(one, list) and isinstance(other, list):
        for place, (mine, theirs) in enumerate(zip_longest(one, other)):
            yield from differing(mine, theirs, f"{path}[{place}]")
    elif one != other:
        yield path, one, other
