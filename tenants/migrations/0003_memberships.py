from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction, LetDefinerSee

SQL = Path(__file__).parent / "sql" / "0003_memberships.sql"


class Migration(migrations.Migration):
    dependencies = [("tenants", "0002_list_tenants")]

    operations = [
        LetDefinerSee("Membership"),
        DefinerFunction("candor_memberships(integer)", SQL.read_text(), {"membership": "SELECT"}),
    ]
