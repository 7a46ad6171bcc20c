"""Keep no statistics of files, their names and why they were refused, as of no text (SPEC S-05)."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("evolution", "0014_retention"), ("memories", "0048_document_upload")]

    operations = [migrations.RunSQL("SELECT candor_hide_statistics()", migrations.RunSQL.noop)]
