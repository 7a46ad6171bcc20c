"""Delete what a tenant's rules of retention let go: questions, and what nights did (SPEC O-06)."""

from pathlib import Path

from django.db import migrations

from tenants.rls import DefinerFunction, LetDefinerHold

SQL = Path(__file__).parent / "sql"


class Migration(migrations.Migration):
    dependencies = [
        ("evolution", "0013_webhooks"),
        ("recall", "0012_person"),
        ("tenants", "0009_retention"),
    ]

    operations = [
        LetDefinerHold("SleepRun"),
        LetDefinerHold("SleepStep"),
        DefinerFunction(
            "candor_retain_recalls(uuid[])",
            (SQL / "0014_retain_recalls.sql").read_text(),
            {"recall_event": "DELETE"},  # the rest came with what erases
        ),
        DefinerFunction(
            "candor_retain_nights(integer)",
            (SQL / "0014_retain_nights.sql").read_text(),
            {"sleep_run": "SELECT, DELETE", "sleep_step": "SELECT, DELETE"},
        ),
    ]
