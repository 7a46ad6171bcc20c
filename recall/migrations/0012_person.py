"""Say of a recall for whom it was asked, and wall it off by it: a question tells of who asks (SPEC K-09)."""

from django.db import migrations, models

from tenants.rls import IsolateByPerson


class Migration(migrations.Migration):
    dependencies = [("recall", "0011_mark_again")]

    operations = [
        migrations.AddField(
            "recallevent",
            "person",
            models.TextField(
                default="", db_default="", blank=True, help_text="The end user whose it is; empty: common."
            ),
        ),
        migrations.AddConstraint(
            "recallevent",
            models.CheckConstraint(
                condition=models.Q(person__regex=r"^[!-~]{0,128}$"), name="recall_event_person"
            ),
        ),
        IsolateByPerson("recallevent"),
        migrations.AddIndex(
            "recallevent",
            models.Index(
                fields=["tenant", "person", "id"],
                condition=~models.Q(person=""),
                name="recall_event_of_person",
            ),
        ),
    ]
