"""The planner's statistics keep no words: what was forgotten would stay in them until the next ANALYZE."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql"


class Migration(migrations.Migration):
    """Turn statistics off for every column that may hold what was said, in the tables of every app."""

    dependencies = [
        ("evolution", "0005_erase_memories"),
        ("memories", "0026_claim_by_cost"),
        ("recall", "0011_mark_again"),
        ("security", "0008_found_key"),
        ("tenants", "0007_guard_on_again"),
        ("admin", "__first__"),
        ("sessions", "__first__"),
        ("guardian", "__latest__"),
    ]

    operations = [
        migrations.RunSQL(
            (SQL / "0006_hide_statistics.sql").read_text(),
            "DROP FUNCTION candor_hide_statistics(); DROP FUNCTION candor_spoken_columns()",
        ),
        migrations.RunSQL("SELECT candor_hide_statistics()", migrations.RunSQL.noop),
    ]
