"""Say of a memory whether its speaker asserts it (SPEC K-08)."""

from django.db import migrations, models

from memories.domain import MODES


class Migration(migrations.Migration):
    dependencies = [("memories", "0031_restatements")]

    operations = [
        migrations.AddField(
            "memory",
            "mode",
            models.TextField(
                choices=[(mode, mode) for mode in MODES], default="assertion", db_default="assertion",
                help_text="Whether the speaker asserts it, asks it, supposes it, has heard it or quotes it.",
            ),
        )
    ]  # fmt: skip
