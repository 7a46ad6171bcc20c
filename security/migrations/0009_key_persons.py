"""
Which end users a key may name (SPEC K-09); of the keys there are: any.

The column is granted for no update: it is settled as the key is made. The function of before stays for its code.
"""

from pathlib import Path

import django.contrib.postgres.fields
from django.db import migrations, models

from tenants.rls import DefinerFunction

SQL = Path(__file__).parent / "sql" / "0009_authenticate_v4.sql"


class Migration(migrations.Migration):
    dependencies = [("security", "0008_found_key")]

    operations = [
        migrations.AddField(
            model_name="apikey",
            name="persons",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.TextField(),
                blank=True,
                db_default=[],
                default=list,
                help_text="The end users whom it may name; none: any. Settled as it is made.",
                size=None,
            ),
        ),
        DefinerFunction("candor_authenticate_v4(bytea, text)", SQL.read_text(), {}),
    ]
