"""API keys, the audit trail and its chain."""

from typing import Any, ClassVar, Final

from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.postgres.fields import ArrayField
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DEFAULT_DB_ALIAS, models
from guardian.managers import UserObjectPermissionManager
from guardian.models import UserObjectPermissionBase

from security.classification import Classification
from tenants.managers import TenantManager
from tenants.models import Agent, Project, Tenant, TenantForeignKey, TenantModel
from tenants.scope import LONGEST_PERSON, require_bound


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


def person_field() -> "models.TextField[str, str]":
    """Return the column that says whose a row is: an end user's id as the caller has it (SPEC K-09)."""
    return models.TextField(
        default="", db_default="", blank=True, help_text="The end user whose it is; empty: common."
    )


def person_spelled(name: str, field: str = "person") -> models.CheckConstraint:
    """Return the constraint that keeps a person's id to what `tenants.scope.PERSON_PATTERN` allows."""
    spelled = models.Q(**{f"{field}__regex": rf"^[!-~]{{0,{LONGEST_PERSON}}}$"})
    return models.CheckConstraint(condition=spelled, name=name)


class ApiKey(TenantModel):
    """A key to the API. Only the hash is stored; the key itself is shown once (SPEC S-02)."""

    name = models.TextField()
    prefix = models.TextField(help_text="The first characters, to tell keys apart in a list.")
    secret_hash = models.BinaryField(help_text="SHA-256 of the key: 256 random bits need no slow hash.")
    scopes = ArrayField(models.TextField())
    ceiling = models.SmallIntegerField(default=int(Classification.INTERNAL))
    project = TenantForeignKey(Project, null=True, blank=True)
    agent = TenantForeignKey(Agent, null=True, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        null=True,
        blank=True,
        db_index=False,
        help_text="The person it speaks for; it may no more than they (SPEC S-04).",
    )
    external = models.BooleanField(
        default=False,
        db_default=False,
        help_text="For somebody outside: it works while the gate is open (SPEC S-06). Settled as it is made.",
    )
    relays_users = models.BooleanField(
        null=True,
        blank=True,
        help_text="What it says a user said counts as theirs. None: as its kind has it.",
    )
    measures = models.BooleanField(
        null=True,
        blank=True,
        help_text="What it marks as measured counts as measured. None: as its kind has it.",
    )
    max_importance = models.SmallIntegerField(
        null=True,
        blank=True,
        help_text="1–5: beyond it importance counts as this. None: as its kind has it.",
    )
    projects = ArrayField(
        models.UUIDField(),
        default=list,
        db_default=[],
        blank=True,
        help_text="Those that an agent's key, or one for outside, may name besides its own.",
    )
    persons = ArrayField(
        models.TextField(),
        default=list,
        db_default=[],
        blank=True,
        help_text="The end users whom it may name; none: any. Settled as it is made.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.TextField(default="")
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta(TenantModel.Meta):
        db_table = "api_key"
        constraints = [
            class_range("api_key_ceiling", "ceiling"),
            models.CheckConstraint(
                condition=models.Q(agent__isnull=True) | models.Q(user__isnull=True),
                name="api_key_speaks_for_one",
            ),
            models.CheckConstraint(
                condition=models.Q(external=False) | models.Q(user__isnull=True),
                name="api_key_outside_is_nobodys",
            ),
            models.CheckConstraint(
                condition=models.Q(max_importance__range=(1, 5)), name="api_key_importance"
            ),
            models.CheckConstraint(
                condition=models.Q(projects=[])
                | models.Q(models.Q(agent__isnull=False) | models.Q(external=True), project__isnull=True),
                name="api_key_lists_projects",
            ),
        ]
        indexes = [models.Index(fields=["secret_hash"], name="api_key_secret_hash")]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix})"

    @property
    def speaks_freely(self) -> bool:
        """Tell whether its word is a person's or the tenant's own, and so counts unless it was narrowed."""
        return self.agent_id is None and not self.external


KEY_HOURS: Final = 24
"""How long an idempotency key stands for its request; later it is as good as new, and a night forgets it."""


