"""A class comes down by the word of a person, of two for more than one step; the database holds who and how far."""

from pathlib import Path

import django.db.models.deletion
from django.db import migrations, models

import tenants.models
from tenants.rls import (
    READ,
    CapByClearance,
    DefinerFunction,
    IsolateByTenant,
    LetDefinerHold,
    TenantKey,
)

SQL = Path(__file__).parent / "sql"

STATES = ("open", "approved", "rejected", "expired")


def read(name: str) -> str:
    """Return the SQL of this file."""
    return (SQL / f"0019_{name}.sql").read_text()


class Migration(migrations.Migration):
    dependencies = [
        ("memories", "0018_captures_follow"),
        ("security", "0004_people"),
        ("tenants", "0004_switched_off"),
    ]

    operations = [
        migrations.CreateModel(
            name="Downgrade",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "content_hash",
                    models.TextField(
                        help_text="SHA-256 of the text that who asked had read, in hexadecimal."
                    ),
                ),
                ("former", models.SmallIntegerField(help_text="The class it has.")),
                ("wanted", models.SmallIntegerField(help_text="The class it is to have.")),
                ("reason", models.TextField()),
                ("asked_by", models.TextField(help_text="Kind and id, as on the trail.")),
                ("asked_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("state", models.TextField(choices=[(state, state) for state in STATES])),
                ("decided_by", models.TextField(blank=True, default="")),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                (
                    "answer",
                    models.TextField(blank=True, default="", help_text="Why it was approved or rejected."),
                ),
                ("classification", models.SmallIntegerField(default=1)),
                (
                    "asked_key",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="downgrades_asked",
                        to="security.apikey",
                    ),
                ),
                (
                    "decided_key",
                    tenants.models.TenantForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="downgrades_decided",
                        to="security.apikey",
                    ),
                ),
                (
                    "memory",
                    tenants.models.TenantForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="downgrades",
                        to="memories.memory",
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
                "db_table": "downgrade",
                "abstract": False,
                "base_manager_name": "objects",
                "indexes": [models.Index(fields=["tenant", "memory", "decided_at"], name="downgrade_memory")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("classification__range", (0, 3))), name="downgrade_class"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("former__range", (0, 3))), name="downgrade_former"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("wanted__range", (0, 3))), name="downgrade_wanted"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("wanted__lt", models.F("former"))), name="downgrade_goes_down"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="downgrade_has_a_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided_at", None), ("state__in", ("open", "expired"))),
                            models.Q(("decided_at__isnull", False), ("state__in", ("approved", "rejected"))),
                            _connector="OR",
                        ),
                        name="downgrade_is_open_or_decided",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "open")),
                        fields=("tenant", "memory"),
                        name="downgrade_one_open",
                    ),
                ],
            },
        ),
        TenantKey("Downgrade"),
        IsolateByTenant("Downgrade", verbs=READ),
        CapByClearance("Downgrade"),
        LetDefinerHold("Downgrade"),
        migrations.RunSQL(
            read("lower"),
            "DROP FUNCTION candor_not_lowered(memory, smallint, text); "
            "DROP FUNCTION candor_one_made_the_other(uuid, uuid, uuid); "
            "DROP FUNCTION candor_lowering_key(uuid, smallint, uuid); "
            "DROP FUNCTION candor_lower(uuid, uuid, smallint)",
        ),
        DefinerFunction(
            "candor_ask_downgrade(uuid, uuid, smallint, text, text, timestamptz, timestamptz)",
            read("ask_downgrade"),
            # DELETE: a memory is erased with its downgrades.
            {"downgrade": "SELECT, INSERT, UPDATE, DELETE"},
        ),
        DefinerFunction(
            "candor_decide_downgrade(uuid, boolean, uuid, smallint, text, text, timestamptz)",
            read("decide_downgrade"),
            {},
        ),
        DefinerFunction("candor_raise_downgrades()", read("raise_downgrades"), {}),
        # Once handed over, its owner alone could drop the trigger.
        migrations.RunSQL(migrations.RunSQL.noop, "DROP TRIGGER memory_raise_downgrades ON memory"),
    ]
