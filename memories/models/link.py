"""A typed link between two memories (SPEC M-09)."""

from django.db import models

from memories.models.memory import Memory
from security.models import class_field, class_range
from tenants.models import TenantForeignKey, TenantModel

LINK_TYPES = (
    "related_to", "parent_of", "part_of", "affects_state", "contradicts", "supersedes", "derived_from",
    "because", "evidence", "references", "similar_to", "precedes", "follows", "authored_by", "restates",
    "corrects", "ends", "refines", "replaces",
)  # fmt: skip

VERDICTS = ("contradicts", "corrects", "ends", "refines", "replaces", "similar_to")
"""Types by which a later statement bears on an earlier one, as an arbiter or a person has it (SPEC K-05)."""


class Link(TenantModel):
    """A directed link with its weight in [0, 1] and where it comes from."""

    source = TenantForeignKey(Memory, related_name="links_out")
    target = TenantForeignKey(Memory, related_name="links_in")
    type = models.TextField(choices=[(name, name) for name in LINK_TYPES])
    weight = models.FloatField()
    confidence = models.FloatField(default=1.0)
    origin = models.TextField(choices=[(name, name) for name in ("auto", "llm", "manual")])
    created_at = models.DateTimeField()
    last_verified_at = models.DateTimeField()
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "link"
        constraints = [
            class_range("link_class"),
            models.CheckConstraint(condition=~models.Q(source=models.F("target")), name="link_not_to_itself"),
            models.UniqueConstraint(fields=["tenant", "source", "target", "type"], name="link_once"),
        ]
        indexes = [
            models.Index(fields=["tenant", "target", "type"], name="link_target"),
            # What recall reads for each row of its pool.
            models.Index(
                fields=["tenant", "target"],
                include=["source", "type", "confidence"],
                condition=models.Q(type__in=VERDICTS),
                name="link_verdict_v2",
            ),
            # What pruning looks for among millions. Nothing that changes often stands in it, so that a link
            # which is seen again is updated in place.
            models.Index(
                fields=["tenant", "source"],
                condition=models.Q(confidence__lte=0.35) & ~models.Q(origin="manual"),
                name="link_doubtful",
            ),
        ]
