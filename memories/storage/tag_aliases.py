"""Tags that a tenant's own names make one, once an entity goes by both (SPEC M-12)."""

from memories.language import canonical_tag, name_key
from memories.models import Entity, EntityAlias


def spellings_of(tag: str) -> tuple[str, ...]:
    """
    Return the tags that mean the same as this one to the tenant, itself first; exact names only.

    To be called inside `unit_of_work`: names above the clearance in force are not looked at.
    """
    tag = canonical_tag(tag)
    keys = {name_key(tag)} - {""}
    found = set(EntityAlias.objects.filter(key__in=keys).values_list("entity_id", flat=True))
    found |= set(Entity.objects.filter(key__in=keys).values_list("id", flat=True))
    names = [
        *Entity.objects.filter(id__in=found).order_by("key").values_list("key", flat=True),
        *EntityAlias.objects.filter(entity_id__in=found).order_by("key").values_list("key", flat=True),
    ]
    return tuple(dict.fromkeys((tag, *(canonical_tag(name) for name in names))))
