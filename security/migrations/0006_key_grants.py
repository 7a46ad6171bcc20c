"""What a key was granted to say, and which projects it may name. What nobody settled is as its kind has it."""

from pathlib import Path

import django.contrib.postgres.fields
from django.db import migrations, models

from tenants.rls import DefinerFunction

SQL = Path(__file__).parent / "sql" / "0006_authenticate_v3.sql"


class Migration(migrations.Migration):
    dependencies = [("security", "0005_gate")]

    operations = [
        migrations.AddField(
            model_name="apikey",
            name="relays_users",
            field=models.BooleanField(
                blank=True,
                help_text="What it says a user said counts as theirs. None: as its kind has it.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="apikey",
            name="measures",
            field=models.BooleanField(
                blank=True,
                help_text="What it marks as measured counts as measured. None: as its kind has it.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="apikey",
            name="max_importance",
            field=models.SmallIntegerField(
                blank=True,
                help_text="1–5: beyond it importance counts as this. None: as its kind has it.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="apikey",
            name="projects",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.UUIDField(),
                blank=True,
                db_default=[],
                default=list,
                help_text="Those that an agent's key, or one for outside, may name besides its own.",
                size=None,
            ),
        ),
        migrations.AddConstraint(
            model_name="apikey",
            constraint=models.CheckConstraint(
                condition=models.Q(("max_importance__range", (1, 5))), name="api_key_importance"
            ),
        ),
        migrations.AddConstraint(
            model_name="apikey",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("projects", []),
                    models.Q(
                        models.Q(("agent__isnull", False), ("external", True), _connector="OR"),
                        ("project__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="api_key_lists_projects",
            ),
        ),
        DefinerFunction("candor_authenticate_v3(bytea, text)", SQL.read_text(), {}),
    ]
