"""Independent is another agent or another person; what an agent says its user wishes binds that agent alone."""

from django.db import migrations, models

WISHED = models.Q(
    ("provenance__in", ("user_stated", "user_correction")),
    models.Q(("provenance", "user_relayed"), ("shared", False)),
    _connector="OR",
)
INSTRUCTION = "(^|[.!;] ?|please )always (?!(been|be there|here|there|happy|nice|good|great|a|an|the|[a-z]+ed|[a-z]+ing)\\M)|(^|[.!;] ?|please )never (?!(been|seen|had|done|thought|heard|known|felt|mind|again|a|an|the|[a-z]+ed)\\M)|\\m(whenever|every time|each time|any time|when) i ask\\M|\\mfrom now on\\M|请.{0,4}(总是|始终|每次)|以后(都|请)"
WISH = "(^|[.!;,] ?|please |could you |can you )(always|never)\\M|\\m(whenever|every time|each time|when) i ask\\M|\\mi('d| would| always)? prefer\\M|\\mfrom now on\\M|请(总是|始终)|以后(都|请)|每次.{0,6}都|更?喜欢|偏好"


def generated(expression: models.Q, told: str) -> models.GeneratedField:
    """Return a column that PostgreSQL keeps."""
    return models.GeneratedField(
        db_persist=True,
        expression=models.ExpressionWrapper(expression, output_field=models.BooleanField()),
        help_text=told,
        output_field=models.BooleanField(),
    )


class Migration(migrations.Migration):
    dependencies = [("memories", "0022_origins")]

    operations = [
        migrations.AddField(
            model_name="corroboration",
            name="voice",
            field=models.TextField(
                db_default="", default="", help_text="Whose word it was; empty: from before."
            ),
        ),
        migrations.RemoveConstraint(model_name="corroboration", name="corroboration_origin"),
        migrations.AddConstraint(
            model_name="corroboration",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voice", ""), _negated=True),
                fields=("tenant", "memory", "voice"),
                name="corroboration_voice",
            ),
        ),
        migrations.AlterField(
            model_name="memory",
            name="corroborated",
            field=models.SmallIntegerField(
                db_default=0, default=0, help_text="Other voices that said the same."
            ),
        ),
        # What a generated column is made of cannot be changed before PostgreSQL 17: it is made anew.
        migrations.RemoveIndex(model_name="memory", name="memory_instruction"),
        migrations.RemoveField(model_name="memory", name="instruction"),
        migrations.RemoveField(model_name="memory", name="wish"),
        migrations.AddField(
            model_name="memory",
            name="instruction",
            field=generated(
                models.Q(WISHED, ("content__iregex", INSTRUCTION)),
                "How a person wants to be served from now on.",
            ),
        ),
        migrations.AddField(
            model_name="memory",
            name="wish",
            field=generated(
                models.Q(
                    WISHED,
                    models.Q(("kind", "preference"), ("content__iregex", WISH), _connector="OR"),
                ),
                "What a person wishes once and for all.",
            ),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("instruction", True)), fields=["tenant"], name="memory_instruction"
            ),
        ),
    ]
