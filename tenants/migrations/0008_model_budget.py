from django.db import migrations, models

COUNTED = "model_tokens_a_day, model_day, model_tokens"
"""The columns that may change besides those of 0006."""


class Migration(migrations.Migration):
    """What a tenant's models may take a day, and have taken."""

    dependencies = [("tenants", "0007_guard_on_again")]

    operations = [
        migrations.AddField(
            model_name="tenant",
            name="model_day",
            field=models.DateField(editable=False, help_text="The day, in UTC, that is counted.", null=True),
        ),
        migrations.AddField(
            model_name="tenant",
            name="model_tokens",
            field=models.BigIntegerField(
                db_default=0,
                default=0,
                editable=False,
                help_text="Tokens taken that day: see `tenants.model_budget`.",
            ),
        ),
        migrations.AddField(
            model_name="tenant",
            name="model_tokens_a_day",
            field=models.BigIntegerField(
                blank=True,
                help_text="Tokens a day for language and decision models; none: as the settings have it.",
                null=True,
            ),
        ),
        migrations.RunSQL(
            f"GRANT UPDATE ({COUNTED}) ON tenant TO candor_app",
            f"REVOKE UPDATE ({COUNTED}) ON tenant FROM candor_app",
        ),
    ]
