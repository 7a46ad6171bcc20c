"""API keys and the audit trail."""

from django.contrib.postgres.fields import ArrayField
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from security.classification import Classification
from tenants.models import Agent, Project, TenantForeignKey, TenantModel


def class_field(
    default: Classification | None = Classification.INTERNAL,
) -> "models.SmallIntegerField[int, int]":
    """Return the column that every row with content carries: its class as a rank (SPEC S-01)."""
    if default is None:
        return models.SmallIntegerField()
    return models.SmallIntegerField(default=int(default))


def class_range(name: str, field: str = "classification") -> models.CheckConstraint:
    """Return the constraint that keeps a class column within the four ranks."""
    return models.CheckConstraint(condition=models.Q(**{f"{field}__range": (0, 3)}), name=name)


class ApiKey(TenantModel):
    """A key to the API. Only the hash is stored; the key itself is shown once (SPEC S-02)."""

    name = models.TextField()
    prefix = models.TextField(help_text="The first characters, to tell keys apart in a list.")
    secret_hash = models.BinaryField(help_text="SHA-256 of the key: 256 random bits need no slow hash.")
    scopes = ArrayField(models.TextField())
    ceiling = models.SmallIntegerField(default=int(Classification.INTERNAL))
    project = TenantForeignKey(Project, null=True, blank=True)
    agent = TenantForeignKey(Agent, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.TextField(default="")
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta(TenantModel.Meta):
        db_table = "api_key"
        constraints = [class_range("api_key_ceiling", "ceiling")]
        indexes = [models.Index(fields=["secret_hash"], name="api_key_secret_hash")]


class AuditEvent(TenantModel):
    """Something that was done: by whom, to what, when, why. Rows are only ever added."""

    at = models.DateTimeField()
    actor_kind = models.TextField()
    actor_id = models.TextField()
    action = models.TextField()
    object_type = models.TextField()
    object_id = models.TextField()
    reason = models.TextField(default="")
    detail = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "audit_event"
        constraints = [class_range("audit_event_class")]
        indexes = [
            models.Index(fields=["tenant", "object_type", "object_id"], name="audit_event_object"),
            models.Index(fields=["tenant", "at"], name="audit_event_at"),
        ]
