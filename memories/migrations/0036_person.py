"""
Say of captures, memories, documents and receipts whose they are, and wall them off by it (SPEC K-09).

Code of before writes common rows and sets no person, so it sees and makes what it always did.
"""

from pathlib import Path

from django.db import migrations, models
from django.db.migrations.operations.base import Operation

from tenants.rls import IsolateByPerson

SQL = Path(__file__).parent / "sql" / "0036_hold_person.sql"
DROP = """
DROP TRIGGER document_hold_person ON document;
DROP TRIGGER capture_hold_person ON capture;
DROP FUNCTION candor_hold_person;
"""


def walled(model: str) -> list[Operation]:
    """Return the operations that give a table the column, its spelling and its wall."""
    field = models.TextField(
        default="", db_default="", blank=True, help_text="The end user whose it is; empty: common."
    )
    spelled = models.CheckConstraint(
        condition=models.Q(person__regex=r"^[!-~]{0,128}$"), name=f"{model}_person"
    )
    return [
        migrations.AddField(model, "person", field),
        migrations.AddConstraint(model, spelled),
        IsolateByPerson(model),
    ]


class Migration(migrations.Migration):
    dependencies = [("memories", "0035_likeness_links")]

    operations = [
        *walled("capture"),
        *walled("document"),
        *walled("memory"),
        *walled("erasure"),
        migrations.RunSQL(SQL.read_text(), DROP),
    ]
