"""The planner's statistics keep no words of a capture's metadata either."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("evolution", "0006_hide_statistics"), ("memories", "0028_capture_metadata")]

    operations = [migrations.RunSQL("SELECT candor_hide_statistics()", migrations.RunSQL.noop)]
