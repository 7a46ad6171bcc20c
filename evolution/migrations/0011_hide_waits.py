"""Keep no statistics of what captures wait for (docs/decisions/0041)."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("evolution", "0010_hide_marks"), ("memories", "0047_waits_for")]

    operations = [migrations.RunSQL("SELECT candor_hide_statistics()", migrations.RunSQL.noop)]
