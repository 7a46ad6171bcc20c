"""Tell whether a tenant has rows of end users' own by the index that has them alone, whatever is known of the column."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql"
FORMER = (SQL / "0040_has_persons.sql").read_text().replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")


def as_definer(text: str) -> list[str]:
    """Return what replaces a function that belongs to the definer: its owner alone may, and needs a place to."""
    return [
        "GRANT CREATE ON SCHEMA public TO candor_definer",
        "SET ROLE candor_definer",
        text,
        "RESET ROLE",
        "REVOKE CREATE ON SCHEMA public FROM candor_definer",
    ]


class Migration(migrations.Migration):
    dependencies = [("memories", "0043_edit")]

    operations = [
        migrations.RunSQL(as_definer((SQL / "0044_has_persons.sql").read_text()), as_definer(FORMER)),
    ]
