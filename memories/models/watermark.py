"""
What facts are checked against, what was seen of it, and what waits to be looked at (SPEC E-07, E-08, E-14).

Trust itself stands on the memory. The database makes it of what stands here, in a closed form of its own
(`migrations/sql/0009_settle_trust.sql`), so that nothing is taken or given twice.
"""

from django.db import models
from django.utils.text import Truncator

from memories.models.capture import Capture
from memories.models.memory import Memory
from security.models import class_field, class_range
from tenants.models import TenantForeignKey, TenantModel

HANDLE_KINDS = ("file", "git", "flag")
REASONS = ("moved", "aged", "evidence")
VERDICTS = ("confirm", "correct", "dismiss", "verified", "superseded")


class Watermark(TenantModel):
    """The one thing outside that a state was bound to when it was written."""

    memory = TenantForeignKey(Memory)
    kind = models.TextField(choices=[(kind, kind) for kind in HANDLE_KINDS])
    name = models.TextField(help_text="Path, ref, or the flag's name.")
    scope = models.TextField(default="", blank=True, help_text="Of git: the part of the repository.")
    value = models.TextField(help_text="Digest of the fingerprint with which the fact is known to hold.")
    seen = models.TextField(help_text="Digest of the fingerprint that was reported last.")
    factor = models.FloatField(default=1.0, help_text="What is left of the fact's trust, in (0, 1].")
    bound_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    moved_at = models.DateTimeField(null=True, blank=True)
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "watermark"
        constraints = [
            class_range("watermark_class"),
            models.CheckConstraint(
                condition=models.Q(factor__gt=0.0, factor__lte=1.0), name="watermark_factor"
            ),
            models.UniqueConstraint(fields=["tenant", "memory"], name="watermark_once"),
        ]
        indexes = [models.Index(fields=["tenant", "kind", "name", "scope"], name="watermark_handle")]

    def __str__(self) -> str:
        return Truncator(f"{self.kind} {self.name} {self.scope}".rstrip()).chars(80)


class Observation(TenantModel):
    """
    What was seen of a fact's watermark, and whether the fact then turned out to have changed (SPEC E-09).

    One open row for a fact and for moved or not, until it is known whether the fact changed.
    """

    memory = TenantForeignKey(Memory)
    kind = models.TextField(choices=[(kind, kind) for kind in HANDLE_KINDS])
    moved = models.BooleanField()
    changed = models.BooleanField(null=True, help_text="Whether the fact had changed; none: not known yet.")
    times = models.IntegerField(default=1)
    session = models.TextField(default="", blank=True)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True, blank=True)
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "observation"
        constraints = [
            class_range("observation_class"),
            models.UniqueConstraint(
                fields=["tenant", "memory", "moved"],
                condition=models.Q(settled_at=None),
                name="observation_one_open",
            ),
        ]


class Corroboration(TenantModel):
    """Another voice that said the same in another session; rows are only ever added (SPEC E-08)."""

    memory = TenantForeignKey(Memory)
    provenance = models.TextField()
    session = models.TextField()
    voice = models.TextField(default="", db_default="", help_text="Whose word it was; empty: from before.")
    trust = models.FloatField(help_text="Of what was said, in [0, 1].")
    capture = TenantForeignKey(Capture, null=True, blank=True)
    at = models.DateTimeField()
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "corroboration"
        constraints = [
            class_range("corroboration_class"),
            models.UniqueConstraint(
                fields=["tenant", "memory", "voice"],
                condition=~models.Q(voice=""),
                name="corroboration_voice",
            ),
            models.UniqueConstraint(fields=["tenant", "memory", "session"], name="corroboration_session"),
        ]


class Verification(TenantModel):
    """A fact or decision that should be looked at before it is relied on (SPEC H-03)."""

    memory = TenantForeignKey(Memory)
    reason = models.TextField(choices=[(reason, reason) for reason in REASONS])
    what = models.TextField(help_text="What moved or changed, in words.")
    evidence = TenantForeignKey(
        Memory, null=True, blank=True, related_name="doubts", help_text="On which the decision rests."
    )
    session = models.TextField(default="", blank=True)
    opened_at = models.DateTimeField()
    verdict = models.TextField(null=True, blank=True, choices=[(name, name) for name in VERDICTS])
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolved_by = models.TextField(default="", blank=True)
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "verification"
        constraints = [
            class_range("verification_class"),
            models.CheckConstraint(
                condition=models.Q(verdict__isnull=True, resolved_at__isnull=True)
                | models.Q(verdict__isnull=False, resolved_at__isnull=False),
                name="verification_is_open_or_resolved",
            ),
            models.UniqueConstraint(
                fields=["tenant", "memory", "reason", "evidence"],
                condition=models.Q(resolved_at=None),
                nulls_distinct=False,
                name="verification_one_open",
            ),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "opened_at"],
                condition=models.Q(resolved_at=None),
                name="verification_open",
            ),
            models.Index(fields=["tenant", "memory"], name="verification_memory"),
        ]

    def __str__(self) -> str:
        return Truncator(self.what).chars(80)
