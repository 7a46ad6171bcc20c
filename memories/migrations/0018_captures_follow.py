"""What a memory was made of follows its class, as does what stands beside it."""

from pathlib import Path

from django.db import migrations

from tenants.rls import LetDefinerHold

SQL = Path(__file__).parent / "sql"

GRANTS = {
    "capture": "SELECT, UPDATE (classification)",
    "document": "SELECT, UPDATE (classification)",
    "entity": "SELECT, DELETE, UPDATE (classification, salience)",
    "entity_alias": "SELECT, DELETE, UPDATE (classification, entity_id)",
    "mention": "DELETE, UPDATE (entity_id)",
    "triple": "DELETE, UPDATE (subject_id, object_id)",
}
"""What the definer needs besides what it has; the erasure of memories (evolution) grants itself some of it, too."""


class Migration(migrations.Migration):
    dependencies = [("memories", "0017_keyed_captures")]

    operations = [
        LetDefinerHold("Document"),
        migrations.RunSQL(
            [f"GRANT {verbs} ON {table} TO candor_definer" for table, verbs in GRANTS.items()],
            # Not taken back but for what is new here: others were granted the rest by themselves.
            [
                "REVOKE UPDATE (classification) ON capture FROM candor_definer",
                "REVOKE ALL ON document FROM candor_definer",
            ],
        ),
        migrations.RunSQL(
            (SQL / "0018_raise_beside.sql").read_text(),
            "DROP FUNCTION candor_raise_beside(uuid, uuid[]); DROP FUNCTION candor_raise_names(uuid, uuid[]); "
            "ALTER FUNCTION candor_raise_beside_v1(uuid, uuid[]) RENAME TO candor_raise_beside",
        ),
    ]
