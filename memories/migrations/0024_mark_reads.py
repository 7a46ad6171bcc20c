"""Every read leaves a mark, and another name for a session is no way round it (SPEC S-01)."""

from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction

SQL = Path(__file__).parent / "sql"


def read(name: str) -> str:
    """Return the SQL of this file."""
    return (SQL / f"0024_{name}.sql").read_text()


def as_definer(*texts: str) -> list[str]:
    """Return what changes functions that belong to the definer: their owner alone may, and needs a place to."""
    return [
        "GRANT CREATE ON SCHEMA public TO candor_definer",
        "SET ROLE candor_definer",
        *texts,
        "RESET ROLE",
        "REVOKE CREATE ON SCHEMA public FROM candor_definer",
    ]


class Migration(migrations.Migration):
    dependencies = [("memories", "0023_voices")]

    operations = [
        migrations.RunSQL(
            read("mark_v2"),
            "DROP FUNCTION candor_mark_v2(uuid, uuid, text, uuid); "
            "DROP FUNCTION candor_keeps_sessions_apart(uuid, uuid)",
        ),
        migrations.RunSQL(as_definer(read("keep_up"), read("written_class")), as_definer(read("former"))),
        # The marks of recalls need the same, so it is not taken back.
        migrations.RunSQL("GRANT INSERT, UPDATE ON session_mark TO candor_definer", migrations.RunSQL.noop),
        DefinerFunction("candor_mark_read(uuid, uuid, text, smallint)", read("mark_read"), {}),
    ]
