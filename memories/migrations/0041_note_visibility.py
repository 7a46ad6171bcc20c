"""Note when what may be seen has moved, so that recall may keep what a viewer may not see."""

from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction

SQL = Path(__file__).parent / "sql" / "0041_note_visibility.sql"


class Migration(migrations.Migration):
    dependencies = [("memories", "0040_has_persons")]

    operations = [
        migrations.RunSQL(migrations.RunSQL.noop, "ALTER TABLE collection_stat DROP COLUMN moved"),
        DefinerFunction("candor_note_visibility()", SQL.read_text(), {}),
        # Once the function is handed over, its owner alone could make a trigger of it; they go before it.
        migrations.RunSQL(
            migrations.RunSQL.noop,
            "DROP TRIGGER memory_is_seen_otherwise ON memory; DROP TRIGGER memory_comes_or_goes ON memory",
        ),
    ]
