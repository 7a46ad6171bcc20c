"""Facts of the client's own beside what was said, as memories and documents have."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0027_canonical_keys")]

    operations = [
        migrations.AddField(
            model_name="capture",
            name="metadata",
            field=models.JSONField(
                db_default={}, default=dict, encoder=DjangoJSONEncoder, help_text="Facts of the client's own."
            ),
        ),
    ]
