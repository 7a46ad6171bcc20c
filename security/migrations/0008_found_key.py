"""The projects on a key's list are its tenant's own."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql" / "0008_found_key.sql"


class Migration(migrations.Migration):
    dependencies = [("security", "0007_hold_key")]

    operations = [
        migrations.RunSQL(
            SQL.read_text(), "DROP TRIGGER api_key_found ON api_key; DROP FUNCTION candor_found_key"
        )
    ]
