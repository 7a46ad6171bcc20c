from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction

SQL = Path(__file__).parent / "sql" / "0002_applied_migrations.sql"


class Migration(migrations.Migration):
    dependencies = [("config", "0001_grant_framework_tables")]

    operations = [
        DefinerFunction("candor_applied_migrations()", SQL.read_text(), {"django_migrations": "SELECT"})
    ]
