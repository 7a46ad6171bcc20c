"""Captures and memories as JSON: what is answered."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

from rest_framework import serializers

from memories.domain import LAYERS, MODES
from memories.http.bodies.requests import CARDS, STANDINGS
from memories.ingestion import CaptureView
from memories.models import Standing
from memories.models.capture import STATES
from memories.models.contradiction import VERDICTS
from memories.pipeline import DryRun
from memories.storage import ContradictionView, History, LinkView, MemoryView, Slice, VersionView
from security.classification import Classification
from security.rest import ClassName
from security.rest.schema import FieldErrorSchema

RAISED: Final = "The session was shown what is of this class."

NOT_DONE: Final = {
    "shared": "This key has not the scope share: it is kept for its owner.",
    "importance": "This key may not give as much: see `max_importance`.",
}
"""Why what was asked for was not done, by the field that asked for it."""


class NotDone(serializers.Serializer[Any]):
    """Something that was asked for and not done."""

    field = serializers.CharField(help_text="What asked for it.")
    why = serializers.CharField()


class CaptureTaken(serializers.Serializer[Any]):
    """A capture that is kept."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=STATES)
    person = serializers.CharField(allow_blank=True, help_text="The end user whose it is; empty: common.")
    classification = ClassName(required=False, help_text="Only when it is not the one asked for.")
    raised = serializers.CharField(required=False, help_text="Why it is higher.")
    origin = serializers.CharField(
        required=False,
        help_text="Only when its words may not have the origin claimed: what they have at best.",
    )
    capped = serializers.CharField(required=False, help_text="Why it is lower.")
    not_done = NotDone(many=True, required=False, help_text="Only what was asked for besides and not done.")


class CaptureShown(serializers.Serializer[Any]):
    """A capture, and every step's verdict on it."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=STATES)
    trace = serializers.ListField(
        child=serializers.DictField(), help_text="step, verdict, score, reason, ms …"
    )
    memories = serializers.ListField(child=serializers.UUIDField())
    error = serializers.CharField()
    text = serializers.CharField(help_text="Redacted.")
    role = serializers.CharField()
    speaker = serializers.CharField()
    origin = serializers.CharField(help_text="The best origin its words may have, as its key was granted.")
    relayed_by = serializers.UUIDField(allow_null=True, help_text="The agent that says a user said it.")
    person = serializers.CharField(allow_blank=True, help_text="The end user whose it is; empty: common.")
    layer = serializers.CharField(allow_blank=True, help_text="As it was sent; empty: left to be read.")
    session = serializers.CharField()
    turn = serializers.IntegerField(help_text="Place in its session, from 0.")
    clock = serializers.DateTimeField()
    timezone = serializers.CharField()
    classification = ClassName()
    secrets_found = serializers.ListField(child=serializers.DictField())
    metadata = serializers.DictField()
    attempts = serializers.IntegerField(
        help_text="At most CANDOR_CAPTURE_MAX_ATTEMPTS; an outage counts none."
    )
    waits_for = serializers.CharField(
        allow_blank=True,
        help_text="What is out that it waits for: embedder, model, database; empty: nothing.",
    )
    waiting_since = serializers.DateTimeField(allow_null=True)
    retry_at = serializers.DateTimeField(allow_null=True, help_text="When it is tried again.")
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class CapturePage(serializers.Serializer[Any]):
    """A page of captures."""

    results = CaptureShown(many=True)
    next = serializers.CharField(allow_null=True)


class WouldBeShown(serializers.Serializer[Any]):
    """A memory as it would be stored."""

    decision = serializers.CharField()
    reason = serializers.CharField()
    target = serializers.UUIDField(allow_null=True, help_text="The memory it would be joined with.")
    content = serializers.CharField()
    kind = serializers.CharField()
    card = serializers.ChoiceField(choices=CARDS)
    provenance = serializers.CharField()
    trust = serializers.FloatField()
    importance = serializers.IntegerField()
    layer = serializers.ChoiceField(choices=LAYERS)
    keywords = serializers.ListField(child=serializers.CharField())
    entity_key = serializers.CharField(allow_null=True)
    concept_key = serializers.CharField(allow_null=True)
    value = serializers.CharField(allow_null=True)
    occurred_at = serializers.DateTimeField()
    occurred_resolved = serializers.BooleanField()


class DryRunShown(serializers.Serializer[Any]):
    """What would become of a capture."""

    state = serializers.ChoiceField(choices=["stored", "discarded", "quarantined"])
    trace = serializers.ListField(child=serializers.DictField())
    memories = WouldBeShown(many=True)


class AnnotationShown(serializers.Serializer[Any]):
    """What a place in a memory's content means."""

    start = serializers.IntegerField()
    end = serializers.IntegerField()
    kind = serializers.ChoiceField(
        choices=["point", "period", "recurring", "duration", "unanchored", "amount", "proportion", "until"],
        help_text="until: the words say until when it holds; they overlap the time's own annotation.",
    )
    value = serializers.CharField(
        help_text="ISO 8601 (until: the last day or moment), «1200 USD», a share in [0, 1]; empty: not known."
    )
    certainty = serializers.FloatField(help_text="In [0, 1].")


