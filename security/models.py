"""API keys, the audit trail and its chain."""

from django.contrib.postgres.fields import ArrayField
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from security.classification import Classification
from tenants.models import Agent, Project, TenantForeignKey, TenantModel


def class_field(
    default: Classification | None = Classification.INTERNAL, *, read_back: bool = False
) -> "models.SmallIntegerField[int, int]":
    """
    Return the column that every row with content carries: its class as a rank (SPEC S-01).

    read_back: the database may raise it as the row comes in; saved, the row has what became of it.
    """
    if default is None:
        return models.SmallIntegerField()
    if read_back:  # Django reads back whatever has a default of the database's own
        return models.SmallIntegerField(default=int(default), db_default=int(default))
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
    salt = models.UUIDField(
        db_default=models.Func(function="gen_random_uuid", output_field=models.UUIDField()),
        editable=False,
        help_text="Keeps what the hashes cover from being guessed; goes when the payload is erased.",
    )

    class Meta(TenantModel.Meta):
        db_table = "audit_event"
        constraints = [class_range("audit_event_class")]
        indexes = [
            models.Index(fields=["tenant", "object_type", "object_id"], name="audit_event_object"),
            models.Index(fields=["tenant", "at"], name="audit_event_at"),
        ]


class AuditLink(TenantModel):
    """
    An event's place in its tenant's hash chain (SPEC S-03); the id is the event's.

    Apart from the event, so that the chain is whole for a reader who may not see all that it holds.
    """

    seq = models.BigIntegerField(help_text="From 1, without a gap.")
    prev_hash = models.BinaryField(help_text="Hash of the link before; 32 zero bytes of the first.")
    payload_hash = models.BinaryField(help_text="SHA-256 of reason and detail, salted.")
    event_hash = models.BinaryField(help_text="SHA-256 of the other columns and of payload_hash.")
    hash = models.BinaryField(help_text="SHA-256 of tenant, seq, prev_hash and event_hash.")

    class Meta(TenantModel.Meta):
        db_table = "audit_link"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "seq"], name="audit_link_seq"),
            models.UniqueConstraint(fields=["tenant", "prev_hash"], name="audit_link_prev"),
        ]
