"""What was shown of a memory follows its class."""

from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction

SQL = Path(__file__).parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("recall", "0003_definer_erases"), ("memories", "0018_captures_follow")]

    operations = [
        DefinerFunction(
            "candor_raise_recalled()",
            (SQL / "0004_raise_recalled.sql").read_text(),
            {"recalled_memory": "SELECT, UPDATE (classification)"},
        ),
        # Once handed over, its owner alone could drop the trigger.
        migrations.RunSQL(migrations.RunSQL.noop, "DROP TRIGGER memory_raise_recalled ON memory"),
    ]
