"""What the service's login may change of a tenant, its agents and its people: little, and never who they are."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql" / "0006_hold.sql"

CHANGING = "recall_policy, time_zone, switched_off"
"""The columns of a tenant that may change; its slug, name and lock number may not."""


class Migration(migrations.Migration):
    dependencies = [("tenants", "0005_rights")]

    operations = [
        migrations.RunSQL(
            SQL.read_text(),
            "DROP TRIGGER membership_hold ON membership; DROP FUNCTION candor_hold_membership; "
            "DROP TRIGGER agent_hold ON agent; DROP FUNCTION candor_hold_agent",
        ),
        migrations.RunSQL(
            ["REVOKE UPDATE ON tenant FROM candor_app", f"GRANT UPDATE ({CHANGING}) ON tenant TO candor_app"],
            [
                f"REVOKE UPDATE ({CHANGING}) ON tenant FROM candor_app",
                "GRANT UPDATE ON tenant TO candor_app",
            ],
        ),
    ]
