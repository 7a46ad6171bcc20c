"""A tenant's own recall policies, as versions that are proven before they are in force (SPEC S-06)."""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import READ, DefinerFunction, IsolateByTenant, LetDefinerHold, TenantKey

SQL = Path(__file__).parent / "sql"

STATES = ("draft", "shadowing", "validated", "active", "retired")


def read(name: str) -> str:
    """Return the SQL of this file."""
    return (SQL / f"0006_{name}.sql").read_text()


class Migration(migrations.Migration):
    dependencies = [("recall", "0005_session_marks"), ("tenants", "0005_rights")]

    operations = [
        migrations.CreateModel(
            name="StoredPolicy",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.TextField()),
                ("version", models.IntegerField(help_text="From 1, by name.")),
                ("body", models.JSONField(help_text="Complete; see `recall.policies.body`.")),
                ("body_hash", models.TextField(help_text="SHA-256 of the body, in hexadecimal.")),
                ("state", models.TextField(choices=[(state, state) for state in STATES])),
                ("based_on", models.TextField(help_text="Label of the policy it was made from.")),
                ("note", models.TextField(blank=True, default="")),
                ("created_by", models.TextField(help_text="Kind and id, as on the trail.")),
                ("created_at", models.DateTimeField()),
                (
                    "validated_by_run",
                    models.UUIDField(blank=True, help_text="The shadow run that proved it.", null=True),
                ),
                ("activated_at", models.DateTimeField(blank=True, null=True)),
                ("activated_by", models.TextField(blank=True, default="")),
                (
                    "replaced",
                    models.UUIDField(
                        blank=True,
                        help_text="The version that was in force before; none: the built-in one.",
                        null=True,
                    ),
                ),
                ("retired_at", models.DateTimeField(blank=True, null=True)),
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
                "verbose_name_plural": "stored policies",
                "db_table": "recall_policy",
                "abstract": False,
                "base_manager_name": "objects",
                "indexes": [models.Index(fields=["tenant", "created_at"], name="recall_policy_created")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", STATES)), name="recall_policy_has_a_state"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("version__gte", 1)), name="recall_policy_counts_from_one"
                    ),
                    models.UniqueConstraint(
                        fields=("tenant", "name", "version"), name="recall_policy_version"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "active")),
                        fields=("tenant",),
                        name="recall_policy_one_active",
                    ),
                ],
            },
        ),
        TenantKey("StoredPolicy"),
        IsolateByTenant("StoredPolicy", verbs=READ),
        LetDefinerHold("StoredPolicy"),
        migrations.RunSQL(
            read("hold_policy"),
            "DROP TRIGGER recall_policy_hold ON recall_policy; DROP FUNCTION candor_hold_policy; "
            "DROP FUNCTION candor_person_acts",
        ),
        DefinerFunction(
            "candor_draft_policy(uuid, text, jsonb, text, text, text, timestamptz)",
            read("draft_policy"),
            {"recall_policy": "SELECT, INSERT, UPDATE"},
        ),
        DefinerFunction("candor_shadow_policy(uuid, boolean)", read("shadow_policy"), {}),
        DefinerFunction("candor_policy_validated(uuid, uuid)", read("policy_validated"), {}),
        DefinerFunction("candor_activate_policy(uuid, boolean, timestamptz)", read("activate_policy"), {}),
        DefinerFunction("candor_retire_policy(uuid, timestamptz)", read("retire_policy"), {}),
    ]
