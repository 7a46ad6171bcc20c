"""What people are granted, walled off by tenant, and the keys that speak for them."""

from pathlib import Path

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import tenants.models
from tenants.rls import DefinerFunction, IsolateByTenant, TenantKey

SQL = Path(__file__).parent / "sql" / "0004_person_of_key.sql"
VERBS = ("SELECT", "INSERT", "DELETE")


def fields(content_object: models.Field) -> list[tuple[str, models.Field]]:
    """Return the columns of a table of grants."""
    own = {"on_delete": django.db.models.deletion.DO_NOTHING, "db_index": False}
    return [
        (
            "id",
            models.UUIDField(
                default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
            ),
        ),
        ("tenant", tenants.models.TenantField(editable=False, to="tenants.tenant", **own)),
        ("user", models.ForeignKey(to=settings.AUTH_USER_MODEL, **own)),
        ("permission", models.ForeignKey(to="auth.permission", **own)),
        ("content_object", content_object),
    ]


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("security", "0003_audit_chain"),
        ("tenants", "0005_rights"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ProjectGrant",
            fields=fields(
                tenants.models.TenantForeignKey(
                    db_constraint=False,
                    db_index=False,
                    on_delete=django.db.models.deletion.DO_NOTHING,
                    to="tenants.project",
                )
            ),
            options={
                "db_table": "project_grant",
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "user", "permission", "content_object"), name="project_grant_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TenantGrant",
            fields=fields(
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.DO_NOTHING,
                    related_name="grants",
                    to="tenants.tenant",
                )
            ),
            options={
                "db_table": "tenant_grant",
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tenant", "user", "permission"), name="tenant_grant_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("content_object", models.F("tenant"))), name="tenant_grant_own"
                    ),
                ],
            },
        ),
        TenantKey("ProjectGrant"),
        TenantKey("TenantGrant"),
        IsolateByTenant("ProjectGrant", verbs=VERBS),
        IsolateByTenant("TenantGrant", verbs=VERBS),
        migrations.AddField(
            model_name="apikey",
            name="user",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                help_text="The person it speaks for; it may no more than they (SPEC S-04).",
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="apikey",
            constraint=models.CheckConstraint(
                condition=models.Q(("agent__isnull", True), ("user__isnull", True), _connector="OR"),
                name="api_key_speaks_for_one",
            ),
        ),
        DefinerFunction(
            "candor_person_of_key(uuid, uuid)", SQL.read_text(), {"auth_user": "SELECT (id, is_active)"}
        ),
    ]
