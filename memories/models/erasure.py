"""What a person had forgotten: that it was, never what it was (SPEC S-05)."""

from django.db import models

from security.models import class_field, class_range, person_field, person_spelled
from tenants.models import TenantModel


class Erasure(TenantModel):
    """
    A memory that is gone, and a digest by which its text, or a part of it, is known if it comes again.

    Rows are only ever added. The digest is keyed (`memories.access`): from the row alone nobody tries texts.
    """

    act = models.UUIDField(help_text="One for all that went together.")
    memory_id = models.UUIDField(help_text="The row's id; it refers to nothing any more.")
    digest = models.BinaryField(
        null=True, help_text="HMAC-SHA-256 of the normalised text; none: the text may be made anew of others."
    )
    at = models.DateTimeField()
    person = person_field()
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "erasure"
        constraints = [class_range("erasure_class"), person_spelled("erasure_person")]
        indexes = [
            models.Index(fields=["tenant", "digest"], name="erasure_digest"),
            models.Index(fields=["tenant", "memory_id"], name="erasure_memory"),
        ]
