"""Lead the list of memories, newest first, by an index: a page sorted all that a tenant has, on disk."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False  # built beside what writes, which an index in a transaction would hold up
    dependencies = [("memories", "0049_document_versions")]

    operations = [
        AddIndexConcurrently(
            "memory", models.Index(fields=["tenant", "-created_at", "-id"], name="memory_newest")
        ),
    ]
