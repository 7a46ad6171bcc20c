"""What failed before is looked for at every recall, among all memories of the tenant."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0007_vector_homes")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("kind", "negative")), fields=["tenant"], name="memory_negative"
            ),
        ),
    ]
