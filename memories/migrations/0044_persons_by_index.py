"""Tell whether a tenant has rows of end users' own by the index that has them alone, whatever is known of the column."""

from pathlib import Path

from django.db import migrations

from tenants.rls import as_definer

SQL = Path(__file__).parent / "sql"
FORMER = (SQL / "0040_has_persons.sql").read_text().replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")


class Migration(migrations.Migration):
    dependencies = [("memories", "0043_edit")]

    operations = [
        migrations.RunSQL(as_definer((SQL / "0044_has_persons.sql").read_text()), as_definer(FORMER)),
    ]
