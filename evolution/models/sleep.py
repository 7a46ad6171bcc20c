"""What a night did: its runs, their steps, and where the next one goes on (SPEC E-04)."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from tenants.models import TenantForeignKey, TenantModel

RUN_STATES = ("waiting", "running", "done", "failed", "interrupted")
STEP_STATES = ("running", "done", "unfinished", "failed", "interrupted")


class SleepRun(TenantModel):
    """One cycle of a tenant: asked for by hand or by the beat, then run once."""

    state = models.TextField(choices=[(state, state) for state in RUN_STATES])
    trigger = models.TextField(choices=[(name, name) for name in ("beat", "hand")])
    asked_by = models.TextField(default="", help_text="Who asked for it by hand.")
    steps = models.JSONField(default=list, blank=True, help_text="Asked for by name; none: all that are due.")
    dream = models.BooleanField(null=True, blank=True, help_text="Asked for or forbidden; none: by the gate.")
    wanted = models.JSONField(default=list, blank=True, help_text="Memories to be seen to.")
    dreamt = models.BooleanField(default=False)
    gate = models.JSONField(default=dict, encoder=DjangoJSONEncoder, help_text="What the gate saw.")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta(TenantModel.Meta):
        db_table = "sleep_run"
        indexes = [models.Index(fields=["tenant", "created_at"], name="sleep_run_created")]


class SleepStep(TenantModel):
    """What one step of a cycle did. Its error names what went wrong without any content."""

    run = TenantForeignKey(SleepRun, related_name="records")
    place = models.SmallIntegerField(help_text="In the order of the cycle, from 1.")
    name = models.TextField()
    cost = models.TextField(choices=[(cost, cost) for cost in ("cheap", "dream")])
    state = models.TextField(
        choices=[(state, state) for state in STEP_STATES],
        help_text="unfinished: its time was used up, the next cycle goes on there.",
    )
    counts = models.JSONField(default=dict)
    tokens_in = models.IntegerField(default=0)
    tokens_out = models.IntegerField(default=0)
    error = models.TextField(default="")
    started_at = models.DateTimeField()
    milliseconds = models.IntegerField(default=0)

    class Meta(TenantModel.Meta):
        db_table = "sleep_step"
        constraints = [models.UniqueConstraint(fields=["tenant", "run", "place"], name="sleep_step_place")]


class SleepState(TenantModel):
    """Where a tenant's nights stand: who is at it, when it last dreamt, where unfinished steps go on."""

    cycle = models.TextField(default="night", help_text="Of which kind; there is one.")
    lease_token = models.UUIDField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    dreamt_at = models.DateTimeField(null=True, blank=True)
    places = models.JSONField(default=dict, help_text="Step → where it goes on.")

    class Meta(TenantModel.Meta):
        db_table = "sleep_state"
        constraints = [models.UniqueConstraint(fields=["tenant", "cycle"], name="sleep_state_cycle")]