class MemoryShown(serializers.Serializer[Any]):
    """A memory on all its axes."""

    id = serializers.UUIDField()
    content = serializers.CharField()
    kind = serializers.CharField()
    card = serializers.ChoiceField(choices=CARDS)
    standing = serializers.ChoiceField(choices=STANDINGS)
    classification = ClassName()
    project_id = serializers.UUIDField(allow_null=True)
    agent_id = serializers.UUIDField(allow_null=True)
    shared = serializers.BooleanField()
    domain = serializers.CharField()
    layer = serializers.CharField()
    concept_key = serializers.CharField(allow_null=True)
    entity_key = serializers.CharField(allow_null=True)
    value = serializers.CharField(allow_null=True)
    cardinality = serializers.CharField(allow_null=True)
    keywords = serializers.ListField(child=serializers.CharField())
    tags = serializers.ListField(child=serializers.CharField())
    manual_tags = serializers.ListField(child=serializers.CharField())
    entities = serializers.ListField(child=serializers.CharField())
    importance = serializers.IntegerField()
    confidence = serializers.FloatField()
    provenance = serializers.CharField()
    trust = serializers.FloatField(help_text="How true, in [0, 1].")
    assigned_by = serializers.CharField(allow_null=True)
    capture_id = serializers.UUIDField(allow_null=True)
    document_id = serializers.UUIDField(
        allow_null=True, help_text="Of which it is a passage, or a fact drawn from one."
    )
    passage = serializers.IntegerField(
        allow_null=True, help_text="Place of the passage in its document, from 0."
    )
    span = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Where the content stands in the capture's text: [start, end); null: it is no span of one.",
    )
    note = serializers.CharField(help_text="What a language model made of the content; may be empty.")
    mode = serializers.ChoiceField(choices=MODES, help_text="Only an assertion is a fact of its speaker.")
    annotations = AnnotationShown(many=True)
    session = serializers.CharField()
    turn = serializers.IntegerField(allow_null=True)
    speaker = serializers.CharField()
    relayed_by = serializers.UUIDField(allow_null=True, help_text="The agent that says a user said it.")
    person = serializers.CharField(allow_blank=True, help_text="The end user whose it is; empty: common.")
    created_at = serializers.DateTimeField()
    occurred_at = serializers.DateTimeField()
    occurred_resolved = serializers.BooleanField(help_text="False: the time is that of the capture.")
    effective_at = serializers.DateTimeField()
    superseded_at = serializers.DateTimeField(allow_null=True)
    superseded_by_id = serializers.UUIDField(allow_null=True)
    valid_from = serializers.DateTimeField(allow_null=True)
    valid_until = serializers.DateTimeField(allow_null=True)
    last_verified_at = serializers.DateTimeField()
    archived_at = serializers.DateTimeField(allow_null=True)
    updated_at = serializers.DateTimeField()
    version = serializers.IntegerField()
    metadata = serializers.DictField()
    q_value = serializers.FloatField(help_text="How often it helped, in [0, 1].")
    recalled = serializers.IntegerField()
    verified = serializers.IntegerField()
    last_recalled_at = serializers.DateTimeField(allow_null=True)
    tier = serializers.CharField()
    tier_reason = serializers.CharField(help_text="Why it is in this tier.")
    tier_at = serializers.DateTimeField(allow_null=True, help_text="Since when; null: since it was stored.")
    stage = serializers.IntegerField(help_text="Of forgetting: 0 kept, 1 fading, 2 faded, 3 spent.")
    pinned = serializers.BooleanField()


class MemoryPage(serializers.Serializer[Any]):
    """A page of memories."""

    results = MemoryShown(many=True)
    next = serializers.CharField(allow_null=True)


class ContradictionShown(serializers.Serializer[Any]):
    """Two values of one concept that cannot both hold, and what was decided."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=["open", "resolved"])
    entity_key = serializers.CharField()
    concept_key = serializers.CharField()
    older = MemoryShown()
    newer = MemoryShown()
    trust_gap = serializers.FloatField(help_text="Trust of the newer one less that of the older, in [-1, 1].")
    reason = serializers.CharField(help_text="Which rule left it open, or closed it by itself.")
    opened_at = serializers.DateTimeField()
    verdict = serializers.ChoiceField(choices=VERDICTS, allow_null=True)
    resolved_at = serializers.DateTimeField(allow_null=True)
    resolved_by = serializers.CharField(
        help_text="A person, or trust_gap, user_resolved, superseded when nobody was asked."
    )
    classification = ClassName()


class ContradictionPage(serializers.Serializer[Any]):
    """A page of contradictions."""

    results = ContradictionShown(many=True)
    next = serializers.CharField(allow_null=True)


class MemoryWritten(serializers.Serializer[Any]):
    """What was done with a memory, and the row that stands."""

    decision = serializers.CharField(help_text="create, skip, reinforce, merge …")
    memory = MemoryShown()
    not_done = NotDone(many=True, required=False, help_text="Only what was asked for and not done.")


class VersionShown(serializers.Serializer[Any]):
    """A text that a memory had before."""

    version = serializers.IntegerField()
    content = serializers.CharField()
    replaced_at = serializers.DateTimeField()
    reason = serializers.CharField()
    classification = ClassName()


class HistoryShown(serializers.Serializer[Any]):
    """What a memory said before, what it replaced and what replaced it, oldest first."""

    versions = VersionShown(many=True)
    chain = MemoryShown(many=True)


class LinkShown(serializers.Serializer[Any]):
    """A link as seen from one of its ends."""

    id = serializers.UUIDField()
    source = serializers.UUIDField()  # type: ignore[assignment]
    target = serializers.UUIDField()
    type = serializers.CharField()
    weight = serializers.FloatField()
    confidence = serializers.FloatField()
    origin = serializers.ChoiceField(choices=["auto", "llm", "manual"])
    created_at = serializers.DateTimeField()
    last_verified_at = serializers.DateTimeField()
    classification = ClassName(help_text="The higher of both ends.")


class LinksShown(serializers.Serializer[Any]):
    """A page of a memory's links, heaviest first."""

    results = LinkShown(many=True)
    next = serializers.CharField(allow_null=True)


