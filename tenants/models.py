"""Tenants, and what a tenant has: projects, agents, members."""

from typing import Any, ClassVar
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.validators import RegexValidator
from django.db import models
from uuid6 import uuid7

from tenants.managers import OwnTenantManager, TenantManager
from tenants.rights import PERMISSIONS
from tenants.scope import tenant_in_force

SLUG = RegexValidator(r"^[a-z0-9][a-z0-9-]{0,62}\Z", "Use 1–63 of a–z, 0–9 and «-», not «-» first.")


def new_id() -> UUID:
    """Return a UUIDv7: ordered by time, so that a tenant's new rows lie together in the index."""
    return UUID(int=uuid7().int)


class Tenant(models.Model):
    """A customer. Everything a customer owns carries this row's id."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    slug = models.TextField(unique=True, validators=[SLUG])
    name = models.TextField()
    lock_number = models.IntegerField(
        unique=True,
        editable=False,
        db_default=models.Func(
            models.Value("tenant_lock_number"), function="nextval", output_field=models.IntegerField()
        ),
        help_text="The stored number that advisory locks use (SPEC W-15).",
    )
    recall_policy = models.TextField(default="default")
    time_zone = models.TextField(default="UTC")
    switched_off = ArrayField(
        models.TextField(),
        default=list,
        blank=True,
        help_text="Parts of the write track it does without: see `tenants.switches`.",
    )
    model_tokens_a_day = models.BigIntegerField(
        null=True,
        blank=True,
        help_text="Tokens a day for language and decision models; none: as the settings have it.",
    )
    model_day = models.DateField(null=True, editable=False, help_text="The day, in UTC, that is counted.")
    retention = models.JSONField(
        default=dict,
        db_default={},
        editable=False,
        help_text="Days that records are kept, by what they are: see `tenants.retention`.",
    )
    model_tokens = models.BigIntegerField(
        default=0,
        db_default=0,
        editable=False,
        help_text="Tokens taken that day: see `tenants.model_budget`.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[OwnTenantManager] = OwnTenantManager()

    class Meta:
        db_table = "tenant"
        base_manager_name = "objects"
        permissions = PERMISSIONS  # in what belongs to no project

    def __str__(self) -> str:
        return self.slug


class TenantField(models.ForeignKey):  # type: ignore[type-arg]
    """The reference to a row's tenant; a new row takes the tenant in force."""

    def __init__(self, to: Any = Tenant, on_delete: Any = models.DO_NOTHING, **kwargs: Any) -> None:
        kwargs.setdefault("db_index", False)  # each table's own key and indexes lead with the tenant
        kwargs.setdefault("editable", False)
        super().__init__(to, on_delete, **kwargs)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Return the tenant's id; raises NoTenant when a new row names none and none is in force."""
        if add and getattr(model_instance, self.attname) is None:
            setattr(model_instance, self.attname, tenant_in_force())
        return super().pre_save(model_instance, add)


class TenantModel(models.Model):
    """A row that belongs to a tenant. Its database key is (tenant_id, id): see `tenants.rls.TenantKey`."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    tenant = TenantField()

    objects: ClassVar[TenantManager] = TenantManager()

    class Meta:
        abstract = True
        base_manager_name = "objects"

    def validate_constraints(self, exclude: Any = None) -> None:
        """Validate with the tenant in, which the admin's forms leave out as not editable."""
        if self.tenant_id is None:
            self.tenant_id = tenant_in_force()
        super().validate_constraints(exclude=set(exclude or ()) - {"tenant"})


class TenantForeignKey(models.ForeignKey):  # type: ignore[type-arg]
    """
    A reference between rows of one tenant.

    The database's constraint is composite, (tenant_id, …_id), and made by `TenantKey`: a plain one looks
    past row security and would let one tenant's row point at another's.
    """

    def __init__(self, to: Any, on_delete: Any = models.DO_NOTHING, **kwargs: Any) -> None:
        kwargs.setdefault("db_index", False)
        kwargs["db_constraint"] = False
        super().__init__(to, on_delete, **kwargs)


class Project(TenantModel):
    """A hard topic folder of a tenant."""

    slug = models.TextField(validators=[SLUG])
    name = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        db_table = "project"
        permissions = PERMISSIONS
        constraints = [models.UniqueConstraint(fields=["tenant", "slug"], name="project_slug")]

    def __str__(self) -> str:
        return self.slug


class Agent(TenantModel):
    """An AI employee of a tenant."""

    slug = models.TextField(validators=[SLUG])
    name = models.TextField()
    domains = ArrayField(models.TextField(), default=list, blank=True)
    ceiling = models.SmallIntegerField(
        default=1, help_text="Highest class it may see, 0 public – 3 confidential."
    )
    project = TenantForeignKey(Project, null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        db_table = "agent"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "slug"], name="agent_slug"),
            models.CheckConstraint(condition=models.Q(ceiling__range=(0, 3)), name="agent_ceiling"),
        ]

    def __str__(self) -> str:
        return self.slug


class Membership(TenantModel):
    """A person's place in a tenant: how far they see there."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, db_index=False)
    role = models.TextField(choices=[("operator", "operator"), ("auditor", "auditor"), ("reader", "reader")])
    ceiling = models.SmallIntegerField(default=1)

    class Meta(TenantModel.Meta):
        db_table = "membership"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "user"], name="membership_user"),
            models.CheckConstraint(condition=models.Q(ceiling__range=(0, 3)), name="membership_ceiling"),
        ]

    def __str__(self) -> str:
        return f"{self.user.get_username()}, {self.role}"
