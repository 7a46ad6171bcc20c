"""
Say of a capture what is out that it waits for, and since when (SPEC O-04), and count what waits.

Code of before writes neither and reads none; it may take up what waits and count an attempt, as it always did.
"""

from pathlib import Path

from django.db import migrations, models

from tenants.rls import DefinerFunction

SQL = Path(__file__).parent / "sql" / "0047_queue_state.sql"


class Migration(migrations.Migration):
    dependencies = [("memories", "0046_archived_by_index")]

    operations = [
        migrations.AddField(
            "capture",
            "waits_for",
            models.TextField(
                default="",
                db_default="",
                help_text="What is out that it waits for; empty: it waits for nothing.",
            ),
        ),
        migrations.AddField("capture", "waiting_since", models.DateTimeField(blank=True, null=True)),
        migrations.AddIndex(
            "capture",
            models.Index(
                fields=["tenant", "created_at"],
                condition=models.Q(state__in=("quarantined", "dead")),
                name="capture_held",
            ),
        ),
        # What it needs of the table was granted with the first of its kind.
        DefinerFunction("candor_queue_state()", SQL.read_text(), {}),
    ]
