"""Shadow runs: what is tried against what, on which questions, and what came of each (SPEC S-06)."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from security.models import class_field, class_range
from tenants.models import TenantForeignKey, TenantModel

RUN_STATES = ("queued", "running", "done", "cancelled", "dead")
VERDICTS = ("passed", "failed")

FEWEST_REAL = 200
"""Questions that were really asked, of which a run needs as many to pass (SPEC S-06)."""


class ShadowRun(TenantModel):
    """
    A candidate tried beside what is in force. Its row is the job: claimed by a lease, worked on in slices.

    It carries names, numbers and ids; what was asked stands in the questions, each with its class.
    """

    candidate = models.JSONField(encoder=DjangoJSONEncoder, help_text="What is tried: see docs/shadow.md.")
    baseline = models.JSONField(encoder=DjangoJSONEncoder, help_text="What was in force when it began.")
    candidate_label = models.TextField()
    baseline_label = models.TextField()
    state = models.TextField(choices=[(one, one) for one in RUN_STATES], default="queued")
    verdict = models.TextField(null=True, blank=True, choices=[(one, one) for one in VERDICTS])
    reasons = models.JSONField(default=list, encoder=DjangoJSONEncoder, help_text="Why it failed.")
    sample = models.JSONField(
        default=dict, encoder=DjangoJSONEncoder, help_text="How the questions were chosen."
    )
    limits = models.JSONField(default=dict, help_text="What the comparison has to reach.")
    total = models.IntegerField(default=0, help_text="Questions.")
    real = models.IntegerField(default=0, help_text="Of these, how many were really asked.")
    done = models.IntegerField(default=0)
    planted = models.IntegerField(default=0, help_text="Leaks that the run planted.")
    planted_caught = models.IntegerField(default=0)
    leaks = models.IntegerField(default=0, help_text="Of the candidate.")
    failures = models.IntegerField(default=0, help_text="Questions that a side could not answer.")
    summary = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    in_force = models.TextField(
        null=True, blank=True, help_text="Fingerprint of what was in force at its start."
    )
    created_by = models.TextField(default="")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    lease_token = models.UUIDField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    attempts = models.SmallIntegerField(default=0, help_text="Since the last question that was answered.")

    class Meta(TenantModel.Meta):
        db_table = "shadow_run"
        constraints = [
            # Whatever wrote the row: no run passes that has not seen enough, or that missed what it planted.
            models.CheckConstraint(
                condition=~models.Q(verdict="passed")
                | models.Q(
                    state="done",
                    leaks=0,
                    failures=0,
                    planted__gt=0,
                    planted_caught=models.F("planted"),
                    done=models.F("total"),
                    real__gte=FEWEST_REAL,
                ),
                name="shadow_run_passed",
            )
        ]
        indexes = [models.Index(fields=["tenant", "created_at"], name="shadow_run_created")]

    def __str__(self) -> str:
        return f"{self.candidate_label}, {self.verdict or self.state}"


class ShadowQuestion(TenantModel):
    """
    A question of a run, and how both sides answered it.

    The words of one that was really asked are read from its recall, so that what is blanked there is blanked
    here. Its class is the clearance of its asker: it may hold what they know.
    """

    run = TenantForeignKey(ShadowRun, related_name="questions")
    seq = models.IntegerField(help_text="From 1.")
    event = TenantForeignKey("recall.RecallEvent", null=True, blank=True, help_text="None: it was given.")
    question = models.JSONField(
        encoder=DjangoJSONEncoder, help_text="Redacted; without words if they are the event's."
    )
    viewer = models.JSONField(encoder=DjangoJSONEncoder, help_text="As whom it is asked.")
    result = models.JSONField(null=True, blank=True, encoder=DjangoJSONEncoder)
    done_at = models.DateTimeField(null=True, blank=True)
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "shadow_question"
        constraints = [
            class_range("shadow_question_class"),
            models.UniqueConstraint(fields=["tenant", "run", "seq"], name="shadow_question_seq"),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "run", "seq"],
                condition=models.Q(done_at=None),
                name="shadow_question_open",
            )
        ]
