import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import EDIT, IsolateByTenant, TenantKey


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("memories", "0001_initial"),
        ("recall", "0001_initial"),
        ("tenants", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Feedback",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "outcome",
                    models.TextField(
                        choices=[("helpful", "helpful"), ("unhelpful", "unhelpful"), ("used", "used")]
                    ),
                ),
                ("actor_kind", models.TextField()),
                ("actor_id", models.TextField()),
                ("weight", models.FloatField(help_text="How far the word counts, in [0, 1].")),
                ("q_before", models.FloatField()),
                ("q_after", models.FloatField()),
                ("at", models.DateTimeField()),
                ("stands", models.BooleanField(default=True)),
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
                    "recall",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="recall.recallevent",
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
                "verbose_name_plural": "feedback",
                "db_table": "feedback",
                "abstract": False,
                "base_manager_name": "objects",
                "indexes": [models.Index(fields=["tenant", "memory"], name="feedback_memory")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("stands", True)),
                        fields=("tenant", "recall", "memory"),
                        name="feedback_one_stands",
                    )
                ],
            },
        ),
        TenantKey("Feedback"),
        IsolateByTenant("Feedback", verbs=EDIT),
    ]
