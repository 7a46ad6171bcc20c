from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction, LetDefinerSee

SQL = Path(__file__).parent / "sql" / "0002_list_tenants.sql"


class Migration(migrations.Migration):
    dependencies = [("tenants", "0001_initial")]

    operations = [
        LetDefinerSee("Tenant"),
        LetDefinerSee("Agent"),
        DefinerFunction("candor_list_tenants()", SQL.read_text(), {"tenant": "SELECT", "agent": "SELECT"}),
    ]
