"""Say of a verdict which withdrawal took it back: a nullable column, added without a rewrite."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evolution", "0017_hide_interests")]

    operations = [
        migrations.AddField(
            "feedback",
            "withdrawn_by",
            models.UUIDField(
                null=True, blank=True, help_text="The withdrawal that took it back; null: none did."
            ),
        ),
    ]
