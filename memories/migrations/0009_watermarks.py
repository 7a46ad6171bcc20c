"""What facts are checked against, what was seen of it, what waits to be looked at, and who said the same."""

from pathlib import Path

import django.db.models.deletion
from django.core.serializers.json import DjangoJSONEncoder
from django.db import migrations, models

import tenants.models
from tenants.rls import (
    APPEND,
    EDIT,
    CapByClearance,
    DefinerFunction,
    IsolateByTenant,
    LetDefinerHold,
    TenantKey,
)

SQL = Path(__file__).parent / "sql"

CLASSED = "SELECT, UPDATE (classification)"


def read(name: str) -> str:
    """Return the SQL of this file."""
    return (SQL / f"0009_{name}.sql").read_text()


class Migration(migrations.Migration):
    dependencies = [
        ("memories", "0008_graph_indexes"),
        ("tenants", "0004_switched_off"),
    ]

    operations = [
        migrations.AddField(
            model_name="capture",
            name="fingerprints",
            field=models.JSONField(
                default=list,
                encoder=DjangoJSONEncoder,
                help_text="Of what it may speak of: [kind, name, scope, digest].",
            ),
        ),
        migrations.AddField(
            model_name="memory",
            name="corroborated",
            field=models.SmallIntegerField(
                db_default=0, default=0, help_text="Other origins that said the same."
            ),
        ),
        migrations.CreateModel(
            name="Corroboration",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("provenance", models.TextField()),
                ("session", models.TextField()),
                ("trust", models.FloatField(help_text="Of what was said, in [0, 1].")),
                ("at", models.DateTimeField()),
                ("classification", models.SmallIntegerField(default=1)),
                (
                    "capture",
                    tenants.models.TenantForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="memories.capture",
                    ),
                ),
                (
                    "memory",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="memories.memory",
                    ),
                ),
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
                "db_table": "corroboration",
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("classification__range", (0, 3))), name="corroboration_class"
                    ),
                    models.UniqueConstraint(
                        fields=("tenant", "memory", "provenance"), name="corroboration_origin"
                    ),
                    models.UniqueConstraint(
                        fields=("tenant", "memory", "session"), name="corroboration_session"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Observation",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.TextField(choices=[("file", "file"), ("git", "git"), ("flag", "flag")])),
                ("moved", models.BooleanField()),
                (
                    "changed",
                    models.BooleanField(
                        help_text="Whether the fact had changed; none: not known yet.", null=True
                    ),
                ),
                ("times", models.IntegerField(default=1)),
                ("session", models.TextField(blank=True, default="")),
                ("first_at", models.DateTimeField()),
                ("last_at", models.DateTimeField()),
                ("settled_at", models.DateTimeField(blank=True, null=True)),
                ("classification", models.SmallIntegerField(default=1)),
                (
                    "memory",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="memories.memory",
                    ),
                ),
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
                "db_table": "observation",
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("classification__range", (0, 3))), name="observation_class"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("settled_at", None)),
                        fields=("tenant", "memory", "moved"),
                        name="observation_one_open",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Verification",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "reason",
                    models.TextField(
                        choices=[("moved", "moved"), ("aged", "aged"), ("evidence", "evidence")]
                    ),
                ),
                ("what", models.TextField(help_text="What moved or changed, in words.")),
                ("session", models.TextField(blank=True, default="")),
                ("opened_at", models.DateTimeField()),
                (
                    "verdict",
                    models.TextField(
                        blank=True,
                        choices=[
                            ("confirm", "confirm"),
                            ("correct", "correct"),
                            ("dismiss", "dismiss"),
                            ("verified", "verified"),
                            ("superseded", "superseded"),
                        ],
                        null=True,
                    ),
                ),
                ("resolved_at", models.DateTimeField(blank=True, null=True)),
                ("resolved_by", models.TextField(blank=True, default="")),
                ("classification", models.SmallIntegerField(default=1)),
                (
                    "evidence",
                    tenants.models.TenantForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        help_text="On which the decision rests.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="doubts",
                        to="memories.memory",
                    ),
                ),
                (
                    "memory",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="memories.memory",
                    ),
                ),
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
                "db_table": "verification",
                "abstract": False,
                "base_manager_name": "objects",
                "indexes": [
                    models.Index(
                        condition=models.Q(("resolved_at", None)),
                        fields=["tenant", "opened_at"],
                        name="verification_open",
                    ),
                    models.Index(fields=["tenant", "memory"], name="verification_memory"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("classification__range", (0, 3))), name="verification_class"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("resolved_at__isnull", True), ("verdict__isnull", True)),
                            models.Q(("resolved_at__isnull", False), ("verdict__isnull", False)),
                            _connector="OR",
                        ),
                        name="verification_is_open_or_resolved",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("resolved_at", None)),
                        fields=("tenant", "memory", "reason", "evidence"),
                        name="verification_one_open",
                        nulls_distinct=False,
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Watermark",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.TextField(choices=[("file", "file"), ("git", "git"), ("flag", "flag")])),
                ("name", models.TextField(help_text="Path, ref, or the flag's name.")),
                (
                    "scope",
                    models.TextField(blank=True, default="", help_text="Of git: the part of the repository."),
                ),
                (
                    "value",
                    models.TextField(
                        help_text="Digest of the fingerprint with which the fact is known to hold."
                    ),
                ),
                ("seen", models.TextField(help_text="Digest of the fingerprint that was reported last.")),
                (
                    "factor",
                    models.FloatField(default=1.0, help_text="What is left of the fact's trust, in (0, 1]."),
                ),
                ("bound_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
                ("moved_at", models.DateTimeField(blank=True, null=True)),
                ("classification", models.SmallIntegerField(default=1)),
                (
                    "memory",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="memories.memory",
                    ),
                ),
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
                "db_table": "watermark",
                "abstract": False,
                "base_manager_name": "objects",
                "indexes": [
                    models.Index(fields=["tenant", "kind", "name", "scope"], name="watermark_handle")
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("classification__range", (0, 3))), name="watermark_class"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("factor__gt", 0.0), ("factor__lte", 1.0)), name="watermark_factor"
                    ),
                    models.UniqueConstraint(fields=("tenant", "memory"), name="watermark_once"),
                ],
            },
        ),
        migrations.RunSQL(
            "ALTER TABLE capture ALTER fingerprints SET DEFAULT '[]'",
            "ALTER TABLE capture ALTER fingerprints DROP DEFAULT",
        ),
        TenantKey("Watermark"),
        IsolateByTenant("Watermark", verbs=EDIT),
        CapByClearance("Watermark"),
        TenantKey("Observation"),
        IsolateByTenant("Observation", verbs=EDIT),
        CapByClearance("Observation"),
        TenantKey("Corroboration"),
        IsolateByTenant("Corroboration", verbs=APPEND),
        CapByClearance("Corroboration"),
        TenantKey("Verification"),
        IsolateByTenant("Verification", verbs=EDIT),
        CapByClearance("Verification"),
        LetDefinerHold("Watermark"),
        LetDefinerHold("Observation"),
        LetDefinerHold("Corroboration"),
        LetDefinerHold("Verification"),
        migrations.RunSQL(
            read("trust_within_origin"),
            "DROP TRIGGER memory_begins_alone ON memory; DROP FUNCTION candor_begin_alone; "
            "ALTER TABLE memory DROP CONSTRAINT memory_trust_within_origin; "
            "ALTER TABLE memory ADD CONSTRAINT memory_trust_within_origin "
            "CHECK (trust <= candor_weight(provenance)) NOT VALID",
        ),
        DefinerFunction(
            "candor_settle_trust(uuid[])",
            read("settle_trust"),
            {"corroboration": "SELECT", "memory": "UPDATE (corroborated)", "watermark": "SELECT"},
        ),
        DefinerFunction(
            "candor_raise_doubts()",
            read("raise_doubts"),
            {"observation": CLASSED, "corroboration": CLASSED, "verification": CLASSED, "watermark": CLASSED},
        ),
        # Once handed over, its owner alone could drop the trigger.
        migrations.RunSQL(migrations.RunSQL.noop, "DROP TRIGGER memory_raise_doubts ON memory"),
    ]
