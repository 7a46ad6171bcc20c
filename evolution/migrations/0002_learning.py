"""How a verdict came, so that a task's outcome knows which it may take the place of (SPEC E-01)."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evolution", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="feedback",
            name="origin",
            field=models.TextField(
                choices=[("explicit", "explicit"), ("implicit", "implicit"), ("outcome", "outcome")],
                db_default="explicit",
                help_text="Said of this memory, among what a session used, or by how the task ended.",
            ),
        ),
    ]
