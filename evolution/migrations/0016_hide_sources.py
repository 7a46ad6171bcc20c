"""Keep no statistics of the hashes of documents' sources, as of none (SPEC S-05)."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("evolution", "0015_hide_uploads"), ("memories", "0049_document_versions")]

    operations = [migrations.RunSQL("SELECT candor_hide_statistics()", migrations.RunSQL.noop)]
