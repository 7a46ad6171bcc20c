"""Who and what memories speak of, under which names, and what is said of them (SPEC M-10)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from memories.domain import PROVENANCE_WEIGHT
from memories.models.memory import Memory
from security.models import class_field, class_range
from tenants.models import TenantForeignKey, TenantModel

ENTITY_TYPES = ("person", "organisation", "place", "product", "project", "identifier", "concept", "thing")


class Entity(TenantModel):
    """
    A person, a place, a thing, under its canonical name.

    One row for each class it is spoken of in: a name that only restricted memories hold is not known below.
    Which agents and projects may know of it follows from the memories that mention it.
    """

    key = models.TextField(help_text="The canonical name folded and lower-cased.")
    name = models.TextField(help_text="The canonical name as it is written.")
    type = models.TextField(choices=[(name, name) for name in ENTITY_TYPES], default="thing")
    salience = models.FloatField(default=0.0, help_text="How much it is spoken of, in [0, 1].")
    created_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "entity"
        verbose_name_plural = "entities"
        constraints = [
            class_range("entity_class"),
            models.UniqueConstraint(fields=["tenant", "key", "classification"], name="entity_once"),
            models.CheckConstraint(condition=models.Q(salience__range=(0.0, 1.0)), name="entity_salience"),
        ]

    def __str__(self) -> str:
        return self.name


class EntityAlias(TenantModel):
    """Another name of an entity: «JWT» for «JSON Web Token», «Ann» for «Ann Kowalski»."""

    entity = TenantForeignKey(Entity, related_name="aliases")
    key = models.TextField(help_text="The name folded and lower-cased.")
    origin = models.TextField(choices=[(name, name) for name in ("auto", "llm", "manual")])
    confidence = models.FloatField(default=1.0)
    created_at = models.DateTimeField()
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "entity_alias"
        verbose_name_plural = "entity aliases"
        constraints = [
            class_range("entity_alias_class"),
            models.UniqueConstraint(fields=["tenant", "key", "classification"], name="entity_alias_once"),
        ]
        indexes = [models.Index(fields=["tenant", "entity"], name="entity_alias_entity")]


class Mention(TenantModel):
    """
    A memory that speaks of an entity; it carries the memory's class.

    The names and the type are those of this memory alone: what is told of an entity is told from the
    mentions that one may see, so that nobody learns a name or a type from a memory hidden from them.
    """

    entity = TenantForeignKey(Entity, related_name="mentions")
    memory = TenantForeignKey(Memory, related_name="mentions")
    names = ArrayField(models.TextField(), default=list, help_text="As the memory writes them.")
    keys = ArrayField(models.TextField(), default=list, help_text="The same, each in its one spelling.")
    type = models.TextField(choices=[(name, name) for name in ENTITY_TYPES], default="thing")
    created_at = models.DateTimeField()
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "mention"
        constraints = [
            class_range("mention_class"),
            models.UniqueConstraint(fields=["tenant", "entity", "memory"], name="mention_once"),
        ]
        indexes = [models.Index(fields=["tenant", "memory"], name="mention_memory")]


class Triple(TenantModel):
    """What a memory says of an entity: subject, predicate, object. Seen by whoever may see the memory."""

    memory = TenantForeignKey(Memory, related_name="triples")
    subject = TenantForeignKey(Entity, related_name="said_of")
    predicate = models.TextField(help_text="A concept key.")
    object = TenantForeignKey(Entity, null=True, blank=True, related_name="said_with")
    object_text = models.TextField(
        help_text="The object as it was said; its entity stands beside it, if any."
    )
    provenance = models.TextField(choices=[(origin, origin) for origin in PROVENANCE_WEIGHT])
    trust = models.FloatField()
    effective_at = models.DateTimeField()
    superseded_at = models.DateTimeField(null=True, blank=True)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "triple"
        constraints = [
            class_range("triple_class"),
            models.CheckConstraint(condition=models.Q(trust__range=(0.0, 1.0)), name="triple_trust"),
            models.UniqueConstraint(
                fields=["tenant", "memory", "subject", "predicate", "object_text"], name="triple_once"
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "subject", "predicate"], name="triple_subject"),
            models.Index(fields=["tenant", "object"], name="triple_object"),
        ]
