from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql"


class Migration(migrations.Migration):
    """What a person archived leaves search and its sizes, as what is archived from now on does."""

    dependencies = [("memories", "0012_frequent_terms")]

    operations = [migrations.RunSQL((SQL / "0013_leave_search.sql").read_text(), migrations.RunSQL.noop)]