class RefusalSchema(serializers.Serializer[Any]):
    """A problem: some fields cannot be accepted, or a gate keeps the text from becoming memory."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    errors = FieldErrorSchema(many=True, required=False)  # type: ignore[assignment]
    gate = serializers.CharField(required=False, help_text="Which gate refused.")
    score = serializers.FloatField(required=False, allow_null=True)
    failed = serializers.ListField(child=serializers.CharField(), required=False, help_text="Which parts.")


def show_memory(memory: MemoryView) -> dict[str, Any]:
    """Return the memory as it is sent."""
    return {**asdict(memory), "classification": Classification(memory.classification).label}


def show_contradiction(contradiction: ContradictionView) -> dict[str, Any]:
    """Return the contradiction as it is sent."""
    return {
        **asdict(contradiction),
        "state": contradiction.state,
        "older": show_memory(contradiction.older),
        "newer": show_memory(contradiction.newer),
        "classification": Classification(contradiction.classification).label,
    }


def show_raised(rank: int | None, *, because: str) -> dict[str, Any]:
    """Return what an answer says of a capture that was raised to this class, if it was, and why."""
    if rank is None:
        return {}
    told = f"{because[:1].upper()}{because[1:]}." if because else RAISED
    return {"classification": Classification(rank).label, "raised": told}


def show_not_done(**told: bool) -> dict[str, Any]:
    """Return what an answer says of what was asked for and not done (SPEC K-12): by field, true for each."""
    undone = [{"field": field, "why": NOT_DONE[field]} for field, so in told.items() if so]
    return {"not_done": undone} if undone else {}


def show_capped(origin: str | None) -> dict[str, Any]:
    """Return what an answer says of a capture whose words may not have the origin claimed, if so."""
    if origin is None:
        return {}
    return {
        "origin": origin,
        "capped": "This key was not granted to say it as more: see `relays_users`, `measures`.",
    }


def show_capture(capture: CaptureView) -> dict[str, Any]:
    """Return the capture as it is sent."""
    return {**asdict(capture), "classification": Classification(capture.classification).label}


def show_link(link: LinkView) -> dict[str, Any]:
    """Return the link as it is sent."""
    return {**asdict(link), "classification": Classification(link.classification).label}


def _show_version(version: VersionView) -> dict[str, Any]:
    return {**asdict(version), "classification": Classification(version.classification).label}


def show_history(history: History) -> dict[str, Any]:
    """Return the history as it is sent."""
    return {
        "versions": [_show_version(version) for version in history.versions],
        "chain": [show_memory(memory) for memory in history.chain],
    }


def show_dry_run(run: DryRun) -> dict[str, Any]:
    """Return the dry run as it is sent."""
    return asdict(run)


class GroupShown(serializers.Serializer[Any]):
    """Memories that agree on the axes asked for."""

    key = serializers.DictField(help_text="Axis to value; of a time, the first day of its period.")
    count = serializers.IntegerField()


class SliceShown(serializers.Serializer[Any]):
    """How many memories there are, in all and by group, the largest first."""

    total = serializers.IntegerField(
        help_text="Memories; one counts in the group of each of its tags or entities."
    )
    groups = GroupShown(many=True)
    truncated = serializers.BooleanField(help_text="There are more groups: narrow the question.")


_LABELS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "classification": lambda rank: Classification(rank).label,
    "standing": lambda number: Standing(number).name.lower(),
}
"""How values are told that the database keeps as numbers."""


def show_slice(found: Slice) -> dict[str, Any]:
    """Return counted memories as JSON shows them."""
    groups = [
        {
            "key": {axis: _LABELS.get(axis, _same)(value) for axis, value in one.key.items()},
            "count": one.count,
        }
        for one in found.groups
    ]
    return dict(SliceShown({"total": found.total, "groups": groups, "truncated": found.truncated}).data)


def _same(value: Any) -> Any:
    return value
