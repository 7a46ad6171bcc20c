"""
Let rows that say the same stand in one group (SPEC K-04).

One current truth holds for the first of a group: the others say the same value again.
"""

from django.db import migrations, models
from django.db.models import F, Q

from memories.models.link import LINK_TYPES

FIELDS = ["tenant", "entity_key", "concept_key", "project", "agent", "shared", "domain", "classification"]
SINGLE = Q(
    card="state", cardinality="single", standing=0, archived_at=None, entity_key__isnull=False,
    concept_key__isnull=False,
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("memories", "0030_annotations")]

    operations = [
        migrations.AddField(
            "memory",
            "group_id",
            models.UUIDField(
                blank=True, null=True,
                help_text="Of the rows that say the same: the id of the first of them; none: no other does.",
            ),
        ),
        migrations.RunSQL(
            "GRANT UPDATE (group_id) ON memory TO candor_app",
            "REVOKE UPDATE (group_id) ON memory FROM candor_app",
        ),
        migrations.AddIndex(
            "memory",
            models.Index(
                fields=["tenant", "group_id"], condition=Q(group_id__isnull=False), name="memory_group"
            ),
        ),
        migrations.RemoveConstraint("memory", "memory_one_current_truth"),
        migrations.AddConstraint(
            "memory",
            models.UniqueConstraint(
                fields=FIELDS, condition=SINGLE & (Q(group_id=None) | Q(group_id=F("id"))),
                nulls_distinct=False, name="memory_one_current_truth",
            ),
        ),
        migrations.AlterField("link", "type", models.TextField(choices=[(name, name) for name in LINK_TYPES])),
    ]  # fmt: skip
