"""Captures and memories as JSON: what may be sent."""

from typing import Any

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ParseError

from memories.domain import KINDS, LAYERS, PROVENANCE_WEIGHT
from memories.http.bodies.watermarks import fingerprints
from memories.ingestion import LONGEST_NAME, MOST_REFERENCES, MOST_WORDS, OWN_NOTES, ROLES
from memories.llms import LONGEST_CONTENT
from memories.models import Standing
from memories.models.capture import STATES
from memories.models.contradiction import VERDICTS
from memories.storage import AXES, MOST_AXES, MOST_GROUPS, PERIODS
from security.classification import Classification
from security.rest import (
    ClassName,
    Flag,
    Identifier,
    Moment,
    OneOf,
    PageQuery,
    PersonId,
    QueryFlag,
    QueryNumber,
    QueryShare,
    Share,
    Slug,
    StrictSerializer,
    Text,
    WholeNumber,
    ZoneName,
    parse_object,
    texts,
)

QUESTION_STATES = ("open", "resolved")
CARDS = ("state", "event", "knowledge")
STANDINGS = tuple(standing.name.lower() for standing in Standing)


def _several(choices: tuple[str, ...], help_text: str) -> serializers.ListField:
    """Return the field of a filter that may stand several times: any of them will do."""
    return serializers.ListField(child=OneOf(choices=choices), required=False, help_text=help_text)


class Metadata(serializers.DictField):
    """Facts of the client's own beside a text: a JSON object (SPEC M-03)."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("help_text", "Facts of your own, a JSON object; kept as it is, but for secrets.")
        super().__init__(**kwargs)


class OwnMetadata(Metadata):
    """Some of a memory's own metadata, by which it is found."""

    default_error_messages = {"ours": "The service keeps its own notes under {names}; name others."}

    def to_internal_value(self, data: Any) -> Any:
        """Return the object. Raises ValidationError where it asks for what is not the client's."""
        values = super().to_internal_value(data)
        if taken := sorted(OWN_NOTES & values.keys()):
            self.fail("ours", names=", ".join(taken))
        return values


@extend_schema_field(OpenApiTypes.STR)
class QueryMetadata(OwnMetadata):
    """The same in an address: the object as JSON."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the object. Raises ValidationError."""
        try:
            told = parse_object(str(data).encode(), most_levels=settings.MAX_JSON_DEPTH)
        except ParseError as fault:
            raise serializers.ValidationError(str(fault.detail)) from fault
        return super().to_internal_value(told)


class CaptureWish(StrictSerializer):
    """Something that was said."""

    text = Text(max_length=settings.MAX_TEXT_LENGTH)
    role = OneOf(choices=ROLES, help_text="Who said it.")
    session = Text(max_length=LONGEST_NAME, required=False)
    speaker = Text(max_length=LONGEST_NAME, required=False, help_text="The name of who talks.")
    clock = Moment(required=False, allow_null=True, help_text="When it was said; default: now.")
    timezone = ZoneName(required=False, help_text="Where it was said: «today» is resolved there.")
    project = Slug(required=False, allow_null=True)
    classification = ClassName(required=False, default=Classification.INTERNAL)
    references = texts(most=MOST_REFERENCES, length=2_000, required=False)
    fingerprints = fingerprints(required=False, help_text="Of files, parts of git and flags it may speak of.")
    measured = Flag(
        required=False,
        help_text="Of a tool: the value of a run, a test or a sensor. Counts where the key may measure.",
    )
    verbatim = Flag(required=False, help_text="Keep it as one event, word for word.")
    shared = Flag(required=False, help_text="A hint: needs a key with the scope share.")
    domain = Text(max_length=LONGEST_NAME, required=False)
    person = PersonId(required=False, help_text="The end user talked with; it is theirs alone unless common.")
    layer = OneOf(
        choices=LAYERS, required=False, help_text="Of all that is made of it; left out: as it is read."
    )
    common = Flag(required=False, help_text="Though a person is named, it is everybody's.")
    metadata = Metadata(required=False)


class CaptureQuery(StrictSerializer):
    """How a capture is answered."""

    wait = QueryNumber(
        required=False,
        default=0,
        min_value=0,
        max_value=settings.MAX_WAIT_SECONDS,
        help_text="Seconds to wait for the outcome.",
    )
    dry_run = QueryFlag(required=False, default=False, help_text="Tell what would be done; write nothing.")


class CaptureFilter(PageQuery):
    """Which captures are wanted."""

    state = _several(STATES, "In one of these states.")
    session = Text(max_length=LONGEST_NAME, required=False)
    person = PersonId(required=False, help_text="What is this end user's own.")


