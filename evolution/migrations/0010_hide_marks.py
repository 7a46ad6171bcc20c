"""Keep no statistics of whom a session's mark is for, and of which reads made it (docs/decisions/0041)."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("evolution", "0009_hide_persons"), ("memories", "0042_exact_marks")]

    operations = [migrations.RunSQL("SELECT candor_hide_statistics()", migrations.RunSQL.noop)]
