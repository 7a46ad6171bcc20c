"""What a memory says in short (SPEC M-11)."""

from django.db import models

from memories.models.memory import Memory
from security.models import class_field, class_range
from tenants.models import TenantForeignKey, TenantModel


class Summary(TenantModel):
    """One or two sentences on a memory, of its class; those on a document stand on the document."""

    memory = TenantForeignKey(Memory, related_name="summaries")
    text = models.TextField()
    model = models.TextField(help_text="Who wrote it; «rules» for the built-in one.")
    tokens_in = models.IntegerField(default=0)
    tokens_out = models.IntegerField(default=0)
    content_hash = models.BinaryField(help_text="Of what was summarised: another hash means it is stale.")
    created_at = models.DateTimeField()
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "summary"
        verbose_name_plural = "summaries"
        constraints = [
            class_range("summary_class"),
            models.UniqueConstraint(fields=["tenant", "memory"], name="summary_once"),
        ]
