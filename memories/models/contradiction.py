"""Two states that cannot both hold, and what was decided: the arbitration queue (SPEC W-12, H-02)."""

from django.db import models

from memories.models.memory import Memory
from security.models import class_field, class_range
from tenants.models import TenantForeignKey, TenantModel

VERDICTS = ("keep_old", "accept_new", "coexist")


class Contradiction(TenantModel):
    """
    A pair of values of one (entity, concept), asked about once.

    Open until somebody or something says which holds. `resolved_by` names who: a person's key, «trust_gap»,
    «user_resolved» for a correction, «superseded» when a later change made the question idle.
    """

    older = TenantForeignKey(Memory, related_name="contradicted_by")
    newer = TenantForeignKey(Memory, related_name="contradicts")
    entity_key = models.TextField()
    concept_key = models.TextField()
    trust_gap = models.FloatField(help_text="Trust of the newer one less that of the older, in [-1, 1].")
    reason = models.TextField(help_text="Which rule left it open, or closed it by itself.")
    opened_at = models.DateTimeField()
    verdict = models.TextField(null=True, blank=True, choices=[(name, name) for name in VERDICTS])
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolved_by = models.TextField(default="", blank=True)
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "contradiction"
        constraints = [
            class_range("contradiction_class"),
            models.UniqueConstraint(fields=["tenant", "older", "newer"], name="contradiction_asked_once"),
            models.CheckConstraint(
                condition=~models.Q(older=models.F("newer")), name="contradiction_of_two_memories"
            ),
            models.CheckConstraint(
                condition=models.Q(verdict=None, resolved_at=None)
                | models.Q(verdict__isnull=False, resolved_at__isnull=False),
                name="contradiction_is_open_or_resolved",
            ),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "opened_at"],
                condition=models.Q(resolved_at=None),
                name="contradiction_open",
            ),
            models.Index(fields=["tenant", "newer"], name="contradiction_newer"),
        ]

    def __str__(self) -> str:
        return f"{self.entity_key} · {self.concept_key}"
