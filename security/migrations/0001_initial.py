import django.contrib.postgres.fields
import django.core.serializers.json
import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import APPEND, EDIT, CapByClearance, IsolateByTenant, TenantKey


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("tenants", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.TextField()),
                ("prefix", models.TextField(help_text="The first characters, to tell keys apart in a list.")),
                (
                    "secret_hash",
                    models.BinaryField(help_text="SHA-256 of the key: 256 random bits need no slow hash."),
                ),
                (
                    "scopes",
                    django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None),
                ),
                ("ceiling", models.SmallIntegerField(default=1)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("created_by", models.TextField(default="")),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
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
                "db_table": "api_key",
                "abstract": False,
                "base_manager_name": "objects",
                "indexes": [models.Index(fields=["secret_hash"], name="api_key_secret_hash")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("ceiling__range", (0, 3))), name="api_key_ceiling"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditEvent",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("at", models.DateTimeField()),
                ("actor_kind", models.TextField()),
                ("actor_id", models.TextField()),
                ("action", models.TextField()),
                ("object_type", models.TextField()),
                ("object_id", models.TextField()),
                ("reason", models.TextField(default="")),
                (
                    "detail",
                    models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder),
                ),
                ("classification", models.SmallIntegerField(default=1)),
                (
                    "tenant",
                    tenants.models.TenantField(
                        on_delete=django.db.models.deletion.DO_NOTHING, to="tenants.tenant"
                    ),
                ),
            ],
            options={
                "db_table": "audit_event",
                "abstract": False,
                "base_manager_name": "objects",
                "indexes": [
                    models.Index(fields=["tenant", "object_type", "object_id"], name="audit_event_object"),
                    models.Index(fields=["tenant", "at"], name="audit_event_at"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("classification__range", (0, 3))), name="audit_event_class"
                    )
                ],
            },
        ),
        TenantKey("ApiKey"),
        TenantKey("AuditEvent"),
        IsolateByTenant("ApiKey", verbs=EDIT),
        IsolateByTenant("AuditEvent", verbs=APPEND),
        CapByClearance("AuditEvent"),
    ]
