"""The vocabulary: made, filled from the postings there are, then kept by triggers. Nothing reads it before."""

from pathlib import Path

from django.db import migrations, models

from tenants.rls import CapByClearance, IsolateByTenant, LetDefinerHold
from tenants.roles import DEFINER_ROLE

SQL = Path(__file__).parent / "sql"


def read(name: str) -> str:
    """Return the SQL of this file."""
    return (SQL / f"0006_{name}.sql").read_text()


class Migration(migrations.Migration):
    dependencies = [("memories", "0005_related")]

    operations = [
        migrations.CreateModel(
            name="Vocabulary",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "tenant_id",
                        "gram",
                        "term",
                        "classification",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("gram", models.TextField()),
                ("term", models.TextField()),
                ("size", models.SmallIntegerField()),
                ("classification", models.SmallIntegerField(default=1)),
            ],
            options={
                "db_table": "vocabulary",
                "base_manager_name": "objects",
                "managed": False,
            },
        ),
        migrations.RunSQL(read("vocabulary"), "DROP TABLE vocabulary"),
        migrations.RunSQL(read("grams"), "DROP FUNCTION candor_grams"),
        migrations.RunSQL(read("fill"), migrations.RunSQL.noop),
        IsolateByTenant("Vocabulary", verbs=("SELECT", "INSERT", "DELETE")),
        CapByClearance("Vocabulary"),
        LetDefinerHold("Vocabulary"),
        migrations.RunSQL(
            f"GRANT SELECT, INSERT, DELETE ON vocabulary TO {DEFINER_ROLE}",
            f"REVOKE ALL ON vocabulary FROM {DEFINER_ROLE}",
        ),
        migrations.RunSQL(
            read("follow"),
            "DROP TRIGGER posting_class ON posting; DROP TRIGGER posting_forget ON posting; "
            "DROP TRIGGER posting_learn ON posting; DROP FUNCTION candor_class_word; "
            "DROP FUNCTION candor_forget_words; DROP FUNCTION candor_forget_word; "
            "DROP FUNCTION candor_learn_words",
        ),
    ]
