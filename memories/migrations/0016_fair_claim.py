"""Let the sweeper go from tenant to tenant, and count a tenant's backlog, by one small index."""

from pathlib import Path

from django.db import migrations, models

from tenants.rls import DefinerFunction

SQL = Path(__file__).parent / "sql" / "0016_claim_due_v2.sql"


class Migration(migrations.Migration):
    dependencies = [("memories", "0015_standing_wishes")]

    operations = [
        migrations.AddIndex(
            model_name="capture",
            index=models.Index(
                condition=models.Q(("state__in", ("pending", "processing"))),
                fields=["tenant", "created_at"],
                name="capture_open",
            ),
        ),
        # What it needs of the table the first version was granted already.
        DefinerFunction("candor_claim_due_v2(integer, integer)", SQL.read_text(), {}),
    ]