class MemoryWish(StrictSerializer):
    """A memory to write directly."""

    content = Text(max_length=min(LONGEST_CONTENT, settings.MAX_TEXT_LENGTH))
    kind = OneOf(choices=KINDS)
    importance = WholeNumber(min_value=1, max_value=5, required=False)
    keywords = texts(most=MOST_WORDS, length=LONGEST_NAME, required=False)
    tags = texts(most=MOST_WORDS, length=LONGEST_NAME, required=False)
    shared = Flag(required=False, help_text="A hint: needs a key with the scope share.")
    domain = Text(max_length=LONGEST_NAME, required=False)
    classification = ClassName(required=False, default=Classification.INTERNAL)
    layer = OneOf(choices=LAYERS, required=False)
    valid_from = Moment(required=False)
    valid_until = Moment(required=False)
    occurred_at = Moment(required=False, help_text="When it happened; default: read from the content.")
    timezone = ZoneName(required=False)
    concept_key = Text(max_length=LONGEST_NAME, required=False, help_text="What a state is about.")
    entity_key = Text(max_length=LONGEST_NAME, required=False, help_text="Whom a state is about.")
    value = Text(max_length=LONGEST_NAME, required=False)
    cardinality = OneOf(choices=["single", "multi"], required=False)
    project = Slug(required=False, allow_null=True)
    session = Text(max_length=LONGEST_NAME, required=False)
    person = PersonId(required=False, help_text="The end user it is of; it is theirs alone unless common.")
    common = Flag(required=False, help_text="Though a person is named, it is everybody's.")
    fingerprints = fingerprints(required=False, help_text="Of files, parts of git and flags it may speak of.")
    metadata = Metadata(required=False)
    outcome = Share(required=False, help_text="Of an example: how it went.")


class ContradictionQuery(PageQuery):
    """Which contradictions are wanted."""

    state = _several(QUESTION_STATES, "In one of these states; default: open.")
    entity_key = Text(max_length=LONGEST_NAME, required=False)
    concept_key = Text(max_length=LONGEST_NAME, required=False)


class VerdictWish(StrictSerializer):
    """Which of two values holds."""

    verdict = OneOf(choices=VERDICTS, help_text="keep_old, accept_new, or coexist: both hold.")
    reason = Text(max_length=LONGEST_NAME, required=False, help_text="Why; kept in the audit trail.")


class MemoryFields(StrictSerializer):
    """Which memories are wanted, on every axis of a memory."""

    kind = _several(tuple(KINDS), "Of one of these kinds.")
    card = _several(CARDS, "With one of these cards.")
    standing = _several(STANDINGS, "Of one of these standings; default: current.")
    provenance = _several(tuple(PROVENANCE_WEIGHT), "Of one of these origins.")
    tag = texts(most=MOST_WORDS, length=LONGEST_NAME, required=False, help_text="With all of these tags.")
    entity = texts(most=MOST_WORDS, length=LONGEST_NAME, required=False, help_text="With all of these.")
    classification = ClassName(required=False)
    project = Slug(required=False)
    agent = Slug(required=False)
    shared = QueryFlag(required=False)
    domain = Text(max_length=LONGEST_NAME, required=False)
    person = PersonId(required=False, help_text="What is this end user's own.")
    layer = OneOf(choices=LAYERS, required=False)
    concept_key = Text(max_length=LONGEST_NAME, required=False)
    entity_key = Text(max_length=LONGEST_NAME, required=False)
    value = Text(max_length=LONGEST_NAME, required=False)
    cardinality = OneOf(choices=["single", "multi"], required=False)
    trust_from = QueryShare(required=False)
    trust_to = QueryShare(required=False)
    importance_from = QueryNumber(min_value=1, max_value=5, required=False)
    session = Text(max_length=LONGEST_NAME, required=False)
    speaker = Text(max_length=LONGEST_NAME, required=False)
    capture = Identifier(required=False)
    document = Identifier(required=False, help_text="Passages of this document, and facts drawn from them.")
    same_as = Identifier(
        required=False,
        help_text="Those that say the same as this memory, as far as they are seen; without it.",
    )
    metadata = QueryMetadata(required=False, help_text="Holding this JSON object, among other things.")
    created_from = Moment(required=False)
    created_to = Moment(required=False)
    occurred_from = Moment(required=False)
    occurred_to = Moment(required=False)
    effective_from = Moment(required=False)
    effective_to = Moment(required=False)
    verified_before = Moment(required=False)
    valid_at = Moment(required=False)
    held_at = Moment(required=False, help_text="What was true then; standing: any, unless named.")
    known_at = Moment(required=False, help_text="What was believed then; standing: any, unless named.")
    archived = QueryFlag(required=False, default=False)


class MemoryQuery(MemoryFields, PageQuery):
    """Which memories are wanted, and which page of them."""


class SliceQuery(MemoryFields):
    """Which memories are counted, as their list takes it, and along what."""

    by = serializers.ListField(
        child=OneOf(choices=AXES), min_length=1, max_length=MOST_AXES,
        help_text="One to three axes; repeat the name for each.",
    )  # fmt: skip
    every = OneOf(
        choices=PERIODS, default="month", help_text="How created, occurred and effective are put together."
    )
    timezone = ZoneName(default="UTC", help_text="By whose days.")
    limit = QueryNumber(default=100, min_value=1, max_value=MOST_GROUPS, help_text="At most so many groups.")
