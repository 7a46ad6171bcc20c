"""Addresses that are told what happened (SPEC I-04), walled off by tenant; a function finds those with news."""

from pathlib import Path

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import EVERY, DefinerFunction, IsolateByTenant, LetDefinerSee, TenantKey

SQL = Path(__file__).parent / "sql" / "0013_due_webhooks.sql"


class Migration(migrations.Migration):
    dependencies = [
        ("evolution", "0012_hide_done_requests"),
        ("security", "0010_done_requests"),
        ("tenants", "0008_model_budget"),
    ]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("url", models.TextField()),
                (
                    "kinds",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(),
                        help_text="Of events; each is sent if the key may see it.",
                        size=None,
                    ),
                ),
                ("secret_version", models.IntegerField(default=1)),
                ("secret_rotated_at", models.DateTimeField(blank=True, null=True)),
                (
                    "state",
                    models.TextField(
                        choices=[("active", "active"), ("stopped", "stopped")], default="active"
                    ),
                ),
                (
                    "stopped_because",
                    models.TextField(blank=True, default="", help_text="Empty: by hand, or not at all."),
                ),
                (
                    "place",
                    models.BigIntegerField(
                        help_text="In the trail: all before it was sent, or is not for this one."
                    ),
                ),
                (
                    "pinged_at",
                    models.DateTimeField(blank=True, help_text="When a ping was asked for.", null=True),
                ),
                (
                    "failures",
                    models.IntegerField(default=0, help_text="In a row, of the event that is next."),
                ),
                ("next_at", models.DateTimeField(help_text="Not tried before.")),
                ("lease_token", models.UUIDField(blank=True, null=True)),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
                ("sent", models.BigIntegerField(default=0, help_text="Events that were taken.")),
                ("last_sent_at", models.DateTimeField(blank=True, null=True)),
                (
                    "last_status",
                    models.SmallIntegerField(blank=True, help_text="Of the last answer.", null=True),
                ),
                (
                    "last_error",
                    models.TextField(blank=True, default="", help_text="Of the last attempt; empty: none."),
                ),
                ("created_at", models.DateTimeField()),
                ("created_by", models.TextField()),
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
                "db_table": "webhook",
                "abstract": False,
                "base_manager_name": "objects",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "active")), fields=["next_at"], name="webhook_next"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["active", "stopped"])), name="webhook_state"
                    )
                ],
            },
        ),
        TenantKey("Webhook"),
        IsolateByTenant("Webhook", verbs=EVERY),
        LetDefinerSee("Webhook"),
        DefinerFunction(
            "candor_due_webhooks(integer)", SQL.read_text(), {"webhook": "SELECT", "audit_link": "SELECT"}
        ),
        migrations.RunSQL("SELECT candor_hide_statistics()", migrations.RunSQL.noop),
    ]
