"""Let memories that were stored in a reader's words be given those of their capture (SPEC K-01)."""

from django.db import migrations

COLUMNS = "note, span_end, span_start"


class Migration(migrations.Migration):
    dependencies = [("memories", "0032_mode")]

    operations = [
        migrations.RunSQL(
            f"GRANT UPDATE ({COLUMNS}) ON memory TO candor_app",
            f"REVOKE UPDATE ({COLUMNS}) ON memory FROM candor_app",
        )
    ]
