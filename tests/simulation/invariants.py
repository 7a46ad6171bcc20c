"""What has to hold whatever happens: looked at when all work of a simulation has come to its end."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from evolution.feedback.record import _said, standing_on, start_of
from evolution.feedback.verdicts import count_voices, usefulness
from memories.access import FORGOTTEN
from memories.models import Capture, Memory, Usage
from security import audit
from tenants.scope import pipeline_viewer, tenant_scope, unit_of_work
from tests.integration.memories.writing import assert_whole
from tests.simulation.deeds import PERSONS
from tests.simulation.world import CALLERS, RANKS, House, World, ask

ENDED: Final = {"stored", "discarded", "quarantined"}
SEEN: Final = timedelta(seconds=5)
"""What came while a person was being forgotten may be theirs anew."""

MOST_TRUST: Final = 0.4
"""A guess's (SPEC W-17, PROVENANCE_WEIGHT of what an agent inferred)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aftermath:
    """What a tenant has at the end, read once."""

    house: House
    was_killed: bool  #: somebody was killed meanwhile
    captures: Mapping[str, Capture]
    memories: Sequence[Memory]

    @property
    def is_thinned(self) -> bool:
        """Whether somebody had something forgotten, so that what was said is not all there."""
        return bool(self.house.gone or self.house.gone_persons)


def look(world: World) -> Iterator[str]:
    """Yield what does not hold, in words that name the invariant first."""
    for house in world.houses.values():
        with tenant_scope(house.viewer), unit_of_work():
            after = Aftermath(
                house=house,
                was_killed=world.killed > 0,
                captures={str(row.id): row for row in Capture.objects.all()},
                memories=list(Memory.objects.order_by("created_at", "id")),
            )
        for name, check in CHECKS.items():
            for fault in check(after):
                yield f"{name}: {fault}"


def _nothing_acknowledged_is_lost(after: Aftermath) -> Iterator[str]:
    for said in after.house.acknowledged:
        row = after.captures.get(str(said.id))
        if row is None:
            yield f"{said.key} was acknowledged and is not there"
        elif row.state not in ENDED:
            yield f"{said.key} is {row.state} at the end: {row.error}"
        elif not after.is_thinned and row.text != said.body["text"]:
            yield f"{said.key} says «{row.text}», and «{said.body['text']}» was said"


def _one_capture_a_key(after: Aftermath) -> Iterator[str]:
    for said in after.house.said:
        if len(set(said.answers)) > 1:
            yield f"{said.key} was answered with {len(set(said.answers))} captures"


def _words_are_as_said(after: Aftermath) -> Iterator[str]:
    ends: dict[UUID | None, int] = {}
    for row in after.memories:
        capture = after.captures.get(str(row.capture_id))
        if capture is None or row.span_start is None or after.is_thinned:
            continue
        said = capture.text[row.span_start : row.span_end]
        if row.content != said:
            yield f"a memory says «{row.content}», and «{said}» was said"
        ends[capture.id] = max(ends.get(capture.id, 0), row.span_end or 0)
    for one in after.house.acknowledged:
        end = ends.get(one.id)
        if end is not None and end < len(one.body["text"].rstrip(" .")):
            yield f"of «{one.body['text']}» the end is in no memory"
    told = "\n".join(row.content for row in after.memories)
    for one in after.house.acknowledged:
        state = after.captures[str(one.id)].state if str(one.id) in after.captures else ""
        if one.mark and state == "stored" and one.mark not in told and not after.is_thinned:
            yield f"«{one.body['text']}» is stored, and no memory says {one.mark}"


def _people_are_not_turned_away(after: Aftermath) -> Iterator[str]:
    for one in after.house.acknowledged:
        row = after.captures.get(str(one.id))
        if row is not None and one.body["role"] == "user" and row.state != "stored" and not after.is_thinned:
            yield f"«{row.text}» is {row.state}: {row.trace}"


def _made_once(after: Aftermath) -> Iterator[str]:
    made = Counter(
        (row.capture_id, row.span_start, row.span_end, row.kind)
        for row in after.memories
        if row.capture_id is not None and row.span_start is not None
    )
    there = {str(row.id) for row in after.memories}
    for capture in after.captures.values():
        if capture.state == "stored" and not after.is_thinned and not there.intersection(capture.memory_ids):
            yield f"«{capture.text}» is stored and names no memory"
    for place, times in made.items():
        if times > 1:
            yield f"{times} memories of one place of a capture, {place[-1]}"
    sql = (
        "SELECT object_id, count(*) FROM audit_event WHERE tenant_id = %(tenant)s "
        "AND action = 'memory.create' GROUP BY 1 HAVING count(*) > 1"
    )
    for memory, times in ask(after.house, sql):
        yield f"memory {memory} was made {times} times by the audit trail"
    sql = (
        "SELECT object_id, detail ->> 'capture', array_agg(action) FROM audit_event "
        "WHERE tenant_id = %(tenant)s AND action IN ('memory.create', 'memory.merge', 'memory.reinforce') "
        "AND detail ->> 'capture' IS NOT NULL GROUP BY 1, 2 HAVING count(*) > 1"
    )
    for memory, _capture, actions in ask(after.house, sql):
        yield f"one capture did {actions} to memory {memory}"


def _every_memory_is_audited(after: Aftermath) -> Iterator[str]:
    sql = (
        "SELECT m.id FROM memory m WHERE m.tenant_id = %(tenant)s AND NOT EXISTS (SELECT FROM audit_event e "
        "WHERE e.tenant_id = m.tenant_id AND e.object_id = m.id::text AND e.action = 'memory.create')"
    )
    for (memory,) in ask(after.house, sql):
        yield f"nothing tells that memory {memory} was made"


