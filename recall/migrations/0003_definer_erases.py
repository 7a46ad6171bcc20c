from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction, LetDefinerHold

SQL = Path(__file__).parent / "sql"


class Migration(migrations.Migration):
    """What was asked of a forgotten memory may be blanked, and what was shown of it deleted, by the definer."""

    dependencies = [("recall", "0002_question_clusters"), ("memories", "0014_erasure")]

    operations = [
        LetDefinerHold("RecallEvent"),
        LetDefinerHold("RecalledMemory"),
        LetDefinerHold("LearntOfMemory"),
        DefinerFunction(
            "candor_blank_queries(uuid[])",
            (SQL / "0003_blank_queries.sql").read_text(),
            {"recall_event": "SELECT, UPDATE (query, cluster)"},
        ),
    ]
