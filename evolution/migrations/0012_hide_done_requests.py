"""Keep no statistics of requests that were done (docs/decisions/0041)."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("evolution", "0011_hide_waits"), ("security", "0010_done_requests")]

    operations = [migrations.RunSQL("SELECT candor_hide_statistics()", migrations.RunSQL.noop)]
