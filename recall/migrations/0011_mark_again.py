"""A mark says when its session was shown last what is of its class: for 8 hours it counts in others, too."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql"


def as_definer(name: str) -> list[str]:
    """Return what changes a function of the definer: its owner alone may, and needs a place to."""
    return [
        "GRANT CREATE ON SCHEMA public TO candor_definer",
        "SET ROLE candor_definer",
        (SQL / f"0011_{name}.sql").read_text(),
        "RESET ROLE",
        "REVOKE CREATE ON SCHEMA public FROM candor_definer",
    ]


class Migration(migrations.Migration):
    dependencies = [("recall", "0010_asked_for"), ("memories", "0024_mark_reads")]

    operations = [migrations.RunSQL(as_definer("mark_session"), as_definer("former"))]
