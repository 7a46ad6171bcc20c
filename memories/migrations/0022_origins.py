"""The origin that a capture's key was granted, and whose word it is; what is made of it claims no more."""

from pathlib import Path

from django.db import migrations, models

SQL = Path(__file__).parent / "sql"

ORIGINS = (
    "user_correction", "user_stated", "measured", "user_relayed", "agent_chat", "connector", "extracted",
    "agent_inferred",
)  # fmt: skip


def read(name: str) -> str:
    """Return the SQL of this file."""
    return (SQL / f"0022_{name}.sql").read_text()


class Migration(migrations.Migration):
    dependencies = [("memories", "0021_visible_v2"), ("security", "0006_key_grants")]

    operations = [
        migrations.AddField(
            model_name="capture",
            name="origin",
            field=models.TextField(
                db_default="",
                default="",
                help_text="The best origin that its words may have, as its key was granted; empty: from before.",
            ),
        ),
        migrations.AddField(
            model_name="capture",
            name="voice",
            field=models.TextField(
                db_default="",
                default="",
                help_text="Whose word it is: see `memories.candidates`; empty: from before.",
            ),
        ),
        migrations.AddField(
            model_name="capture",
            name="corrects",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="Whether it may correct what another person said.",
            ),
        ),
        migrations.AddField(
            model_name="memory",
            name="voice",
            field=models.TextField(
                db_default="",
                default="",
                help_text="Whose word it is: see `memories.candidates`; empty: derived, or old.",
            ),
        ),
        migrations.AlterField(
            model_name="memory",
            name="provenance",
            field=models.TextField(choices=[(origin, origin) for origin in ORIGINS]),
        ),
        migrations.AlterField(
            model_name="triple",
            name="provenance",
            field=models.TextField(choices=[(origin, origin) for origin in ORIGINS]),
        ),
        # Going back keeps the weight: rows of that origin would no longer hold to their constraint.
        migrations.RunSQL(read("weight_relayed"), migrations.RunSQL.noop),
        migrations.RunSQL(
            read("cap_origin"),
            "DROP TRIGGER memory_hold_origin ON memory; DROP FUNCTION candor_hold_origin; "
            "DROP TRIGGER capture_keep_origin ON capture; DROP FUNCTION candor_keep_origin; "
            "DROP TRIGGER capture_cap_origin ON capture; DROP FUNCTION candor_cap_origin",
        ),
    ]
