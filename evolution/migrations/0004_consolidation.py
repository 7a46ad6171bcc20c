"""How patterns came to be, and which a person took apart. Nothing reads it before."""

import django.core.serializers.json
import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import EDIT, IsolateByTenant, TenantKey


class Migration(migrations.Migration):
    dependencies = [
        ("evolution", "0003_sleep"),
        ("memories", "0009_watermarks"),
        ("tenants", "0004_switched_off"),
    ]

    operations = [
        migrations.CreateModel(
            name="Consolidation",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "made_by",
                    models.TextField(help_text="Who worded it: «rules», or the name of a language model."),
                ),
                (
                    "cites",
                    models.JSONField(
                        default=list,
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                        help_text="Of each sentence, the memories it rests on.",
                    ),
                ),
                ("tokens_in", models.IntegerField(default=0)),
                ("tokens_out", models.IntegerField(default=0)),
                ("made_at", models.DateTimeField()),
                (
                    "grown_at",
                    models.DateTimeField(
                        blank=True, help_text="When further findings joined last.", null=True
                    ),
                ),
                (
                    "undone_at",
                    models.DateTimeField(blank=True, help_text="When a person took it apart.", null=True),
                ),
                ("undone_by", models.TextField(blank=True, default="")),
                (
                    "pattern",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="consolidations",
                        to="memories.memory",
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
                "db_table": "consolidation",
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "pattern"), name="consolidation_once")
                ],
            },
        ),
        TenantKey("Consolidation"),
        IsolateByTenant("Consolidation", verbs=EDIT),
    ]
