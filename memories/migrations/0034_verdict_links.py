"""
Let an arbiter's verdicts stand as links, from the later statement to the earlier one (SPEC K-05).

Recall reads them for each row of its pool: an index of their own keeps that to what there is of them.
"""

from django.db import migrations, models

LINK_TYPES = (
    "related_to", "parent_of", "part_of", "affects_state", "contradicts", "supersedes", "derived_from",
    "because", "evidence", "references", "similar_to", "precedes", "follows", "authored_by", "restates",
    "corrects", "ends", "refines", "replaces",
)  # fmt: skip
VERDICTS = ("contradicts", "corrects", "ends", "refines", "replaces")


class Migration(migrations.Migration):
    dependencies = [("memories", "0033_rederive")]

    operations = [
        migrations.AlterField("link", "type", models.TextField(choices=[(name, name) for name in LINK_TYPES])),
        migrations.AddIndex(
            "link",
            models.Index(
                fields=["tenant", "target"], include=["source", "type", "confidence"],
                condition=models.Q(type__in=VERDICTS), name="link_verdict",
            ),
        ),
    ]  # fmt: skip
