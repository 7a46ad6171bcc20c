"""
Let one current truth be one for each person (SPEC K-09, M-05).

Among rows of before all are common, so no two of them are equal that were not.
"""

from django.db import migrations, models
from django.db.models import F, Q

BEFORE = ["tenant", "entity_key", "concept_key", "project", "agent", "shared", "domain", "classification"]
FIELDS = [*BEFORE[:-1], "person", BEFORE[-1]]
SINGLE = Q(
    card="state", cardinality="single", standing=0, archived_at=None, entity_key__isnull=False,
    concept_key__isnull=False,
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("memories", "0038_visible_v3")]

    operations = [
        migrations.RemoveConstraint("memory", "memory_one_current_truth"),
        migrations.AddConstraint(
            "memory",
            models.UniqueConstraint(
                fields=FIELDS, condition=SINGLE & (Q(group_id=None) | Q(group_id=F("id"))),
                nulls_distinct=False, name="memory_one_current_truth",
            ),
        ),
    ]  # fmt: skip
