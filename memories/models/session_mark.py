"""How high a session has read, and when (SPEC S-01, K-12: no write down)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from security.models import class_field, class_range, person_field, person_spelled
from tenants.models import TenantModel


class SessionMark(TenantModel):
    """
    That something of a class was shown in a session for a person, by which reads, and when last.

    A row for each class: each ends on its own, 8 hours after what is of it was last shown. Written by
    functions of the database only, in the transaction that records what was shown. See Note [No write down]
    in `memories.ingestion.high_water_mark`.
    """

    holder = models.UUIDField(help_text="The agent whose session it is; of a key without one the key.")
    session = models.TextField(help_text="Its name.")
    person = person_field()
    at = models.DateTimeField(help_text="When it was shown last, to ten minutes.")
    reads = ArrayField(
        models.TextField(), default=list, db_default=[], blank=True, help_text="By which sorts of reads."
    )
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "session_mark"
        constraints = [
            class_range("session_mark_class"),
            person_spelled("session_mark_person"),
            models.UniqueConstraint(
                fields=["tenant", "holder", "session", "person", "classification"],
                name="session_mark_once_a_class",
            ),
        ]

    def __str__(self) -> str:
        return self.session
