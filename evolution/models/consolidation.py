"""What a pattern was made of, and that a person took it apart (SPEC E-03)."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from memories.models import Memory
from tenants.models import TenantForeignKey, TenantModel


class Consolidation(TenantModel):
    """How a pattern came to be. Which findings it rests on stands in the lineage, and stays there."""

    pattern = TenantForeignKey(Memory, related_name="consolidations")
    made_by = models.TextField(help_text="Who worded it: «rules», or the name of a language model.")
    cites = models.JSONField(
        default=list, encoder=DjangoJSONEncoder, help_text="Of each sentence, the memories it rests on."
    )
    tokens_in = models.IntegerField(default=0)
    tokens_out = models.IntegerField(default=0)
    made_at = models.DateTimeField()
    grown_at = models.DateTimeField(null=True, blank=True, help_text="When further findings joined last.")
    undone_at = models.DateTimeField(null=True, blank=True, help_text="When a person took it apart.")
    undone_by = models.TextField(default="", blank=True)

    class Meta(TenantModel.Meta):
        db_table = "consolidation"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "pattern"], name="consolidation_once"),
        ]
