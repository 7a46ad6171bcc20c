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
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "recall_event"
        constraints = [class_range("recall_event_class")]
        indexes = [models.Index(fields=["tenant", "at"], name="recall_event_at")]


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
