"""Why a memory is in its tier, how far it is forgotten, when it was tagged; and which links are doubtful."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memories", "0009_watermarks")]

    operations = [
        migrations.AddField(
            model_name="usage",
            name="stage",
            field=models.SmallIntegerField(
                db_default=0,
                default=0,
                help_text="Of forgetting, as last looked at: see `evolution.maintenance`.",
            ),
        ),
        migrations.AddField(
            model_name="usage",
            name="tagged_at",
            field=models.DateTimeField(blank=True, help_text="None: when it was made.", null=True),
        ),
        migrations.AddField(
            model_name="usage",
            name="linked_at",
            field=models.DateTimeField(blank=True, help_text="None: when it was made.", null=True),
        ),
        migrations.AddField(
            model_name="usage",
            name="tier_at",
            field=models.DateTimeField(
                blank=True, help_text="When it was moved; none: as it was made.", null=True
            ),
        ),
        migrations.AddField(
            model_name="usage",
            name="tier_reason",
            field=models.TextField(db_default="", default="", help_text="Of the last move (SPEC E-06)."),
        ),
        migrations.AddIndex(
            model_name="link",
            index=models.Index(
                condition=models.Q(("confidence__lte", 0.35), models.Q(("origin", "manual"), _negated=True)),
                fields=["tenant", "source"],
                name="link_doubtful",
            ),
        ),
    ]
