"""A memory, its former texts, and how it was used."""

from typing import ClassVar, Final

from django.contrib.postgres.fields import ArrayField
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.text import Truncator

from memories.domain import (
    INSTRUCTION,
    KINDS,
    LAYERS,
    MODES,
    ORIGINS,
    OWN_USERS,
    PASSAGE,
    PROVENANCE_WEIGHT,
    USUAL_LAYER,
    WISH,
)
from memories.models.capture import Capture
from memories.models.document import Document
from security.models import class_field, class_range, person_field, person_spelled
from tenants.managers import TenantManager
from tenants.models import Agent, Project, TenantField, TenantForeignKey, TenantModel

_WISHED: Final = models.Q(provenance__in=ORIGINS) | models.Q(provenance=OWN_USERS, shared=False)


class Standing(models.IntegerChoices):
    """Whether a memory holds now (SPEC M-05)."""

    CURRENT = 0
    CONTENDER = 1
    SUPERSEDED = 2


class Memory(TenantModel):
    """Something remembered: its text, its card, and the six axes of SPEC M-03."""

    content = models.TextField()
    note = models.TextField(
        default="", db_default="", blank=True, help_text="What a language model made of the content."
    )
    mode = models.TextField(
        default="assertion", db_default="assertion", choices=[(mode, mode) for mode in MODES],
        help_text="Whether the speaker asserts it, asks it, supposes it, has heard it or quotes it.",
    )  # fmt: skip
    annotations = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), blank=True,
        help_text="Times, amounts, lengths and shares: start, end, kind, value, certainty.",
    )  # fmt: skip
    kind = models.TextField(choices=[(kind, kind) for kind in KINDS])
    card = models.TextField(choices=[(card, card) for card in ("state", "event", "knowledge")])
    standing = models.SmallIntegerField(choices=Standing.choices, default=Standing.CURRENT)
    classification = class_field()

    # scope
    project = TenantForeignKey(Project, null=True, blank=True)
    agent = TenantForeignKey(Agent, null=True, blank=True, help_text="Whose it is; none: the tenant's own.")
    shared = models.BooleanField(default=False)
    domain = models.TextField(default="", help_text="Empty: none. «*»: marked for all domains.")
    person = person_field()
    layer = models.TextField(default=USUAL_LAYER, choices=[(layer, layer) for layer in LAYERS])

    # wishes
    wish = models.GeneratedField(
        expression=models.ExpressionWrapper(
            _WISHED & (models.Q(kind="preference") | models.Q(content__iregex=WISH)),
            output_field=models.BooleanField(),
        ),
        output_field=models.BooleanField(),
        db_persist=True,
        help_text="What a person wishes once and for all.",
    )
    instruction = models.GeneratedField(
        expression=models.ExpressionWrapper(
            _WISHED & models.Q(content__iregex=INSTRUCTION),
            output_field=models.BooleanField(),
        ),
        output_field=models.BooleanField(),
        db_persist=True,
        help_text="How a person wants to be served from now on.",
    )

    # concept
    concept_key = models.TextField(null=True, blank=True)
    entity_key = models.TextField(null=True, blank=True)
    value = models.TextField(null=True, blank=True)
    cardinality = models.TextField(null=True, blank=True, choices=[("single", "single"), ("multi", "multi")])
    keywords = ArrayField(models.TextField(), default=list)
    tags = ArrayField(models.TextField(), default=list)
    manual_tags = ArrayField(models.TextField(), default=list)
    entities = ArrayField(models.TextField(), default=list)

    # confidence
    importance = models.SmallIntegerField(default=3, validators=[MinValueValidator(1), MaxValueValidator(5)])
    confidence = models.FloatField()
    provenance = models.TextField(choices=[(origin, origin) for origin in PROVENANCE_WEIGHT])
    trust = models.FloatField()
    corroborated = models.SmallIntegerField(
        default=0, db_default=0, help_text="Other voices that said the same."
    )
    assigned_by = models.TextField(null=True, blank=True)

    # restatements
    group_id = models.UUIDField(
        null=True, blank=True,
        help_text="Of the rows that say the same: the id of the first of them; none: no other does.",
    )  # fmt: skip

    # source
    capture = TenantForeignKey(Capture, null=True, blank=True)
    span_start = models.IntegerField(
        null=True,
        blank=True,
        help_text="Where the content begins in the capture's text; none: it is no span of it.",
    )
    span_end = models.IntegerField(null=True, blank=True)
    document = TenantForeignKey(Document, null=True, blank=True, help_text="Of which this is a passage.")
    passage = models.IntegerField(null=True, blank=True, help_text="Place in its document, from 0.")
    session = models.TextField(default="")
    turn = models.IntegerField(null=True, blank=True, help_text="Place in its session, from 0.")
    speaker = models.TextField(default="")
    voice = models.TextField(
        default="",
        db_default="",
        help_text="Whose word it is: see `memories.candidates`; empty: derived, or old.",
    )
    content_hash = models.BinaryField(help_text="SHA-256 of the folded, lower-cased content.")

    # time
    created_at = models.DateTimeField()
    occurred_at = models.DateTimeField()
    occurred_resolved = models.BooleanField(default=False)
    effective_at = models.DateTimeField()
    superseded_at = models.DateTimeField(null=True, blank=True)
    superseded_by = TenantForeignKey("self", null=True, blank=True)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_until = models.DateTimeField(null=True, blank=True)
    last_verified_at = models.DateTimeField()
    archived_at = models.DateTimeField(null=True, blank=True)
    updated_at = models.DateTimeField()
    version = models.IntegerField(default=1)
    metadata = models.JSONField(default=dict, encoder=DjangoJSONEncoder)

    class Meta(TenantModel.Meta):
        db_table = "memory"
        verbose_name_plural = "memories"
        constraints = [
            class_range("memory_class"),
            person_spelled("memory_person"),
            models.CheckConstraint(condition=models.Q(importance__range=(1, 5)), name="memory_importance"),
            models.CheckConstraint(
                condition=models.Q(trust__range=(0.0, 1.0), confidence__range=(0.0, 1.0)),
                name="memory_trust",
            ),
            models.CheckConstraint(
                condition=~models.Q(provenance="agent_inferred") | models.Q(trust__lte=0.4),
                name="memory_inferred_is_a_guess",
            ),
            # One current truth (SPEC M-05). The class stands in it: a rule without it would tell a writer of
            # values above their clearance.
            models.UniqueConstraint(
                fields=[
                    "tenant",
                    "entity_key",
                    "concept_key",
                    "project",
                    "agent",
                    "shared",
                    "domain",
                    "person",
                    "classification",
                ],
                condition=models.Q(
                    card="state",
                    cardinality="single",
                    standing=0,
                    archived_at=None,
                    entity_key__isnull=False,
                    concept_key__isnull=False,
                )
                & (models.Q(group_id=None) | models.Q(group_id=models.F("id"))),
                nulls_distinct=False,
                name="memory_one_current_truth",
            ),
        ]
        indexes = [
            # What a viewer may see is read from this index alone: see `recall/sql/queries.sql`, «gate».
            models.Index(
                fields=["tenant", "id"],
                include=[
                    "standing",
                    "classification",
                    "project",
                    "agent",
                    "shared",
                    "domain",
                    "person",
                    "valid_from",
                    "valid_until",
                    "archived_at",
                    "kind",
                ],
                name="memory_gate",
            ),
            models.Index(
                fields=["tenant", "person", "id"], condition=~models.Q(person=""), name="memory_of_person"
            ),
            models.Index(fields=["tenant", "content_hash"], name="memory_content_hash"),
            models.Index(fields=["tenant", "entity_key", "concept_key"], name="memory_concept"),
            models.Index(fields=["tenant", "session", "turn"], name="memory_session"),
            models.Index(fields=["tenant", "capture"], name="memory_capture"),
            models.Index(fields=["tenant", "occurred_at"], name="memory_occurred"),
            models.Index(fields=["tenant", "-created_at", "-id"], name="memory_newest"),
            models.Index(
                fields=["tenant", "group_id"], condition=models.Q(group_id__isnull=False), name="memory_group"
            ),
            models.Index(fields=["tenant"], condition=models.Q(kind="negative"), name="memory_negative"),
            models.Index(fields=["tenant"], condition=models.Q(instruction=True), name="memory_instruction"),
            models.Index(
                fields=["tenant", "document", "passage"],
                condition=models.Q(document__isnull=False),
                name="memory_document",
            ),
        ]

    def __str__(self) -> str:
        return Truncator(self.content).chars(80)

    @property
    def passage_title(self) -> str:
        """What a passage is called: its document's title and the headings over it; empty of all else."""
        return str(self.metadata.get("title", "")) if self.document_id and self.kind == PASSAGE else ""


