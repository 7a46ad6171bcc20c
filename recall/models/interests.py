"""What agents ask about, as the night counted it (SPEC E-11)."""

from django.db import models

from security.models import class_field, class_range
from tenants.models import Agent, Project, TenantForeignKey, TenantModel


class Interest(TenantModel):
    """
    On how many occasions an agent asked about something, in three windows. Counted anew by the night.

    An occasion is a session, or a day where a question named none. Questions asked for an end user are not
    counted: what one user wants to know steers no other's answers.
    """

    agent = TenantForeignKey(Agent)
    project = TenantForeignKey(Project, null=True, blank=True)
    term = models.TextField(help_text="A word as it was asked; empty: any, the number of all occasions.")
    days_7 = models.IntegerField()
    days_30 = models.IntegerField()
    days_90 = models.IntegerField()
    counted_at = models.DateTimeField()
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "interest"
        constraints = [
            class_range("interest_class"),
            models.UniqueConstraint(
                fields=["tenant", "agent", "project", "classification", "term"], nulls_distinct=False,
                name="interest_once",
            ),
        ]  # fmt: skip
