"""
A mark belongs to the session and the person that were named, and ends; what cites is held to what it cites (K-12).

What recalls without a name left before counts no more: it counted for every session. The functions by which recall
notes what it showed are replaced here, in one step with the table that they write.
"""

from pathlib import Path

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

from tenants.rls import DefinerFunction, IsolateByPerson

SQL = Path(__file__).parent / "sql"


def read(name: str) -> str:
    """Return the SQL of this file."""
    return (SQL / f"0042_{name}.sql").read_text()


def as_definer(*texts: str) -> list[str]:
    """Return what changes functions that belong to the definer: their owner alone may, and needs a place to."""
    return [
        "GRANT CREATE ON SCHEMA public TO candor_definer",
        "SET ROLE candor_definer",
        *texts,
        "RESET ROLE",
        "REVOKE CREATE ON SCHEMA public FROM candor_definer",
    ]


DROP = (
    "DROP FUNCTION candor_cited_class(uuid, uuid, uuid, uuid, text, jsonb); "
    "DROP FUNCTION candor_session_read(uuid, uuid, text, text)"
)
DROP_NOTE = (
    "DROP FUNCTION candor_note_mark(uuid, uuid, text, text, smallint, text, timestamptz); "
    "DROP FUNCTION candor_mark_ends_at(timestamptz)"
)


class Migration(migrations.Migration):
    dependencies = [("memories", "0041_note_visibility"), ("recall", "0012_person")]

    operations = [
        migrations.AddField(
            "sessionmark",
            "person",
            models.TextField(
                default="", db_default="", blank=True, help_text="The end user whose it is; empty: common."
            ),
        ),
        migrations.AddField(
            "sessionmark",
            "reads",
            ArrayField(
                models.TextField(),
                default=list,
                db_default=[],
                blank=True,
                help_text="By which sorts of reads.",
            ),
        ),
        migrations.AlterField("sessionmark", "session", models.TextField(help_text="Its name.")),
        migrations.AlterField(
            "sessionmark", "at", models.DateTimeField(help_text="When it was shown last, to ten minutes.")
        ),
        migrations.AddConstraint(
            "sessionmark",
            models.CheckConstraint(
                condition=models.Q(person__regex=r"^[!-~]{0,128}$"), name="session_mark_person"
            ),
        ),
        IsolateByPerson("sessionmark"),
        migrations.RemoveConstraint("sessionmark", "session_mark_once"),
        # Rows of one session would not fit the former key; its code cannot tell them apart.
        migrations.RunSQL(migrations.RunSQL.noop, "TRUNCATE session_mark"),
        migrations.AddConstraint(
            "sessionmark",
            models.UniqueConstraint(
                fields=["tenant", "holder", "session", "person", "classification"],
                name="session_mark_once_a_class",
            ),
        ),
        migrations.RunSQL("GRANT DELETE ON session_mark TO candor_definer", migrations.RunSQL.noop),
        migrations.RunSQL(read("note_mark"), DROP_NOTE),
        migrations.RunSQL(read("high_water"), DROP),
        migrations.RunSQL(as_definer(read("keep_up"), read("former_calls")), as_definer(read("former"))),
        DefinerFunction(
            "candor_written_class_v2(uuid, uuid, uuid, text, text, jsonb, smallint)",
            read("written_class_v2"),
            {},
        ),
        DefinerFunction(
            "candor_mark_read_v2(uuid, uuid, text, text, text, smallint)", read("mark_read_v2"), {}
        ),
        DefinerFunction("candor_end_session(uuid, uuid, text, text, smallint)", read("end_session"), {}),
    ]
