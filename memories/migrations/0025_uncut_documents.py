"""Find the captures that hold a whole document, still to be cut, by one small index."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0024_mark_reads")]

    operations = [
        migrations.AddIndex(
            model_name="capture",
            index=models.Index(
                condition=models.Q(
                    ("document__isnull", False),
                    ("passage__isnull", True),
                    ("state__in", ("pending", "processing")),
                ),
                fields=["tenant", "created_at"],
                name="capture_uncut",
            ),
        ),
    ]
