"""A hash chain for each tenant's trail, which a definer's function writes and nobody else."""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import READ, DefinerFunction, IsolateByTenant, LetDefinerHold, TenantKey

SQL = Path(__file__).parent / "sql"


def read(name: str) -> str:
    """Return the SQL of this file."""
    return (SQL / f"0003_{name}.sql").read_text()


class Migration(migrations.Migration):
    dependencies = [("security", "0002_authenticate"), ("tenants", "0004_switched_off")]

    operations = [
        migrations.AddField(
            model_name="auditevent",
            name="salt",
            field=models.UUIDField(
                db_default=models.Func(function="gen_random_uuid", output_field=models.UUIDField()),
                editable=False,
                help_text="Keeps what the hashes cover from being guessed; goes when the payload is erased.",
            ),
        ),
        migrations.CreateModel(
            name="AuditLink",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("seq", models.BigIntegerField(help_text="From 1, without a gap.")),
                (
                    "prev_hash",
                    models.BinaryField(help_text="Hash of the link before; 32 zero bytes of the first."),
                ),
                ("payload_hash", models.BinaryField(help_text="SHA-256 of reason and detail, salted.")),
                (
                    "event_hash",
                    models.BinaryField(help_text="SHA-256 of the other columns and of payload_hash."),
                ),
                ("hash", models.BinaryField(help_text="SHA-256 of tenant, seq, prev_hash and event_hash.")),
                (
                    "tenant",
                    tenants.models.TenantField(
                        db_index=False,
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="tenants.tenant",
                    ),
                ),
            ],
            options={
                "db_table": "audit_link",
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "seq"), name="audit_link_seq"),
                    models.UniqueConstraint(fields=("tenant", "prev_hash"), name="audit_link_prev"),
                ],
            },
        ),
        TenantKey("AuditLink"),
        IsolateByTenant("AuditLink", verbs=READ),
        LetDefinerHold("AuditEvent"),
        LetDefinerHold("AuditLink"),
        migrations.RunSQL(
            read("link_audit"),
            "DROP FUNCTION candor_link_audit(audit_event); DROP FUNCTION candor_joined(text[])",
        ),
        migrations.RunSQL(read("fill_chain"), migrations.RunSQL.noop),
        DefinerFunction(
            "candor_chain_audit()",
            read("chain_audit"),
            {"audit_event": "SELECT, INSERT", "audit_link": "SELECT, INSERT", "tenant": "SELECT"},
        ),
        # Once handed over, its owner alone could drop the trigger.
        migrations.RunSQL(migrations.RunSQL.noop, "DROP TRIGGER audit_event_chain ON audit_event"),
        DefinerFunction("candor_append_audit(jsonb)", read("append_audit"), {}),
        migrations.RunSQL(
            "REVOKE INSERT ON audit_event FROM candor_app", "GRANT INSERT ON audit_event TO candor_app"
        ),
    ]
