"""A key may be narrowed and ended, and nothing else, whoever writes to its row."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql" / "0007_hold_key.sql"

CHANGING = "scopes, ceiling, expires_at, revoked_at, relays_users, measures, max_importance, projects"
"""The columns of a key that may change, each to less; whose it is and what tells it from others may not."""


class Migration(migrations.Migration):
    dependencies = [("security", "0006_key_grants")]

    operations = [
        migrations.RunSQL(
            SQL.read_text(), "DROP TRIGGER api_key_hold ON api_key; DROP FUNCTION candor_hold_key"
        ),
        migrations.RunSQL(
            [
                "REVOKE UPDATE ON api_key FROM candor_app",
                f"GRANT UPDATE ({CHANGING}) ON api_key TO candor_app",
            ],
            [
                f"REVOKE UPDATE ({CHANGING}) ON api_key FROM candor_app",
                "GRANT UPDATE ON api_key TO candor_app",
            ],
        ),
    ]
