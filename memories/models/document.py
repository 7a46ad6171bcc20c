"""Documents, whose passages are memories, and summaries (SPEC M-11)."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from security.models import ApiKey, class_field, class_range, person_field, person_spelled
from tenants.models import Agent, Project, TenantForeignKey, TenantModel


class Document(TenantModel):
    """A text from outside: what it is called and where it comes from. Its words stand in its passages."""

    title = models.TextField()
    source = models.TextField(default="", blank=True, help_text="A path, an address, a connector's name.")
    media_type = models.TextField(default="text/plain")
    file_name = models.TextField(default="", db_default="", blank=True, help_text="Empty: it came as text.")
    upload = models.BinaryField(
        null=True,
        blank=True,
        help_text="The file as it came, while it waits to be read; it goes when it was.",
    )
    refusal = models.TextField(
        default="", db_default="", blank=True, help_text="Why there is nothing to remember of it."
    )
    source_hash = models.BinaryField(
        null=True, blank=True, help_text="SHA-256 of the source, by which versions are found; null: none."
    )
    replaced_by = TenantForeignKey("self", null=True, blank=True, help_text="The version that holds.")
    content_hash = models.BinaryField(
        help_text="SHA-256 of the redacted text, or of the file: the same document comes once."
    )
    tags = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    occurred_at = models.DateTimeField(help_text="The document's own date, else when it came.")
    passages = models.IntegerField(default=0, help_text="Pieces it was cut into.")
    summary = models.TextField(default="", blank=True, help_text="Two or three sentences; empty: none yet.")
    summary_model = models.TextField(default="", blank=True)
    summary_tokens_in = models.IntegerField(default=0)
    summary_tokens_out = models.IntegerField(default=0)
    project = TenantForeignKey(Project, null=True, blank=True)
    agent = TenantForeignKey(Agent, null=True, blank=True)
    shared = models.BooleanField(default=False)
    domain = models.TextField(default="", blank=True)
    person = person_field()
    api_key = TenantForeignKey(ApiKey, null=True, blank=True)
    metadata = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    created_at = models.DateTimeField()
    classification = class_field()

    class Meta(TenantModel.Meta):
        db_table = "document"
        constraints = [class_range("document_class"), person_spelled("document_person")]
        indexes = [
            models.Index(fields=["tenant", "content_hash"], name="document_hash"),
            models.Index(fields=["tenant", "created_at"], name="document_created"),
            models.Index(
                fields=["tenant", "source_hash"],
                condition=models.Q(source_hash__isnull=False),
                name="document_source",
            ),
        ]

    def __str__(self) -> str:
        return self.title
