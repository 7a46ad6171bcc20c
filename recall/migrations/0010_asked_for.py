"""What a question asked for besides its words is kept with its recall; those from before have none."""

from pathlib import Path

import django.core.serializers.json
from django.db import migrations, models

from tenants.rls import DefinerFunction

SQL = Path(__file__).parent / "sql" / "0010_blank_queries_v2.sql"


class Migration(migrations.Migration):
    dependencies = [("recall", "0009_logged_candidates")]

    operations = [
        migrations.AddField(
            model_name="recallevent",
            name="asked",
            field=models.JSONField(
                blank=True,
                encoder=django.core.serializers.json.DjangoJSONEncoder,
                help_text="What was asked for besides the words: `recall.questions.question_record`.",
                null=True,
            ),
        ),
        # The first version stays for the release before this one.
        DefinerFunction(
            "candor_blank_queries_v2(uuid[])", SQL.read_text(), {"recall_event": "UPDATE (asked)"}
        ),
    ]
