"""What was asked and what was shown."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from memories.models import Memory
from security.models import ApiKey, class_field, class_range, person_field, person_spelled
from tenants.models import Agent, Project, TenantForeignKey, TenantModel


class RecallEvent(TenantModel):
    """A question and everything its answer was made with; committed before the answer leaves (SPEC R-13)."""

    at = models.DateTimeField()
    agent = TenantForeignKey(Agent, null=True, blank=True)
    project = TenantForeignKey(Project, null=True, blank=True)
    api_key = TenantForeignKey(ApiKey, null=True, blank=True)
    session = models.TextField(default="")
    query = models.TextField(help_text="Redacted.")
    asked_at = models.DateTimeField(help_text="The asker's clock.")
    k = models.SmallIntegerField()
    policy = models.TextField()
    channels = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    degraded = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    draws = models.JSONField(default=dict, encoder=DjangoJSONEncoder, help_text="Seed, draws, propensity.")
    asked = models.JSONField(
        null=True,
        blank=True,
        encoder=DjangoJSONEncoder,
        help_text="What was asked for besides the words: `recall.questions.question_record`.",
    )
    candidates = models.BinaryField(
        null=True, blank=True, help_text="What it was chosen from, packed: `recall.ranking.event_candidates`."
    )
    cluster = models.BinaryField(
        null=True, blank=True, help_text="The sketch of its kind of question (SPEC E-13)."
    )
    took_ms = models.IntegerField(
        null=True,
        blank=True,
        help_text="From the question to its ranked answer, in milliseconds; null: from before.",
    )
    person = person_field()
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "recall_event"
        constraints = [class_range("recall_event_class"), person_spelled("recall_event_person")]
        indexes = [
            models.Index(fields=["tenant", "at"], name="recall_event_at"),
            models.Index(
                fields=["tenant", "session"], condition=~models.Q(session=""), name="recall_event_session"
            ),
            models.Index(
                fields=["tenant", "person", "id"],
                condition=~models.Q(person=""),
                name="recall_event_of_person",
            ),
        ]


class RecalledMemory(TenantModel):
    """One memory as it was shown in one answer."""

    recall = TenantForeignKey(RecallEvent, related_name="shown")
    memory = TenantForeignKey(Memory, related_name="shown_in")
    place = models.SmallIntegerField(help_text="From 1.")
    score = models.FloatField()
    factors = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "recalled_memory"
        constraints = [
            class_range("recalled_memory_class"),
            models.UniqueConstraint(fields=["tenant", "recall", "memory"], name="recalled_memory_once"),
        ]
        indexes = [models.Index(fields=["tenant", "memory"], name="recalled_memory_memory")]


class LearntOfMemory(TenantModel):
    """
    What verdicts said of a memory by kind of question, packed (SPEC E-13, `question_clusters`).

    A row for each class of questions: what was learnt from a question is read by those cleared for it.
    Written by feedback and read by every recall, so it is apart from `usage`, which every recall changes.
    """

    memory = TenantForeignKey(Memory, related_name="learnt")
    clusters = models.BinaryField(default=b"")
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "learnt_of_memory"
        verbose_name_plural = "learnt of memories"
        constraints = [
            class_range("learnt_of_memory_class"),
            # Leads the one look-up there is. No changing column is indexed: updates stay in their page.
            models.UniqueConstraint(
                fields=["tenant", "memory", "classification"], name="learnt_of_memory_once"
            ),
        ]


POLICY_STATES = ("draft", "shadowing", "validated", "active", "retired")


class StoredPolicy(TenantModel):
    """
    One version of a tenant's way to rank, for ever what it was when it was proven (SPEC R-03, S-06).

    Written by the functions of `migrations/sql/0006_*.sql` only, which hold the states; a trigger holds the
    body and the arrows between the states, whoever writes. `recall.policies.versions` calls them.
    """

    name = models.TextField()
    version = models.IntegerField(help_text="From 1, by name.")
    body = models.JSONField(help_text="Complete; see `recall.policies.body`.")
    body_hash = models.TextField(help_text="SHA-256 of the body, in hexadecimal.")
    state = models.TextField(choices=[(state, state) for state in POLICY_STATES])
    based_on = models.TextField(help_text="Label of the policy it was made from.")
    note = models.TextField(default="", blank=True)
    created_by = models.TextField(help_text="Kind and id, as on the trail.")
    created_at = models.DateTimeField()
    validated_by_run = models.UUIDField(null=True, blank=True, help_text="The shadow run that proved it.")
    activated_at = models.DateTimeField(null=True, blank=True)
    activated_by = models.TextField(default="", blank=True)
    replaced = models.UUIDField(
        null=True, blank=True, help_text="The version that was in force before; none: the built-in one."
    )
    retired_at = models.DateTimeField(null=True, blank=True)

    class Meta(TenantModel.Meta):
        db_table = "recall_policy"
        verbose_name_plural = "stored policies"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=POLICY_STATES), name="recall_policy_has_a_state"
            ),
            models.CheckConstraint(condition=models.Q(version__gte=1), name="recall_policy_counts_from_one"),
            models.UniqueConstraint(fields=["tenant", "name", "version"], name="recall_policy_version"),
            models.UniqueConstraint(
                fields=["tenant"], condition=models.Q(state="active"), name="recall_policy_one_active"
            ),
        ]
        indexes = [models.Index(fields=["tenant", "created_at"], name="recall_policy_created")]

    def __str__(self) -> str:
        return f"{self.name}@{self.version}, {self.state}"
