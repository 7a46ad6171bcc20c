"""
What search reads: vectors, postings, and the collection's sizes.

The tables are made by SQL (`migrations/sql/`): their keys are composite and carry the payload, so that a
tenant's rows lie together and are read from the index alone.
"""

from typing import ClassVar

from django.db import models
from pgvector.django import HalfVectorField

from memories.models.memory import Memory
from security.models import class_field
from tenants.managers import TenantManager
from tenants.models import TenantField


class Embedding(models.Model):
    """A memory's vector in one embedding space (SPEC M-14)."""

    pk = models.CompositePrimaryKey("tenant_id", "space", "memory_id")
    tenant = TenantField()
    space = models.TextField()
    memory = models.ForeignKey(Memory, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False)
    shelf = models.SmallIntegerField(
        default=0, help_text="0: shared by small tenants; n: a big tenant's own."
    )
    classification = class_field()
    vector = HalfVectorField()

    objects: ClassVar[TenantManager] = TenantManager()

    class Meta:
        db_table = "embedding"
        base_manager_name = "objects"
        managed = False


class Posting(models.Model):
    """A term in a memory's searched text, with what BM25 needs to score it."""

    pk = models.CompositePrimaryKey("tenant_id", "term", "memory_id")
    tenant = TenantField()
    term = models.TextField()
    memory = models.ForeignKey(Memory, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False)
    frequency = models.SmallIntegerField()
    length = models.IntegerField(help_text="Terms in the whole searched text.")
    classification = class_field()
    live = models.BooleanField(default=True)

    objects: ClassVar[TenantManager] = TenantManager()

    class Meta:
        db_table = "posting"
        base_manager_name = "objects"
        managed = False


class CollectionStat(models.Model):
    """How many live memories a class of a tenant holds and how long they are; kept under store's lock."""

    pk = models.CompositePrimaryKey("tenant_id", "classification")
    tenant = TenantField()
    classification = class_field()
    documents = models.BigIntegerField(default=0)
    total_length = models.BigIntegerField(default=0)
    version = models.BigIntegerField(default=0, help_text="Moves with every change of the neighbourhood.")

    objects: ClassVar[TenantManager] = TenantManager()

    class Meta:
        db_table = "collection_stat"
        base_manager_name = "objects"
        managed = False
