"""Runs that try a candidate beside what is in force. Nothing reads them before."""

import django.core.serializers.json
import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import EDIT, CapByClearance, IsolateByTenant, TenantKey


class Migration(migrations.Migration):
    dependencies = [
        ("recall", "0006_recall_policy"),
        ("tenants", "0005_rights"),
    ]

    operations = [
        migrations.CreateModel(
            name="ShadowRun",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "candidate",
                    models.JSONField(
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                        help_text="What is tried: see docs/shadow.md.",
                    ),
                ),
                (
                    "baseline",
                    models.JSONField(
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                        help_text="What was in force when it began.",
                    ),
                ),
                ("candidate_label", models.TextField()),
                ("baseline_label", models.TextField()),
                (
                    "state",
                    models.TextField(
                        choices=[
                            ("queued", "queued"),
                            ("running", "running"),
                            ("done", "done"),
                            ("cancelled", "cancelled"),
                            ("dead", "dead"),
                        ],
                        default="queued",
                    ),
                ),
                (
                    "verdict",
                    models.TextField(
                        blank=True, choices=[("passed", "passed"), ("failed", "failed")], null=True
                    ),
                ),
                (
                    "reasons",
                    models.JSONField(
                        default=list,
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                        help_text="Why it failed.",
                    ),
                ),
                (
                    "sample",
                    models.JSONField(
                        default=dict,
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                        help_text="How the questions were chosen.",
                    ),
                ),
                ("limits", models.JSONField(default=dict, help_text="What the comparison has to reach.")),
                ("total", models.IntegerField(default=0, help_text="Questions.")),
                ("real", models.IntegerField(default=0, help_text="Of these, how many were really asked.")),
                ("done", models.IntegerField(default=0)),
                ("planted", models.IntegerField(default=0, help_text="Leaks that the run planted.")),
                ("planted_caught", models.IntegerField(default=0)),
                ("leaks", models.IntegerField(default=0, help_text="Of the candidate.")),
                (
                    "failures",
                    models.IntegerField(default=0, help_text="Questions that a side could not answer."),
                ),
                (
                    "summary",
                    models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder),
                ),
                (
                    "in_force",
                    models.TextField(
                        blank=True, help_text="Fingerprint of what was in force at its start.", null=True
                    ),
                ),
                ("created_by", models.TextField(default="")),
                ("created_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("lease_token", models.UUIDField(blank=True, null=True)),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
                (
                    "attempts",
                    models.SmallIntegerField(
                        default=0, help_text="Since the last question that was answered."
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
                "db_table": "shadow_run",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="ShadowQuestion",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("seq", models.IntegerField(help_text="From 1.")),
                (
                    "question",
                    models.JSONField(
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                        help_text="Redacted; without words if they are the event's.",
                    ),
                ),
                (
                    "viewer",
                    models.JSONField(
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                        help_text="As whom it is asked.",
                    ),
                ),
                (
                    "result",
                    models.JSONField(
                        blank=True, encoder=django.core.serializers.json.DjangoJSONEncoder, null=True
                    ),
                ),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                ("classification", models.SmallIntegerField(default=1)),
                (
                    "event",
                    tenants.models.TenantForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        help_text="None: it was given.",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="recall.recallevent",
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
                (
                    "run",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="questions",
                        to="recall.shadowrun",
                    ),
                ),
            ],
            options={
                "db_table": "shadow_question",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.AddIndex(
            model_name="shadowrun",
            index=models.Index(fields=["tenant", "created_at"], name="shadow_run_created"),
        ),
        migrations.AddConstraint(
            model_name="shadowrun",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("verdict", "passed"), _negated=True),
                    models.Q(
                        ("done", models.F("total")),
                        ("failures", 0),
                        ("leaks", 0),
                        ("planted__gt", 0),
                        ("planted_caught", models.F("planted")),
                        ("real__gte", 200),
                        ("state", "done"),
                    ),
                    _connector="OR",
                ),
                name="shadow_run_passed",
            ),
        ),
        migrations.AddIndex(
            model_name="shadowquestion",
            index=models.Index(
                condition=models.Q(("done_at", None)),
                fields=["tenant", "run", "seq"],
                name="shadow_question_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="shadowquestion",
            constraint=models.CheckConstraint(
                condition=models.Q(("classification__range", (0, 3))), name="shadow_question_class"
            ),
        ),
        migrations.AddConstraint(
            model_name="shadowquestion",
            constraint=models.UniqueConstraint(fields=("tenant", "run", "seq"), name="shadow_question_seq"),
        ),
        TenantKey("ShadowRun"),
        TenantKey("ShadowQuestion"),
        IsolateByTenant("ShadowRun", verbs=EDIT),
        IsolateByTenant("ShadowQuestion", verbs=EDIT),
        CapByClearance("ShadowQuestion"),
    ]
