"""Keys for outside, and the gate that lets them in: the database holds its steps, and shuts it by itself."""

from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import READ, DefinerFunction, IsolateByTenant, LetDefinerHold, TenantKey

SQL = Path(__file__).parent / "sql"

STATES = ("closed", "modified", "validated", "open")


def read(name: str) -> str:
    """Return the SQL of this file."""
    return (SQL / f"0005_{name}.sql").read_text()


class Migration(migrations.Migration):
    dependencies = [("security", "0004_people"), ("tenants", "0005_rights")]

    operations = [
        migrations.AddField(
            model_name="apikey",
            name="external",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="For somebody outside: it works while the gate is open (SPEC S-06). "
                "Settled as it is made.",
            ),
        ),
        migrations.AddConstraint(
            model_name="apikey",
            constraint=models.CheckConstraint(
                condition=models.Q(("external", False), ("user__isnull", True), _connector="OR"),
                name="api_key_outside_is_nobodys",
            ),
        ),
        migrations.CreateModel(
            name="AccessGate",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("state", models.TextField(choices=[(state, state) for state in STATES])),
                ("cause", models.TextField(blank=True, help_text="What keeps it shut; empty: nothing.")),
                (
                    "reason",
                    models.TextField(blank=True, help_text="Why it was closed or opened by hand."),
                ),
                (
                    "fingerprint",
                    models.TextField(
                        blank=True, help_text="Of what was in force when it was last looked at."
                    ),
                ),
                (
                    "engine",
                    models.TextField(blank=True, help_text="Digest of the code that the fingerprint is of."),
                ),
                (
                    "generation",
                    models.IntegerField(help_text="Counts changes that leave no other trace."),
                ),
                (
                    "changed_by",
                    models.TextField(blank=True, help_text="Who made the last change; as on the trail."),
                ),
                ("changed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "changers",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(),
                        blank=True,
                        help_text="Who changed something since it was last open: not who opens it.",
                        size=None,
                    ),
                ),
                (
                    "closed_at",
                    models.DateTimeField(blank=True, help_text="When it was closed by hand.", null=True),
                ),
                (
                    "run_id",
                    models.UUIDField(blank=True, help_text="The shadow run that validated it.", null=True),
                ),
                ("validated_by", models.TextField(blank=True)),
                ("validated_at", models.DateTimeField(blank=True, null=True)),
                ("opened_by", models.TextField(blank=True)),
                ("opened_at", models.DateTimeField(blank=True, null=True)),
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
                "db_table": "access_gate",
                "verbose_name": "gate for outside",
                "verbose_name_plural": "gate for outside",
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant",), name="access_gate_one"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", list(STATES))), name="access_gate_state"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["closed", "modified"]),
                            models.Q(("run_id__isnull", False), ("validated_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="access_gate_open_is_validated",
                    ),
                ],
            },
        ),
        TenantKey("AccessGate"),
        IsolateByTenant("AccessGate", verbs=READ),
        LetDefinerHold("AccessGate"),
        migrations.RunSQL(
            read("gate_inner"),
            "DROP FUNCTION candor_gate_shut(uuid, text); "
            "DROP FUNCTION candor_gate_modify(access_gate, text, text, text); "
            "DROP FUNCTION candor_gate_row(uuid); "
            "DROP FUNCTION candor_gate_note(access_gate, text, text, timestamptz); "
            "DROP FUNCTION candor_gate_hands(uuid)",
        ),
        DefinerFunction(
            "candor_close_gate(text, timestamptz)",
            read("close_gate"),
            {"access_gate": "SELECT, INSERT, UPDATE"},
        ),
        DefinerFunction("candor_authenticate_v2(bytea, text)", read("authenticate_v2"), {}),
    ]
