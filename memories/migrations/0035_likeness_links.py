"""Let recall read an arbiter's «same», kept as a link of likeness, beside its other verdicts (SPEC K-04, K-05)."""

from django.db import migrations, models

VERDICTS = ("contradicts", "corrects", "ends", "refines", "replaces", "similar_to")


class Migration(migrations.Migration):
    dependencies = [("memories", "0034_verdict_links")]

    operations = [
        migrations.AddIndex(
            "link",
            models.Index(
                fields=["tenant", "target"], include=["source", "type", "confidence"],
                condition=models.Q(type__in=VERDICTS), name="link_verdict_v2",
            ),
        ),
        migrations.RemoveIndex("link", "link_verdict"),
    ]  # fmt: skip
