"""Say of a memory which span of its capture it is, and what a language model made of it."""

from django.db import migrations, models

from memories.domain import KINDS


class Migration(migrations.Migration):
    dependencies = [("memories", "0028_capture_metadata")]

    operations = [
        migrations.AddField(
            "memory",
            "span_start",
            models.IntegerField(
                blank=True, null=True,
                help_text="Where the content begins in the capture's text; none: it is no span of it.",
            ),
        ),
        migrations.AddField("memory", "span_end", models.IntegerField(blank=True, null=True)),
        migrations.AddField(
            "memory",
            "note",
            models.TextField(
                blank=True, default="", db_default="", help_text="What a language model made of the content."
            ),
        ),
        migrations.AlterField("memory", "kind", models.TextField(choices=[(kind, kind) for kind in KINDS])),
    ]  # fmt: skip
