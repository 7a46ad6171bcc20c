"""What a person had forgotten, so that it stays so; and what the definer's function has to erase beside it."""

import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import APPEND, CapByClearance, IsolateByTenant, LetDefinerHold, TenantKey


class Migration(migrations.Migration):
    dependencies = [("memories", "0013_archived_leave_search"), ("tenants", "0004_switched_off")]

    operations = [
        migrations.CreateModel(
            name="Erasure",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("act", models.UUIDField(help_text="One for all that went together.")),
                ("memory_id", models.UUIDField(help_text="The row's id; it refers to nothing any more.")),
                (
                    "digest",
                    models.BinaryField(
                        help_text="HMAC-SHA-256 of the normalised text; none: the text may be made anew of others.",
                        null=True,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("classification", models.SmallIntegerField(default=1)),
                (
                    "tenant",
                    tenants.models.TenantField(
                        on_delete=django.db.models.deletion.DO_NOTHING, to="tenants.tenant"
                    ),
                ),
            ],
            options={
                "db_table": "erasure",
                "abstract": False,
                "base_manager_name": "objects",
                "indexes": [
                    models.Index(fields=["tenant", "digest"], name="erasure_digest"),
                    models.Index(fields=["tenant", "memory_id"], name="erasure_memory"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("classification__range", (0, 3))), name="erasure_class"
                    )
                ],
            },
        ),
        TenantKey("Erasure"),
        IsolateByTenant("Erasure", verbs=APPEND),
        CapByClearance("Erasure"),
        LetDefinerHold("Erasure"),
        LetDefinerHold("Entity"),
        LetDefinerHold("EntityAlias"),
    ]
