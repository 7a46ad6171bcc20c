from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction, LetDefinerSee

SQL = Path(__file__).parent / "sql" / "0002_authenticate.sql"


class Migration(migrations.Migration):
    dependencies = [("security", "0001_initial"), ("tenants", "0002_list_tenants")]

    operations = [
        LetDefinerSee("ApiKey"),
        DefinerFunction(
            "candor_authenticate(bytea)", SQL.read_text(), {"api_key": "SELECT, UPDATE (last_used_at)"}
        ),
    ]