def _one_truth(after: Aftermath) -> Iterator[str]:
    rows = {row.id: row for row in after.memories}
    holds: Counter[tuple[object, ...]] = Counter()
    for row in rows.values():
        heads = row.group_id in (None, row.id)
        if heads and row.standing == 0 and row.archived_at is None and row.cardinality == "single":
            key = (
                row.entity_key,
                row.concept_key,
                row.card,
                row.classification,
                row.project_id,
                row.agent_id,
                row.shared,
                row.domain,
                row.person,
            )
            holds[key] += 1
        follower = rows.get(row.superseded_by_id) if row.superseded_by_id else None
        seen = {row.id}
        while follower is not None:
            if follower.id in seen:
                yield f"«{row.content}» comes after itself"
                break
            seen.add(follower.id)
            follower = rows.get(follower.superseded_by_id) if follower.superseded_by_id else None
    for key, times in holds.items():
        if times > 1:
            yield f"{times} values hold of {key[:2]}"


def _audit_chain(after: Aftermath) -> Iterator[str]:
    with tenant_scope(pipeline_viewer(after.house.viewer.tenant_id)):
        report = audit.verify()
    for found in report.breaks:
        yield f"{found.kind}: {found.what}"


def _no_foreign_word(after: Aftermath) -> Iterator[str]:
    other = "b" if after.house.letter == "a" else "a"
    for shown in after.house.shown:
        for result in shown.results:
            if f"q{other}" in result["content"]:
                yield f"a recall shows «{result['content']}» of another tenant"
            foreign = [one for one in PERSONS if one != shown.person]
            if any(f"q{after.house.letter}{one[0]}" in result["content"] for one in foreign):
                yield f"a recall for {shown.person or 'nobody'} shows «{result['content']}» of another person"
            if RANKS.index(result["classification"]) > shown.ceiling:
                yield f"a key up to {RANKS[shown.ceiling]} was shown «{result['content']}»"


def _no_guess_rises(after: Aftermath) -> Iterator[str]:
    invented = {one.mark for one in after.house.said if one.mark and one.body["role"] == "assistant"}
    for row in after.memories:
        if any(mark in row.content for mark in invented) and (
            row.trust > MOST_TRUST or row.provenance != "agent_inferred" or row.assigned_by
        ):
            yield f"«{row.content}» has trust {row.trust}, {row.provenance}, by {row.assigned_by!r}"


def _read_marks(after: Aftermath) -> Iterator[str]:
    for one in after.house.acknowledged:
        row = after.captures.get(str(one.id))
        if row is not None and one.by != "ines" and row.classification < min(one.least, CALLERS[one.by]):
            yield f"{one.by} had read {RANKS[one.least]}, and «{row.text}» is {RANKS[row.classification]}"


def _search_agrees(after: Aftermath) -> Iterator[str]:
    try:
        assert_whole(after.house.viewer)
    except AssertionError as error:
        yield str(error)[:300]


def _verdicts_add_up(after: Aftermath) -> Iterator[str]:
    with tenant_scope(after.house.viewer), unit_of_work():
        for usage in Usage.objects.all():
            standing = standing_on(usage.memory_id)
            start = start_of(usage.memory_id, usage)
            worth = usefulness(start, count_voices(map(_said, standing))) if standing else start
            if abs(worth - usage.q_value) > 1e-6:
                yield f"{len(standing)} verdicts make {worth:.4f} of a memory worth {usage.q_value:.4f}"


def _counts(after: Aftermath) -> Iterator[str]:
    seen = Counter(UUID(result["id"]) for one in after.house.shown for result in one.results)
    sql = (
        "SELECT u.memory_id, u.recalled, (SELECT count(*) FROM recalled_memory r "
        "WHERE r.tenant_id = u.tenant_id AND r.memory_id = u.memory_id) "
        "FROM usage u WHERE u.tenant_id = %(tenant)s"
    )
    for memory, counted, told in ask(after.house, sql):  # some are told beside the results, and not counted
        if counted > told or (counted != seen[memory] and not after.was_killed):
            yield f"memory {memory} was shown {seen[memory]} times, and {counted} are counted"


def _forgotten(after: Aftermath) -> Iterator[str]:
    for capture in after.captures.values():
        at = after.house.gone_persons.get(capture.person)
        if at is not None and capture.created_at < at - SEEN and capture.text != FORGOTTEN:
            yield f"{capture.person} was forgotten and is heard still: «{capture.text}»"
    for row in after.memories:
        at, said = after.house.gone_persons.get(row.person), after.captures.get(str(row.capture_id))
        if at is not None and said is not None and said.created_at < at - SEEN:
            yield f"{row.person} was forgotten and is remembered still: «{row.content}»"
    left = {row.id: row.content for row in after.memories}
    said = [row.text for row in after.captures.values()]
    for memory, text in after.house.gone.items():
        if memory in left:
            yield f"memory {memory} was forgotten and is there"
        if text and any(text in one for one in (*left.values(), *said)):
            yield f"«{text}» was forgotten and is still said"


CHECKS: Final[dict[str, Callable[[Aftermath], Iterator[str]]]] = {
    "nothing acknowledged is lost": _nothing_acknowledged_is_lost,
    "one capture a key": _one_capture_a_key,
    "words are as said": _words_are_as_said,
    "people are not turned away": _people_are_not_turned_away,
    "made once": _made_once,
    "every memory is audited": _every_memory_is_audited,
    "one truth": _one_truth,
    "audit chain": _audit_chain,
    "no foreign word": _no_foreign_word,
    "no guess rises": _no_guess_rises,
    "what was read marks what is said": _read_marks,
    "search agrees": _search_agrees,
    "verdicts add up": _verdicts_add_up,
    "counts": _counts,
    "forgotten": _forgotten,
}
