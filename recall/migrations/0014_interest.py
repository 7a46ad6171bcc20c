"""What agents ask about, walled off by tenant and class (SPEC E-11)."""

import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import EVERY, CapByClearance, IsolateByTenant, TenantKey


class Migration(migrations.Migration):
    dependencies = [
        ("recall", "0013_took_ms"),
        ("tenants", "0009_retention"),
    ]

    operations = [
        migrations.CreateModel(
            name="Interest",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "term",
                    models.TextField(
                        help_text="A word as it was asked; empty: any, the number of all occasions."
                    ),
                ),
                ("days_7", models.IntegerField()),
                ("days_30", models.IntegerField()),
                ("days_90", models.IntegerField()),
                ("counted_at", models.DateTimeField()),
                ("classification", models.SmallIntegerField(default=1)),
                (
                    "agent",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="tenants.agent",
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
                        db_index=False,
                        editable=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="tenants.tenant",
                    ),
                ),
            ],
            options={
                "db_table": "interest",
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("classification__range", (0, 3))), name="interest_class"
                    ),
                    models.UniqueConstraint(
                        fields=("tenant", "agent", "project", "classification", "term"),
                        name="interest_once",
                        nulls_distinct=False,
                    ),
                ],
            },
        ),
        TenantKey("Interest"),
        IsolateByTenant("Interest", verbs=EVERY),
        CapByClearance("Interest"),
    ]
