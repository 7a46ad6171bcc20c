"""Keep no statistics of the words that agents ask about, as of none (SPEC S-05)."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("evolution", "0016_hide_sources"), ("recall", "0014_interest")]

    operations = [migrations.RunSQL("SELECT candor_hide_statistics()", migrations.RunSQL.noop)]
