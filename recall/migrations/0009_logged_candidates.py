"""What an answer was chosen from is kept with its event; events from before have none."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("recall", "0008_gate")]

    operations = [
        migrations.AddField(
            model_name="recallevent",
            name="candidates",
            field=models.BinaryField(
                blank=True,
                help_text="What it was chosen from, packed: `recall.ranking.event_candidates`.",
                null=True,
            ),
        ),
    ]
