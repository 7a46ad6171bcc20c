"""How high a session has read is kept with what was shown in it."""

from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction

SQL = Path(__file__).parent / "sql"


def read(name: str) -> str:
    """Return the SQL of this file."""
    return (SQL / f"0005_{name}.sql").read_text()


class Migration(migrations.Migration):
    dependencies = [("recall", "0004_recalled_follow"), ("memories", "0020_session_mark")]

    operations = [
        DefinerFunction(
            "candor_mark_session()",
            read("mark_session"),
            {"recall_event": "SELECT", "session_mark": "SELECT, INSERT, UPDATE"},
        ),
        DefinerFunction("candor_mark_raised()", read("mark_raised"), {}),
        # Once handed over, its owner alone could drop the triggers.
        migrations.RunSQL(
            migrations.RunSQL.noop,
            "DROP TRIGGER memory_mark_raised ON memory; DROP TRIGGER recalled_memory_mark ON recalled_memory",
        ),
    ]
