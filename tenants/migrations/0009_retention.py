"""How long a tenant's records are kept: code of before neither reads nor writes it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tenants", "0008_model_budget")]

    operations = [
        migrations.AddField(
            model_name="tenant",
            name="retention",
            field=models.JSONField(
                db_default={},
                default=dict,
                editable=False,
                help_text="Days that records are kept, by what they are: see `tenants.retention`.",
            ),
        ),
        migrations.RunSQL(
            "GRANT UPDATE (retention) ON tenant TO candor_app",
            "REVOKE UPDATE (retention) ON tenant FROM candor_app",
        ),
    ]
