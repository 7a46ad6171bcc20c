"""The planner's statistics keep no end users' ids either."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("evolution", "0008_hide_annotations"),
        ("memories", "0037_gate_index"),
        ("recall", "0012_person"),
        ("security", "0009_key_persons"),
    ]

    operations = [migrations.RunSQL("SELECT candor_hide_statistics()", migrations.RunSQL.noop)]
