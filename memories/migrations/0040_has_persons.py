"""Tell recall whether a tenant has rows of end users' own."""

from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction

SQL = Path(__file__).parent / "sql" / "0040_has_persons.sql"


class Migration(migrations.Migration):
    dependencies = [("memories", "0039_truth_of_a_person")]

    operations = [DefinerFunction("candor_has_persons()", SQL.read_text(), {})]
