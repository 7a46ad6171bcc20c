"""Requests that were done under an idempotency key, walled off by tenant; only what came of one may change."""

import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import EVERY, IsolateByTenant, TenantKey


class Migration(migrations.Migration):
    dependencies = [("security", "0009_key_persons"), ("tenants", "0008_model_budget")]

    operations = [
        migrations.CreateModel(
            name="DoneRequest",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
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
                (
                    "api_key",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        to="security.apikey",
                    ),
                ),
                (
                    "key_hash",
                    models.BinaryField(help_text="Of the idempotency key, under the service's secret."),
                ),
                (
                    "request_hash",
                    models.BinaryField(help_text="Of address, body and person, under the service's secret."),
                ),
                (
                    "status",
                    models.SmallIntegerField(
                        help_text="Of the answer; null while it is being done.", null=True
                    ),
                ),
                ("kept", models.JSONField(default=dict, help_text="Ids and counts of the answer.")),
                ("created_at", models.DateTimeField()),
            ],
            options={
                "db_table": "done_request",
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "api_key", "key_hash"), name="done_request_once"
                    )
                ],
                "indexes": [models.Index(fields=["tenant", "created_at"], name="done_request_at")],
            },
        ),
        TenantKey("DoneRequest"),
        IsolateByTenant("DoneRequest", verbs=EVERY),
        migrations.RunSQL(
            [
                "REVOKE UPDATE ON done_request FROM candor_app",
                "GRANT UPDATE (status, kept) ON done_request TO candor_app",
            ],
            [
                "REVOKE UPDATE (status, kept) ON done_request FROM candor_app",
                "GRANT UPDATE ON done_request TO candor_app",
            ],
        ),
    ]
