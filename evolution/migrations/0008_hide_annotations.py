"""The planner's statistics keep no words of notes and annotations either."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("evolution", "0007_hide_capture_metadata"), ("memories", "0033_rederive")]

    operations = [migrations.RunSQL("SELECT candor_hide_statistics()", migrations.RunSQL.noop)]
