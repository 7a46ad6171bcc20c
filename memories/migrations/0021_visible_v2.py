"""See what belongs to no project only where one may."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql" / "0021_visible_v2.sql"


class Migration(migrations.Migration):
    dependencies = [("memories", "0020_session_mark")]

    operations = [migrations.RunSQL(SQL.read_text(), "DROP FUNCTION candor_visible_v2")]
