"""Let the service change whom a memory is shared with, and its layer: what a person decides (M-12)."""

from django.db import migrations

COLUMNS = "shared, domain, layer"


class Migration(migrations.Migration):
    dependencies = [("memories", "0042_exact_marks")]

    operations = [
        migrations.RunSQL(
            f"GRANT UPDATE ({COLUMNS}) ON memory TO candor_app",
            f"REVOKE UPDATE ({COLUMNS}) ON memory FROM candor_app",
        ),
    ]
