"""See what is a person's own for that person only."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql" / "0038_visible_v3.sql"


class Migration(migrations.Migration):
    dependencies = [("memories", "0037_gate_index")]

    operations = [migrations.RunSQL(SQL.read_text(), "DROP FUNCTION candor_visible_v3")]
