import django.core.serializers.json
import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import APPEND, CapByClearance, IsolateByTenant, TenantKey


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("memories", "0001_initial"),
        ("security", "0001_initial"),
        ("tenants", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="RecallEvent",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("at", models.DateTimeField()),
                ("session", models.TextField(default="")),
                ("query", models.TextField(help_text="Redacted.")),
                ("asked_at", models.DateTimeField(help_text="The asker's clock.")),
                ("k", models.SmallIntegerField()),
                ("policy", models.TextField()),
                (
                    "channels",
                    models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder),
                ),
                (
                    "degraded",
                    models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder),
                ),
                (
                    "draws",
                    models.JSONField(
                        default=dict,
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                        help_text="Seed, draws, propensity.",
                    ),
                ),
                ("classification", models.SmallIntegerField(default=1)),
                (
                    "agent",
                    tenants.models.TenantForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="tenants.agent",
                    ),
                ),
                (
                    "api_key",
                    tenants.models.TenantForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="security.apikey",
                    ),
                ),
                (
                    "project",
                    tenants.models.TenantForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="tenants.project",
                    ),
                ),
                (
                    "tenant",
                    tenants.models.TenantField(
                        on_delete=django.db.models.deletion.DO_NOTHING, to="tenants.tenant"
                    ),
                ),
            ],
            options={
                "db_table": "recall_event",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="RecalledMemory",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("place", models.SmallIntegerField(help_text="From 1.")),
                ("score", models.FloatField()),
                (
                    "factors",
                    models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder),
                ),
                ("classification", models.SmallIntegerField(default=1)),
                (
                    "memory",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="shown_in",
                        to="memories.memory",
                    ),
                ),
                (
                    "tenant",
                    tenants.models.TenantField(
                        on_delete=django.db.models.deletion.DO_NOTHING, to="tenants.tenant"
                    ),
                ),
                (
                    "recall",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="shown",
                        to="recall.recallevent",
                    ),
                ),
            ],
            options={
                "db_table": "recalled_memory",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.AddIndex(
            model_name="recallevent",
            index=models.Index(fields=["tenant", "at"], name="recall_event_at"),
        ),
        migrations.AddConstraint(
            model_name="recallevent",
            constraint=models.CheckConstraint(
                condition=models.Q(("classification__range", (0, 3))), name="recall_event_class"
            ),
        ),
        migrations.AddIndex(
            model_name="recalledmemory",
            index=models.Index(fields=["tenant", "memory"], name="recalled_memory_memory"),
        ),
        migrations.AddConstraint(
            model_name="recalledmemory",
            constraint=models.CheckConstraint(
                condition=models.Q(("classification__range", (0, 3))), name="recalled_memory_class"
            ),
        ),
        migrations.AddConstraint(
            model_name="recalledmemory",
            constraint=models.UniqueConstraint(
                fields=("tenant", "recall", "memory"), name="recalled_memory_once"
            ),
        ),
        TenantKey("RecallEvent"),
        TenantKey("RecalledMemory"),
        IsolateByTenant("RecallEvent", verbs=APPEND),
        CapByClearance("RecallEvent"),
        IsolateByTenant("RecalledMemory", verbs=APPEND),
        CapByClearance("RecalledMemory"),
    ]
