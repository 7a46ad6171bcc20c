from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql"


class Migration(migrations.Migration):
    """The switch «injection» used to turn the guard off and now empties contexts: who had it off has both on."""

    dependencies = [("tenants", "0006_hold")]

    operations = [migrations.RunSQL((SQL / "0007_guard_on_again.sql").read_text(), migrations.RunSQL.noop)]
