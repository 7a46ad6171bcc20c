"""A capture: what was said, and the job of making memory of it. Its row is the queue."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.text import Truncator

from memories.domain import LAYERS
from memories.models.document import Document
from security.models import ApiKey, class_field, class_range, person_field, person_spelled
from tenants.models import Agent, Project, TenantForeignKey, TenantModel

OPEN_STATES = ("pending", "processing")
HELD_STATES = ("quarantined", "dead")
"""States that a person has to look at."""

STATES = (*OPEN_STATES, "stored", "discarded", "quarantined", "dead")


class Capture(TenantModel):
    """A redacted text with its session, actor, clock and zone (SPEC W-01)."""

    text = models.TextField()
    role = models.TextField(choices=[(role, role) for role in ("user", "assistant", "tool")])
    speaker = models.TextField(default="")
    session = models.TextField(default="")
    turn = models.IntegerField(help_text="Place in its session, from 0.")
    clock = models.DateTimeField()
    timezone = models.TextField(default="UTC")
    origin = models.TextField(
        default="",
        db_default="",
        help_text="The best origin that its words may have, as its key was granted; empty: from before.",
    )
    voice = models.TextField(
        default="",
        db_default="",
        help_text="Whose word it is: see `memories.candidates`; empty: from before.",
    )
    corrects = models.BooleanField(
        default=False, db_default=False, help_text="Whether it may correct what another person said."
    )
    verbatim = models.BooleanField(default=False)
    references = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    fingerprints = models.JSONField(
        default=list,
        encoder=DjangoJSONEncoder,
        help_text="Of what it may speak of: [kind, name, scope, digest].",
    )
    metadata = models.JSONField(
        default=dict, db_default={}, encoder=DjangoJSONEncoder, help_text="Facts of the client's own."
    )
    secrets_found = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    document = TenantForeignKey(Document, null=True, blank=True, help_text="Of which this is a passage.")
    passage = models.IntegerField(null=True, blank=True, help_text="Place in its document, from 0.")
    project = TenantForeignKey(Project, null=True, blank=True)
    agent = TenantForeignKey(Agent, null=True, blank=True)
    shared = models.BooleanField(default=False)
    domain = models.TextField(default="")
    person = person_field()
    layer = models.TextField(
        default="", db_default="", blank=True, choices=[(layer, layer) for layer in LAYERS],
        help_text="Of what is made of it; empty: as it is read.",
    )  # fmt: skip
    classification = class_field(read_back=True)

    api_key = TenantForeignKey(ApiKey, null=True, blank=True)
    idempotency_key = models.TextField(null=True, blank=True)
    request_hash = models.BinaryField(null=True, blank=True)

    state = models.TextField(choices=[(state, state) for state in STATES], default="pending")
    attempts = models.SmallIntegerField(default=0)
    lease_token = models.UUIDField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    trace = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    memory_ids = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    error = models.TextField(default="")
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    related_at = models.DateTimeField(
        null=True, blank=True, help_text="When what stands beside its memories was built (SPEC W-16)."
    )

    waits_for = models.TextField(
        default="", db_default="", help_text="What is out that it waits for; empty: it waits for nothing."
    )
    waiting_since = models.DateTimeField(null=True, blank=True)

    class Meta(TenantModel.Meta):
        db_table = "capture"
        constraints = [
            class_range("capture_class"),
            person_spelled("capture_person"),
            models.UniqueConstraint(
                fields=["tenant", "api_key", "idempotency_key"], name="capture_idempotency_key"
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "session", "turn"], name="capture_session"),
            models.Index(fields=["tenant", "created_at"], name="capture_created"),
            models.Index(
                fields=["tenant", "person", "id"], condition=~models.Q(person=""), name="capture_of_person"
            ),
            models.Index(
                fields=["leased_until", "created_at"],
                condition=models.Q(state__in=OPEN_STATES),
                name="capture_due",
            ),
            models.Index(
                fields=["tenant", "created_at"],
                condition=models.Q(state__in=OPEN_STATES),
                name="capture_open",
            ),
            models.Index(
                fields=["tenant", "created_at"],
                condition=models.Q(state__in=OPEN_STATES, document__isnull=False, passage__isnull=True),
                name="capture_uncut",
            ),
            models.Index(
                fields=["tenant", "created_at"],
                condition=models.Q(idempotency_key__isnull=False),
                name="capture_keyed",
            ),
            models.Index(
                fields=["tenant", "created_at"],
                condition=models.Q(state__in=HELD_STATES),
                name="capture_held",
            ),
            models.Index(
                fields=["tenant", "created_at"],
                condition=models.Q(state="stored", related_at__isnull=True),
                name="capture_unrelated",
            ),
        ]

    def __str__(self) -> str:
        return Truncator(self.text).chars(80)
