import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0004_provenance")]

    operations = [
        migrations.AddField(
            model_name="capture",
            name="related_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When what stands beside its memories was built (SPEC W-16).",
                null=True,
            ),
        ),
        migrations.AddIndex(
            model_name="capture",
            index=models.Index(
                condition=models.Q(("related_at__isnull", True), ("state", "stored")),
                fields=["tenant", "created_at"],
                name="capture_unrelated",
            ),
        ),
        migrations.AddField(
            model_name="mention",
            name="names",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.TextField(),
                default=list,
                help_text="As the memory writes them.",
                size=None,
            ),
        ),
        migrations.AddField(
            model_name="mention",
            name="keys",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.TextField(),
                default=list,
                help_text="The same, each in its one spelling.",
                size=None,
            ),
        ),
        migrations.AddField(
            model_name="mention",
            name="type",
            field=models.TextField(
                choices=[
                    ("person", "person"),
                    ("organisation", "organisation"),
                    ("place", "place"),
                    ("product", "product"),
                    ("project", "project"),
                    ("identifier", "identifier"),
                    ("concept", "concept"),
                    ("thing", "thing"),
                ],
                default="thing",
            ),
        ),
    ]
