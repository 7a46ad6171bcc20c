"""Addresses that are told what happened (SPEC I-04)."""

from typing import Final

from django.contrib.postgres.fields import ArrayField
from django.db import models

from security.models import ApiKey
from tenants.models import TenantForeignKey, TenantModel

ACTIVE: Final = "active"
STOPPED: Final = "stopped"


class Webhook(TenantModel):
    """
    An address that is sent events, one after the other, as far as its key may see.

    No text and no secret is in it: what signs is derived from the service's secret, the id and the version.
    """

    api_key = TenantForeignKey(ApiKey)
    url = models.TextField()
    kinds = ArrayField(models.TextField(), help_text="Of events; each is sent if the key may see it.")
    secret_version = models.IntegerField(default=1)
    secret_rotated_at = models.DateTimeField(null=True, blank=True)
    state = models.TextField(choices=[(one, one) for one in (ACTIVE, STOPPED)], default=ACTIVE)
    stopped_because = models.TextField(default="", blank=True, help_text="Empty: by hand, or not at all.")
    place = models.BigIntegerField(help_text="In the trail: all before it was sent, or is not for this one.")
    pinged_at = models.DateTimeField(null=True, blank=True, help_text="When a ping was asked for.")
    failures = models.IntegerField(default=0, help_text="In a row, of the event that is next.")
    next_at = models.DateTimeField(help_text="Not tried before.")
    lease_token = models.UUIDField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    sent = models.BigIntegerField(default=0, help_text="Events that were taken.")
    last_sent_at = models.DateTimeField(null=True, blank=True)
    last_status = models.SmallIntegerField(null=True, blank=True, help_text="Of the last answer.")
    last_error = models.TextField(default="", blank=True, help_text="Of the last attempt; empty: none.")
    created_at = models.DateTimeField()
    created_by = models.TextField()

    class Meta(TenantModel.Meta):
        db_table = "webhook"
        constraints = [
            models.CheckConstraint(condition=models.Q(state__in=[ACTIVE, STOPPED]), name="webhook_state"),
        ]
        indexes = [
            models.Index(fields=["next_at"], name="webhook_next", condition=models.Q(state=ACTIVE)),
        ]
