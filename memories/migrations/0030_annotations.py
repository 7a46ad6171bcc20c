"""Keep times, amounts and lengths beside the words that name them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0029_text_as_said")]

    operations = [
        migrations.AddField(
            "memory",
            "annotations",
            models.JSONField(
                blank=True, default=list, db_default=models.Value([], models.JSONField()),
                help_text="Times, amounts, lengths and shares: start, end, kind, value, certainty.",
            ),
        )
    ]  # fmt: skip
