"""How high a session has read, and captures that are at least of that class."""

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


def read(name: str) -> str:
    """Return the SQL of this file."""
    return (SQL / f"0020_{name}.sql").read_text()


class Migration(migrations.Migration):
    dependencies = [("memories", "0019_downgrade"), ("tenants", "0004_switched_off")]

    operations = [
        # The database may raise it, and what an insert made of it is read back.
        migrations.AlterField(
            model_name="capture",
            name="classification",
            field=models.SmallIntegerField(db_default=1, default=1),
        ),
        migrations.CreateModel(
            name="SessionMark",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=tenants.models.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "holder",
                    models.UUIDField(
                        help_text="The agent whose session it is; of a key without one the key."
                    ),
                ),
                ("session", models.TextField(help_text="Empty: recalls that named none.")),
                ("at", models.DateTimeField(help_text="When it rose last.")),
                ("classification", models.SmallIntegerField(default=1)),
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
                "db_table": "session_mark",
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("classification__range", (0, 3))), name="session_mark_class"
                    ),
                    models.UniqueConstraint(fields=("tenant", "holder", "session"), name="session_mark_once"),
                ],
            },
        ),
        TenantKey("SessionMark"),
        IsolateByTenant("SessionMark", verbs=READ),
        CapByClearance("SessionMark"),
        LetDefinerHold("SessionMark"),
        DefinerFunction("candor_keep_up()", read("keep_up"), {"session_mark": "SELECT"}),
        # Once handed over, its owner alone could drop the trigger.
        migrations.RunSQL(
            migrations.RunSQL.noop,
            "DROP TRIGGER capture_keep_up ON capture; DROP FUNCTION candor_mark(uuid, uuid, text); "
            "DROP FUNCTION candor_may_write_down(uuid, uuid)",
        ),
        DefinerFunction("candor_written_class(uuid, uuid, text, smallint)", read("written_class"), {}),
    ]
