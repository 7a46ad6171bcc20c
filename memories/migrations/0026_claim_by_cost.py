"""Let the sweeper give turns to tenants by what their captures cost."""

from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction

SQL = Path(__file__).parent / "sql" / "0026_claim_due_v3.sql"


class Migration(migrations.Migration):
    dependencies = [("memories", "0025_uncut_documents")]

    # What it needs of the table the first version was granted already.
    operations = [DefinerFunction("candor_claim_due_v3(integer, integer)", SQL.read_text(), {})]
