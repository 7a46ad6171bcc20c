"""Where each tenant's vectors are kept, and the numbers of the shelves. Nothing reads it before."""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import EVERY, IsolateByTenant, TenantKey

SQL = Path(__file__).parent / "sql"


class Migration(migrations.Migration):
    dependencies = [
        ("memories", "0006_vocabulary"),
        ("tenants", "0004_switched_off"),
    ]

    operations = [
        migrations.CreateModel(
            name="VectorHome",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("space", models.TextField()),
                ("shelf", models.SmallIntegerField(default=0)),
                ("dimensions", models.SmallIntegerField()),
                (
                    "state",
                    models.TextField(
                        choices=[("active", "active"), ("building", "building"), ("kept", "kept")],
                        help_text=(
                            "building: being filled. kept: read before, and still written, for the way back."
                        ),
                    ),
                ),
                (
                    "filled_to",
                    models.UUIDField(
                        blank=True, help_text="The last memory that filling looked at.", null=True
                    ),
                ),
                (
                    "filled",
                    models.BigIntegerField(default=0, help_text="Vectors that filling has written."),
                ),
                ("lease_token", models.UUIDField(blank=True, null=True)),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField()),
                (
                    "tenant",
                    tenants.models.TenantField(
                        on_delete=django.db.models.deletion.DO_NOTHING, to="tenants.tenant"
                    ),
                ),
            ],
            options={
                "db_table": "vector_home",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.AddConstraint(
            model_name="vectorhome",
            constraint=models.CheckConstraint(
                condition=models.Q(("shelf__gte", 0)), name="vector_home_shelf"
            ),
        ),
        migrations.AddConstraint(
            model_name="vectorhome",
            constraint=models.UniqueConstraint(fields=("tenant", "space", "shelf"), name="vector_home_place"),
        ),
        migrations.AddConstraint(
            model_name="vectorhome",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "active")), fields=("tenant",), name="vector_home_one_active"
            ),
        ),
        migrations.AddConstraint(
            model_name="vectorhome",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "building")), fields=("tenant",), name="vector_home_one_building"
            ),
        ),
        TenantKey("VectorHome"),
        migrations.RunSQL((SQL / "0007_fill_homes.sql").read_text(), migrations.RunSQL.noop),
        # Only the owner makes shelves, so nobody else is granted the numbers.
        migrations.RunSQL(
            "CREATE SEQUENCE embedding_shelf AS smallint MINVALUE 1", "DROP SEQUENCE embedding_shelf"
        ),
        IsolateByTenant("VectorHome", verbs=EVERY),
    ]
