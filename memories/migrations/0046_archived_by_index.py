"""Find what is archived by an index of its own: recall leaves it out of its first pass (SPEC R-07)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memories", "0045_capture_layer"),
        ("tenants", "0008_model_budget"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="usage",
            index=models.Index(
                condition=models.Q(("tier", "archive")),
                fields=["tenant", "memory"],
                include=("classification",),
                name="usage_archived",
            ),
        ),
    ]
