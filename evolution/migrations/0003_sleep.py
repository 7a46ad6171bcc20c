"""What a night did, and where the next one goes on. Nothing reads it before."""

import django.core.serializers.json
import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import EDIT, IsolateByTenant, TenantKey


class Migration(migrations.Migration):
    dependencies = [("evolution", "0002_learning"), ("tenants", "0004_switched_off")]

    operations = [
        migrations.CreateModel(
            name="SleepRun",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "state",
                    models.TextField(
                        choices=[
                            ("waiting", "waiting"),
                            ("running", "running"),
                            ("done", "done"),
                            ("failed", "failed"),
                            ("interrupted", "interrupted"),
                        ]
                    ),
                ),
                ("trigger", models.TextField(choices=[("beat", "beat"), ("hand", "hand")])),
                ("asked_by", models.TextField(default="", help_text="Who asked for it by hand.")),
                (
                    "steps",
                    models.JSONField(
                        blank=True, default=list, help_text="Asked for by name; none: all that are due."
                    ),
                ),
                (
                    "dream",
                    models.BooleanField(
                        blank=True, help_text="Asked for or forbidden; none: by the gate.", null=True
                    ),
                ),
                ("wanted", models.JSONField(blank=True, default=list, help_text="Memories to be seen to.")),
                ("dreamt", models.BooleanField(default=False)),
                (
                    "gate",
                    models.JSONField(
                        default=dict,
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                        help_text="What the gate saw.",
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
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
                "db_table": "sleep_run",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="SleepState",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("cycle", models.TextField(default="night", help_text="Of which kind; there is one.")),
                ("lease_token", models.UUIDField(blank=True, null=True)),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
                ("dreamt_at", models.DateTimeField(blank=True, null=True)),
                ("places", models.JSONField(default=dict, help_text="Step → where it goes on.")),
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
                "db_table": "sleep_state",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="SleepStep",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("place", models.SmallIntegerField(help_text="In the order of the cycle, from 1.")),
                ("name", models.TextField()),
                ("cost", models.TextField(choices=[("cheap", "cheap"), ("dream", "dream")])),
                (
                    "state",
                    models.TextField(
                        choices=[
                            ("running", "running"),
                            ("done", "done"),
                            ("unfinished", "unfinished"),
                            ("failed", "failed"),
                            ("interrupted", "interrupted"),
                        ],
                        help_text="unfinished: its time was used up, the next cycle goes on there.",
                    ),
                ),
                ("counts", models.JSONField(default=dict)),
                ("tokens_in", models.IntegerField(default=0)),
                ("tokens_out", models.IntegerField(default=0)),
                ("error", models.TextField(default="")),
                ("started_at", models.DateTimeField()),
                ("milliseconds", models.IntegerField(default=0)),
                (
                    "run",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="records",
                        to="evolution.sleeprun",
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
                "db_table": "sleep_step",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.AddIndex(
            model_name="sleeprun",
            index=models.Index(fields=["tenant", "created_at"], name="sleep_run_created"),
        ),
        migrations.AddConstraint(
            model_name="sleepstate",
            constraint=models.UniqueConstraint(fields=("tenant", "cycle"), name="sleep_state_cycle"),
        ),
        migrations.AddConstraint(
            model_name="sleepstep",
            constraint=models.UniqueConstraint(fields=("tenant", "run", "place"), name="sleep_step_place"),
        ),
        TenantKey("SleepRun"),
        TenantKey("SleepState"),
        TenantKey("SleepStep"),
        IsolateByTenant("SleepRun", verbs=EDIT),
        IsolateByTenant("SleepState", verbs=EDIT),
        IsolateByTenant("SleepStep", verbs=EDIT),
    ]
