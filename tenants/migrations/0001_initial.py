import uuid

import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import tenants.models
from tenants.rls import EDIT, IsolateByTenant, TenantKey


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(
            "CREATE SEQUENCE tenant_lock_number AS integer", "DROP SEQUENCE tenant_lock_number"
        ),
        migrations.CreateModel(
            name="Tenant",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "slug",
                    models.TextField(
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[a-z0-9][a-z0-9-]{0,62}\\Z", "Use 1–63 of a–z, 0–9 and «-», not «-» first."
                            )
                        ],
                    ),
                ),
                ("name", models.TextField()),
                (
                    "lock_number",
                    models.IntegerField(
                        db_default=models.Func(
                            models.Value("tenant_lock_number"),
                            function="nextval",
                            output_field=models.IntegerField(),
                        ),
                        editable=False,
                        help_text="The stored number that advisory locks use (SPEC W-15).",
                        unique=True,
                    ),
                ),
                ("recall_policy", models.TextField(default="default")),
                ("time_zone", models.TextField(default="UTC")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "db_table": "tenant",
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="Project",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "slug",
                    models.TextField(
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[a-z0-9][a-z0-9-]{0,62}\\Z", "Use 1–63 of a–z, 0–9 and «-», not «-» first."
                            )
                        ]
                    ),
                ),
                ("name", models.TextField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "tenant",
                    tenants.models.TenantField(
                        on_delete=django.db.models.deletion.DO_NOTHING, to="tenants.tenant"
                    ),
                ),
            ],
            options={
                "db_table": "project",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "role",
                    models.TextField(
                        choices=[("operator", "operator"), ("auditor", "auditor"), ("reader", "reader")]
                    ),
                ),
                ("ceiling", models.SmallIntegerField(default=1)),
                (
                    "user",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to=settings.AUTH_USER_MODEL,
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
                "db_table": "membership",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="Agent",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "slug",
                    models.TextField(
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[a-z0-9][a-z0-9-]{0,62}\\Z", "Use 1–63 of a–z, 0–9 and «-», not «-» first."
                            )
                        ]
                    ),
                ),
                ("name", models.TextField()),
                (
                    "domains",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "ceiling",
                    models.SmallIntegerField(
                        default=1, help_text="Highest class it may see, 0 public – 3 confidential."
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
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
                "db_table": "agent",
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.AddConstraint(
            model_name="project",
            constraint=models.UniqueConstraint(fields=("tenant", "slug"), name="project_slug"),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.UniqueConstraint(fields=("tenant", "user"), name="membership_user"),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.CheckConstraint(
                condition=models.Q(("ceiling__range", (0, 3))), name="membership_ceiling"
            ),
        ),
        migrations.AddConstraint(
            model_name="agent",
            constraint=models.UniqueConstraint(fields=("tenant", "slug"), name="agent_slug"),
        ),
        migrations.AddConstraint(
            model_name="agent",
            constraint=models.CheckConstraint(
                condition=models.Q(("ceiling__range", (0, 3))), name="agent_ceiling"
            ),
        ),
        TenantKey("Project"),
        TenantKey("Agent"),
        TenantKey("Membership"),
        IsolateByTenant("Tenant", verbs=EDIT, column="id"),
        IsolateByTenant("Project", verbs=EDIT),
        IsolateByTenant("Agent", verbs=EDIT),
        IsolateByTenant("Membership", verbs=EDIT),
        migrations.RunSQL(
            "GRANT USAGE ON SEQUENCE tenant_lock_number TO candor_app",
            "REVOKE USAGE ON SEQUENCE tenant_lock_number FROM candor_app",
        ),
    ]
