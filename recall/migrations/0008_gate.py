"""What is in force as a digest, the triggers that shut the gate when it changes, and the way to open it again."""

from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction, definer_own_policy
from tenants.roles import DEFINER_ROLE

SQL = Path(__file__).parent / "sql"


def read(name: str) -> str:
    """Return the SQL of this file."""
    return (SQL / f"0008_{name}.sql").read_text()


def held(table: str) -> str:
    """Return the SQL that lets the definer's functions read a table within the tenant in force, if it is there."""
    return f"""
DO $do$ BEGIN
    IF to_regclass('public.{table}') IS NOT NULL THEN
        GRANT SELECT ON "{table}" TO {DEFINER_ROLE};
        IF NOT EXISTS (SELECT FROM pg_policies WHERE tablename = '{table}' AND policyname = 'candor_definer_own') THEN
            {definer_own_policy(table)};
        END IF;
    END IF;
END $do$"""


class Migration(migrations.Migration):
    dependencies = [
        ("recall", "0007_shadow"),
        ("memories", "0021_visible_v2"),
        ("security", "0005_gate"),
    ]

    operations = [
        migrations.RunSQL(
            held("vector_home"),
            "DROP POLICY candor_definer_own ON vector_home; REVOKE SELECT ON vector_home FROM candor_definer",
        ),
        # Stored policies and shadow runs come with migrations of their own; what they are let, goes with them.
        migrations.RunSQL([held("recall_policy"), held("shadow_run")], migrations.RunSQL.noop),
        DefinerFunction("candor_in_force(text)", read("in_force"), {}),
        DefinerFunction("candor_gate_follow()", read("gate_follow"), {}),
        # Once handed over, its owner alone could drop the triggers.
        migrations.RunSQL(migrations.RunSQL.noop, read("drop_triggers")),
        DefinerFunction("candor_validate_gate(uuid, text, timestamptz)", read("validate_gate"), {}),
        DefinerFunction("candor_open_gate(text, text, timestamptz)", read("open_gate"), {}),
    ]
