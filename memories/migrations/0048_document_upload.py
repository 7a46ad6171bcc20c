"""
Keep a document's file until a worker has read it, its name, and why it could not be read (SPEC M-11).

Code of before reads none of this and would find an upload's capture empty: workers are rolled before the web.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0047_waits_for")]

    operations = [
        migrations.AddField(
            "document",
            "file_name",
            models.TextField(blank=True, db_default="", default="", help_text="Empty: it came as text."),
        ),
        migrations.AddField(
            "document",
            "refusal",
            models.TextField(
                blank=True, db_default="", default="", help_text="Why there is nothing to remember of it."
            ),
        ),
        migrations.AddField(
            "document",
            "upload",
            models.BinaryField(
                blank=True,
                help_text="The file as it came, while it waits to be read; it goes when it was.",
                null=True,
            ),
        ),
        migrations.AlterField(
            "document",
            "content_hash",
            models.BinaryField(
                help_text="SHA-256 of the redacted text, or of the file: the same document comes once."
            ),
        ),
    ]
