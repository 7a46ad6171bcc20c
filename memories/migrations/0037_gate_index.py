"""
Let the index that visibility is read from carry the person, and find a person's rows by an index.

The key of `memory` carries the other columns; foreign keys hold it, so this index stands beside it.
"""

from django.db import migrations, models

OF_A_PERSON = {"fields": ["tenant", "person", "id"], "condition": ~models.Q(person="")}


class Migration(migrations.Migration):
    dependencies = [("memories", "0036_person")]

    operations = [
        migrations.AddIndex(
            "memory",
            models.Index(
                fields=["tenant", "id"],
                include=[
                    "standing", "classification", "project", "agent", "shared", "domain", "person",
                    "valid_from", "valid_until", "archived_at", "kind",
                ],
                name="memory_gate",
            ),
        ),
        migrations.AddIndex("memory", models.Index(**OF_A_PERSON, name="memory_of_person")),
        migrations.AddIndex("capture", models.Index(**OF_A_PERSON, name="capture_of_person")),
    ]  # fmt: skip
