"""How high a session has read (SPEC S-01: no write down)."""

from django.db import models

from security.models import class_field, class_range
from tenants.models import TenantModel


class SessionMark(TenantModel):
    """
    The highest class that was shown in a session; it never falls.

    Written by triggers only, in the transaction that records what was shown. See Note [No write down] in
    `memories.written_class`.
    """

    holder = models.UUIDField(help_text="The agent whose session it is; of a key without one the key.")
    session = models.TextField(help_text="Empty: recalls that named none.")
    at = models.DateTimeField(help_text="When it rose last.")
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "session_mark"
        constraints = [
            class_range("session_mark_class"),
            models.UniqueConstraint(fields=["tenant", "holder", "session"], name="session_mark_once"),
        ]

    def __str__(self) -> str:
        return self.session
