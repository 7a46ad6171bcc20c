"""A wish that a memory be known to more, and what became of it (SPEC S-01)."""

from django.db import models

from memories.models.memory import Memory
from security.classification import Classification
from security.models import ApiKey, class_field, class_range
from tenants.models import TenantForeignKey, TenantModel

STATES = ("open", "approved", "rejected", "expired")


class Downgrade(TenantModel):
    """
    One memory's way down from one class to another, bound to the text as it was read.

    Written by `candor_ask_downgrade` and `candor_decide_downgrade` only, which hold the states: open goes to
    one of the others, once. One that needed nobody else was approved by who asked.
    """

    memory = TenantForeignKey(Memory, related_name="downgrades")
    content_hash = models.TextField(help_text="SHA-256 of the text that who asked had read, in hexadecimal.")
    former = models.SmallIntegerField(help_text="The class it has.")
    wanted = models.SmallIntegerField(help_text="The class it is to have.")
    reason = models.TextField()
    asked_by = models.TextField(help_text="Kind and id, as on the trail.")
    asked_key = TenantForeignKey(ApiKey, related_name="downgrades_asked")
    asked_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    state = models.TextField(choices=[(state, state) for state in STATES])
    decided_by = models.TextField(default="", blank=True)
    decided_key = TenantForeignKey(ApiKey, null=True, blank=True, related_name="downgrades_decided")
    decided_at = models.DateTimeField(null=True, blank=True)
    answer = models.TextField(default="", blank=True, help_text="Why it was approved or rejected.")
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "downgrade"
        constraints = [
            class_range("downgrade_class"),
            class_range("downgrade_former", "former"),
            class_range("downgrade_wanted", "wanted"),
            models.CheckConstraint(
                condition=models.Q(wanted__lt=models.F("former")), name="downgrade_goes_down"
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="downgrade_has_a_reason"),
            models.CheckConstraint(
                condition=models.Q(state__in=("open", "expired"), decided_at=None)
                | models.Q(state__in=("approved", "rejected"), decided_at__isnull=False),
                name="downgrade_is_open_or_decided",
            ),
            models.UniqueConstraint(
                fields=["tenant", "memory"], condition=models.Q(state="open"), name="downgrade_one_open"
            ),
        ]
        indexes = [models.Index(fields=["tenant", "memory", "decided_at"], name="downgrade_memory")]

    def __str__(self) -> str:
        former, wanted = Classification(self.former).label, Classification(self.wanted).label
        return f"{former} → {wanted}, {self.state}"
