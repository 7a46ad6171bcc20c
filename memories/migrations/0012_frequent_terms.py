from django.db import migrations

ADD = """
ALTER TABLE collection_stat
    ADD COLUMN frequent jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN frequent_of bigint NOT NULL DEFAULT 0
"""
DROP = "ALTER TABLE collection_stat DROP COLUMN frequent, DROP COLUMN frequent_of"


class Migration(migrations.Migration):
    """How often the frequent words of a big tenant occur, beside the sizes of its classes."""

    dependencies = [("memories", "0011_tiers")]

    operations = [migrations.RunSQL(ADD, DROP)]
