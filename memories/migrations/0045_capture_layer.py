"""
The context layer that a caller names for a capture (SPEC T-10); empty: as it is read.

Code of before writes and reads none, so what it captures is left to be read.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0044_persons_by_index")]

    operations = [
        migrations.AddField(
            model_name="capture",
            name="layer",
            field=models.TextField(
                blank=True,
                choices=[("personal", "personal"), ("work", "work"), ("social", "social")],
                db_default="",
                default="",
                help_text="Of what is made of it; empty: as it is read.",
            ),
        ),
    ]
