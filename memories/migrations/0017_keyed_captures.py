"""Let the night find the idempotency keys that have expired."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0016_fair_claim")]

    operations = [
        migrations.AddIndex(
            model_name="capture",
            index=models.Index(
                condition=models.Q(("idempotency_key__isnull", False)),
                fields=["tenant", "created_at"],
                name="capture_keyed",
            ),
        ),
    ]
