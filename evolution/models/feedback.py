"""What came of a recall."""

from typing import Final

from django.db import models

from memories.models import Memory
from recall.models import RecallEvent
from tenants.models import TenantForeignKey, TenantModel

LEAST_PROOF: Final = 0.25
"""
Weight from which a helpful verdict counts as a verified use (R-04, C-01), as an agent's own praise of a
memory does: a small share of an outcome verifies nothing.
"""


class Feedback(TenantModel):
    """A verdict on a recalled memory. The last one stands; the former ones stay as the log (SPEC E-01)."""

    recall = TenantForeignKey(RecallEvent)
    memory = TenantForeignKey(Memory)
    outcome = models.TextField(choices=[(name, name) for name in ("helpful", "unhelpful", "used")])
    origin = models.TextField(
        choices=[(name, name) for name in ("explicit", "implicit", "outcome")],
        db_default="explicit",
        help_text="Said of this memory, among what a session used, or by how the task ended.",
    )
    actor_kind = models.TextField()
    actor_id = models.TextField()
    weight = models.FloatField(help_text="How far the word counts, in [0, 1].")
    q_before = models.FloatField()
    q_after = models.FloatField()
    at = models.DateTimeField()
    stands = models.BooleanField(default=True)
    withdrawn_by = models.UUIDField(
        null=True, blank=True, help_text="The withdrawal that took it back; null: none did."
    )

    class Meta(TenantModel.Meta):
        db_table = "feedback"
        verbose_name_plural = "feedback"
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "recall", "memory"],
                condition=models.Q(stands=True),
                name="feedback_one_stands",
            )
        ]
        indexes = [models.Index(fields=["tenant", "memory"], name="feedback_memory")]
