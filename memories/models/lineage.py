"""
What a derived memory rests on (SPEC M-08).

The database holds every memory to what it rests on, over any depth: trust at most theirs, class at least
theirs, the weakest origin (`migrations/sql/0004_*.sql`). Made by SQL, for its key is composite.
"""

from typing import ClassVar

from django.db import models

from memories.models.memory import Memory
from security.models import class_field
from tenants.managers import TenantManager
from tenants.models import TenantField, TenantForeignKey


class Lineage(models.Model):
    """One memory rests on another; rows are only ever added."""

    pk = models.CompositePrimaryKey("tenant_id", "child_id", "parent_id")
    tenant = TenantField()
    child = TenantForeignKey(Memory, related_name="rests_on")
    parent = TenantForeignKey(Memory, related_name="carries")
    created_at = models.DateTimeField()
    classification = class_field()

    objects: ClassVar[TenantManager] = TenantManager()

    class Meta:
        db_table = "lineage"
        base_manager_name = "objects"
        managed = False