class MemoryVersion(TenantModel):
    """The text a memory had before it was refined (SPEC M-01); rows are only ever added."""

    memory = TenantForeignKey(Memory)
    version = models.IntegerField()
    content = models.TextField()
    replaced_at = models.DateTimeField()
    reason = models.TextField()
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "memory_version"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "memory", "version"], name="memory_version_number"),
            class_range("memory_version_class"),
        ]


class Usage(models.Model):
    """
    How a memory was used: counters that change at every recall, apart from the text and its vectors.

    Only unindexed columns change, so that PostgreSQL updates in place (HOT).
    """

    memory = models.OneToOneField(
        Memory, on_delete=models.DO_NOTHING, primary_key=True, db_constraint=False, related_name="usage"
    )
    tenant = TenantField()
    q_value = models.FloatField(default=0.5)
    recalled = models.IntegerField(default=0)
    verified = models.IntegerField(default=0)
    last_recalled_at = models.DateTimeField(null=True)
    last_accessed_at = models.DateTimeField()
    tier = models.TextField(default="hot", choices=[(tier, tier) for tier in ("hot", "warm", "archive")])
    tier_reason = models.TextField(default="", db_default="", help_text="Of the last move (SPEC E-06).")
    tier_at = models.DateTimeField(
        null=True, blank=True, help_text="When it was moved; none: as it was made."
    )
    stage = models.SmallIntegerField(
        default=0,
        db_default=0,
        help_text="Of forgetting, as last looked at: see `evolution.maintenance`.",
    )
    tagged_at = models.DateTimeField(null=True, blank=True, help_text="None: when it was made.")
    linked_at = models.DateTimeField(null=True, blank=True, help_text="None: when it was made.")
    pinned = models.BooleanField(default=False)
    classification = class_field()

    objects: ClassVar[TenantManager] = TenantManager()

    class Meta:
        db_table = "usage"
        base_manager_name = "objects"
        constraints = [
            models.CheckConstraint(condition=models.Q(q_value__range=(0.0, 1.0)), name="usage_q_value"),
            class_range("usage_class"),
        ]
        indexes = [
            # What recall leaves out of its first pass. No counter is in it, so that updates stay in place.
            models.Index(
                fields=["tenant", "memory"],
                include=["classification"],
                condition=models.Q(tier="archive"),
                name="usage_archived",
            ),
        ]