class DoneRequest(TenantModel):
    """
    A request that was done under an idempotency key: what tells it from another, and what its answer named.

    Nothing of its text and nothing of the answer's is in it (`security.rest.idempotency`).
    """

    api_key = TenantForeignKey(ApiKey)
    key_hash = models.BinaryField(help_text="Of the idempotency key, under the service's secret.")
    request_hash = models.BinaryField(help_text="Of address, body and person, under the service's secret.")
    status = models.SmallIntegerField(null=True, help_text="Of the answer; null while it is being done.")
    kept = models.JSONField(default=dict, help_text="Ids and counts of the answer.")
    created_at = models.DateTimeField()

    class Meta(TenantModel.Meta):
        db_table = "done_request"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "api_key", "key_hash"], name="done_request_once")
        ]
        indexes = [models.Index(fields=["tenant", "created_at"], name="done_request_at")]


class AccessGate(TenantModel):
    """
    Whether keys for outside work now (SPEC S-06), one row for each tenant; none: closed.

    Written by the database's own functions alone, which hold the order of its states.
    """

    CLOSED, MODIFIED, VALIDATED, OPEN = "closed", "modified", "validated", "open"

    state = models.TextField(choices=[(one, one) for one in (CLOSED, MODIFIED, VALIDATED, OPEN)])
    cause = models.TextField(blank=True, help_text="What keeps it shut; empty: nothing.")
    reason = models.TextField(blank=True, help_text="Why it was closed or opened by hand.")
    fingerprint = models.TextField(blank=True, help_text="Of what was in force when it was last looked at.")
    engine = models.TextField(blank=True, help_text="Digest of the code that the fingerprint is of.")
    generation = models.IntegerField(help_text="Counts changes that leave no other trace.")
    changed_by = models.TextField(blank=True, help_text="Who made the last change; as on the trail.")
    changed_at = models.DateTimeField(null=True, blank=True)
    changers = ArrayField(
        models.TextField(),
        blank=True,
        help_text="Who changed something since it was last open: not who opens it.",
    )
    closed_at = models.DateTimeField(null=True, blank=True, help_text="When it was closed by hand.")
    run_id = models.UUIDField(null=True, blank=True, help_text="The shadow run that validated it.")
    validated_by = models.TextField(blank=True)
    validated_at = models.DateTimeField(null=True, blank=True)
    opened_by = models.TextField(blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)

    class Meta(TenantModel.Meta):
        db_table = "access_gate"
        verbose_name = verbose_name_plural = "gate for outside"
        constraints = [
            models.UniqueConstraint(fields=["tenant"], name="access_gate_one"),
            models.CheckConstraint(
                condition=models.Q(state__in=["closed", "modified", "validated", "open"]),
                name="access_gate_state",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["closed", "modified"])
                | models.Q(run_id__isnull=False, validated_at__isnull=False),
                name="access_gate_open_is_validated",
            ),
        ]

    def __str__(self) -> str:
        return f"gate: {self.state}"


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

    def __str__(self) -> str:
        return f"{self.action} at {self.at:%Y-%m-%d %H:%M:%S}"


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


class GrantManager(TenantManager, UserObjectPermissionManager):
    """Guardian's verbs on rows of the tenant in force."""


class Grant(TenantModel, UserObjectPermissionBase):
    """
    A right that a person holds (SPEC S-04), as django-guardian keeps it: user, permission, object.

    Each kind of object has a table of its own, so that a grant is walled by its tenant like any row.
    Guardian's own tables know no tenant; the service has no grant on them.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, db_index=False)
    permission = models.ForeignKey(Permission, on_delete=models.DO_NOTHING, db_index=False)

    objects: ClassVar[GrantManager] = GrantManager()

    class Meta(TenantModel.Meta):
        abstract = True

    def save(self, *args: Any, using: str | None = None, **kwargs: Any) -> None:
        """Save the row. Raises NoTenant before guardian looks the object up, which nobody may."""
        require_bound(using or DEFAULT_DB_ALIAS)
        super().save(*args, using=using, **kwargs)


class ProjectGrant(Grant):
    """A right in a project."""

    content_object = TenantForeignKey(Project)

    class Meta(Grant.Meta):
        abstract = False
        db_table = "project_grant"
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "user", "permission", "content_object"], name="project_grant_once"
            )
        ]


class TenantGrant(Grant):
    """A right in what belongs to no project of the tenant."""

    content_object = models.ForeignKey(
        Tenant, on_delete=models.DO_NOTHING, db_index=False, related_name="grants"
    )

    class Meta(Grant.Meta):
        abstract = False
        db_table = "tenant_grant"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "user", "permission"], name="tenant_grant_once"),
            models.CheckConstraint(
                condition=models.Q(content_object=models.F("tenant")), name="tenant_grant_own"
            ),
        ]
