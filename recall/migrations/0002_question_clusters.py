"""What is learnt of a memory by kind of question, and the kind of each question asked (SPEC E-13)."""

import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import EDIT, CapByClearance, IsolateByTenant, TenantKey


class Migration(migrations.Migration):
    dependencies = [
        ("memories", "0008_graph_indexes"),
        ("recall", "0001_initial"),
        ("tenants", "0004_switched_off"),
    ]

    operations = [
        migrations.AddField(
            model_name="recallevent",
            name="cluster",
            field=models.BinaryField(
                blank=True, help_text="The sketch of its kind of question (SPEC E-13).", null=True
            ),
        ),
        migrations.AddIndex(
            model_name="recallevent",
            index=models.Index(
                condition=models.Q(("session", ""), _negated=True),
                fields=["tenant", "session"],
                name="recall_event_session",
            ),
        ),
        migrations.CreateModel(
            name="LearntOfMemory",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("clusters", models.BinaryField(default=b"")),
                ("classification", models.SmallIntegerField(default=1)),
                (
                    "memory",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="learnt",
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
                "verbose_name_plural": "learnt of memories",
                "db_table": "learnt_of_memory",
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("classification__range", (0, 3))), name="learnt_of_memory_class"
                    ),
                    models.UniqueConstraint(
                        fields=("tenant", "memory", "classification"), name="learnt_of_memory_once"
                    ),
                ],
            },
        ),
        TenantKey("LearntOfMemory"),
        IsolateByTenant("LearntOfMemory", verbs=EDIT),
        CapByClearance("LearntOfMemory"),
    ]
