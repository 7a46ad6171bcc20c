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
from tenants.models import TenantField, TenantModel


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


class VectorHome(TenantModel):
    """
    Where a tenant's vectors are kept: one space on one shelf (SPEC M-14).

    Recall reads the active home; what is stored is written to all of them, so that a switch loses nothing.
    A tenant without any has its vectors on the shared shelf, in the default embedder's space.
    """

    ACTIVE, BUILDING, KEPT = "active", "building", "kept"

    space = models.TextField()
    shelf = models.SmallIntegerField(default=0)
    dimensions = models.SmallIntegerField()
    state = models.TextField(
        choices=[(ACTIVE, ACTIVE), (BUILDING, BUILDING), (KEPT, KEPT)],
        help_text="building: being filled. kept: read before, and still written, for the way back.",
    )
    filled_to = models.UUIDField(null=True, blank=True, help_text="The last memory that filling looked at.")
    filled = models.BigIntegerField(default=0, help_text="Vectors that filling has written.")
    lease_token = models.UUIDField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()

    class Meta(TenantModel.Meta):
        db_table = "vector_home"
        constraints = [
            models.CheckConstraint(condition=models.Q(shelf__gte=0), name="vector_home_shelf"),
            models.UniqueConstraint(fields=["tenant", "space", "shelf"], name="vector_home_place"),
            models.UniqueConstraint(
                fields=["tenant"], condition=models.Q(state="active"), name="vector_home_one_active"
            ),
            models.UniqueConstraint(
                fields=["tenant"], condition=models.Q(state="building"), name="vector_home_one_building"
            ),
        ]


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


class Vocabulary(models.Model):
    """A word of the postings by one thing it is made of; kept by the postings' triggers, read for typos."""

    pk = models.CompositePrimaryKey("tenant_id", "gram", "term", "classification")
    tenant = TenantField()
    gram = models.TextField()
    term = models.TextField()
    size = models.SmallIntegerField(help_text="How many different grams the word has.")
    classification = class_field()

    objects: ClassVar[TenantManager] = TenantManager()

    class Meta:
        db_table = "vocabulary"
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
    moved = models.BigIntegerField(
        default=0,
        help_text="The last transaction that changed what may be seen of the class; kept by triggers.",
    )
    frequent = models.JSONField(default=dict, help_text="Frequent term → live memories that had it.")
    frequent_of = models.BigIntegerField(default=0, help_text="Documents when these were counted.")

    objects: ClassVar[TenantManager] = TenantManager()

    class Meta:
        db_table = "collection_stat"
        base_manager_name = "objects"
        managed = False
