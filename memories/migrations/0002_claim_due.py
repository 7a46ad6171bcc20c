from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction, LetDefinerSee

SQL = Path(__file__).parent / "sql" / "0002_claim_due.sql"


class Migration(migrations.Migration):
    dependencies = [("memories", "0001_initial")]

    operations = [
        LetDefinerSee("Capture"),
        DefinerFunction(
            "candor_claim_due(integer, integer)",
            SQL.read_text(),
            {"capture": "SELECT, UPDATE (state, lease_token, leased_until)"},
        ),
    ]
