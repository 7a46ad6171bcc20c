"""What was asked and what was shown."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from memories.models import Memory
from security.models import ApiKey, class_field, class_range
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
    cluster = models.BinaryField(
        null=True, blank=True, help_text="The sketch of its kind of question (SPEC E-13)."
    )
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "recall_event"
        constraints = [class_range("recall_event_class")]
        indexes = [
            models.Index(fields=["tenant", "at"], name="recall_event_at"),
            models.Index(
                fields=["tenant", "session"], condition=~models.Q(session=""), name="recall_event_session"
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
    What verdicts said of a memory by kind of question, packed (SPEC E-13; `recall.question_clusters`).

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
