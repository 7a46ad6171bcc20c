"""Keep how long a recall took, for who looks at how recall does: a nullable column, added without a rewrite."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("recall", "0012_person")]

    operations = [
        migrations.AddField(
            "recallevent",
            "took_ms",
            models.IntegerField(
                null=True,
                blank=True,
                help_text="From the question to its ranked answer, in milliseconds; null: from before.",
            ),
        ),
    ]
