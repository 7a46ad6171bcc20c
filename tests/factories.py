"""
Rows for tests, one function for each table: `make_memory(tenant=ada, content="…")`.

`make_tenant("ada")` answers a Viewer at full clearance, which is both the tenant's handle and what
`tenant_scope` takes. Everything is written as the service writes it: in the tenant's own unit of work.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import uuid4

import factory
import numpy as np
from django.contrib.auth.models import Permission, User
from django.db import DEFAULT_DB_ALIAS, models
from django.utils import timezone
from factory import LazyAttribute, SelfAttribute, Sequence, SubFactory
from factory.django import DjangoModelFactory
from pgvector import HalfVector

from evolution.models import Consolidation, Feedback, SleepRun, SleepState, SleepStep, Webhook
from memories.curation.archive import hash_text
from memories.curation.downgrade import ask_downgrade
from memories.domain.kinds import KINDS
from memories.models import (
    Capture,
    CollectionStat,
    Contradiction,
    Corroboration,
    Document,
    Downgrade,
    Embedding,
    Entity,
    EntityAlias,
    Erasure,
    Lineage,
    Link,
    Memory,
    MemoryVersion,
    Mention,
    Observation,
    Posting,
    SessionMark,
    Summary,
    Triple,
    Usage,
    VectorHome,
    Verification,
    Vocabulary,
    Watermark,
)
from recall.models import (
    Interest,
    LearntOfMemory,
    RecalledMemory,
    RecallEvent,
    ShadowQuestion,
    ShadowRun,
    StoredPolicy,
)
from recall.policies.versions import PolicyDraft, draft_policy
from security import audit
from security.gate.transitions import close_gate
from security.models import AccessGate, ApiKey, AuditEvent, AuditLink, DoneRequest, ProjectGrant, TenantGrant
from tenants.models import Agent, Membership, Project, Tenant
from tenants.roles import OWNER_ALIAS
from tenants.scope import FULL_CLEARANCE, Viewer, pipeline_viewer, tenant_scope, unit_of_work

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
"""The moment at which everything here was made, unless said otherwise."""

SPACE = "e5-small-q4"
DIMENSIONS = 384


def make_tenant(slug: str = "ada", **columns: Any) -> Viewer:
    """Make a tenant; answer who reads and writes all of it."""
    tenant = Tenant(id=columns.pop("id", uuid4()), slug=slug, name=columns.pop("name", slug), **columns)
    viewer = pipeline_viewer(tenant.id)
    with tenant_scope(viewer), unit_of_work():
        tenant.save(force_insert=True)
    return viewer


def make_user(username: str = "grace") -> User:
    """Make a person who may log in; as the owner, for the service may not."""
    return User.objects.using(OWNER_ALIAS).create(username=username, is_staff=True)


class TenantRow(DjangoModelFactory):
    """A row written within its tenant's own unit of work, whoever is in force around it."""

    class Meta:
        abstract = True

    tenant: Viewer

    @classmethod
    def _create(cls, model_class: type[models.Model], *args: Any, **columns: Any) -> Any:
        viewer = replace(columns.pop("tenant"), clearance=FULL_CLEARANCE)
        with tenant_scope(viewer), unit_of_work():
            row = model_class(*args, tenant_id=viewer.tenant_id, **columns)
            row.save(force_insert=True, using=DEFAULT_DB_ALIAS)
            return row


def of_tenant(maker: type[TenantRow]) -> SubFactory:
    """Return a row that the made one needs, of the same tenant."""
    return SubFactory(maker, tenant=SelfAttribute("..tenant"))


class ProjectRow(TenantRow):
    class Meta:
        model = Project

    slug = Sequence(lambda n: f"project-{n}")
    name = SelfAttribute("slug")


class AgentRow(TenantRow):
    class Meta:
        model = Agent

    slug = Sequence(lambda n: f"agent-{n}")
    name = SelfAttribute("slug")
    ceiling = FULL_CLEARANCE


class MembershipRow(TenantRow):
    class Meta:
        model = Membership

    user = factory.LazyFunction(lambda: make_user(f"person-{uuid4().hex[:8]}"))
    role = "operator"


class ProjectGrantRow(TenantRow):
    class Meta:
        model = ProjectGrant
        exclude = ("right", "user")

    right = "view"
    user = factory.LazyFunction(lambda: make_user(f"person-{uuid4().hex[:8]}"))
    user_id = LazyAttribute(lambda row: row.user.pk)
    permission = LazyAttribute(lambda row: permission_of(Project, row.right))
    content_object = of_tenant(ProjectRow)


class TenantGrantRow(TenantRow):
    class Meta:
        model = TenantGrant
        exclude = ("right", "user")

    right = "view"
    user = factory.LazyFunction(lambda: make_user(f"person-{uuid4().hex[:8]}"))
    user_id = LazyAttribute(lambda row: row.user.pk)
    permission = LazyAttribute(lambda row: permission_of(Tenant, row.right))
    content_object_id = LazyAttribute(lambda row: row.tenant.tenant_id)


def permission_of(model: type[models.Model], right: str) -> Permission:
    """Return a right on a kind of object as Django keeps it."""
    of_model = {"content_type__app_label": "tenants", "content_type__model": model._meta.model_name}
    return Permission.objects.get(codename=right, **of_model)


class KeyRow(TenantRow):
    class Meta:
        model = ApiKey

    name = Sequence(lambda n: f"key {n}")
    prefix = "cdr_testtest"
    secret_hash = factory.LazyFunction(lambda: hashlib.sha256(uuid4().bytes).digest())
    scopes = ("capture", "write", "recall", "feedback", "read")
    ceiling = FULL_CLEARANCE


def make_gate(*, tenant: Viewer, reason: str = "made") -> AccessGate:
    """Make the tenant's gate, which the database does: it is closed by hand."""
    with tenant_scope(replace(tenant, clearance=FULL_CLEARANCE)), unit_of_work():
        close_gate(reason=reason, now=NOW)
        return AccessGate.objects.get()


class AuditEventRow(TenantRow):
    """An event that was appended as the service appends it: no login may insert one."""

    class Meta:
        model = AuditEvent

    @classmethod
    def _create(cls, model_class: type[models.Model], *args: Any, **columns: Any) -> Any:
        actor = {name: columns.pop(name) for name in ("actor_kind", "actor_id")}
        viewer = replace(columns.pop("tenant"), clearance=FULL_CLEARANCE, **actor)
        now = columns.pop("at")
        with tenant_scope(viewer):
            with unit_of_work():
                audit.append_all([audit.Event(**columns)], now=now)
            with unit_of_work():
                last = AuditLink.objects.order_by("seq").last()
                return AuditEvent.objects.get(id=last.id)

    at = NOW
    actor_kind = "system"
    actor_id = "pipeline"
    action = "create"
    object_type = "memory"
    object_id = factory.LazyFunction(lambda: str(uuid4()))


class CaptureRow(TenantRow):
    class Meta:
        model = Capture

    text = "The staging server moved to Frankfurt."
    role = "user"
    session = "monday"
    turn = Sequence(int)
    clock = NOW
    created_at = NOW


class MemoryRow(TenantRow):
    class Meta:
        model = Memory

    content = Sequence(lambda n: f"Build {n} runs on the staging server in Frankfurt.")
    kind = "finding"
    card = LazyAttribute(lambda row: KINDS[row.kind].card)
    confidence = 0.8
    provenance = "user_stated"
    trust = 0.8
    content_hash = LazyAttribute(lambda row: hashlib.sha256(row.content.lower().encode()).digest())
    created_at = NOW
    occurred_at = NOW
    effective_at = NOW
    last_verified_at = NOW
    updated_at = NOW


class MemoryVersionRow(TenantRow):
    class Meta:
        model = MemoryVersion

    memory = of_tenant(MemoryRow)
    version = 1
    content = "The staging server runs somewhere in Germany."
    replaced_at = NOW
    reason = "merge"


class UsageRow(TenantRow):
    class Meta:
        model = Usage

    memory = of_tenant(MemoryRow)
    last_accessed_at = NOW


class EmbeddingRow(TenantRow):
    class Meta:
        model = Embedding

    memory = of_tenant(MemoryRow)
    space = SPACE
    vector = LazyAttribute(lambda row: a_vector(row.memory.content))


class VectorHomeRow(TenantRow):
    class Meta:
        model = VectorHome

    space = Sequence(lambda number: f"former-{number}")
    dimensions = DIMENSIONS
    state = "kept"
    created_at = NOW


class PostingRow(TenantRow):
    class Meta:
        model = Posting

    memory = of_tenant(MemoryRow)
    term = "frankfurt"
    frequency = 1
    length = 8


class VocabularyRow(TenantRow):
    class Meta:
        model = Vocabulary

    gram = "rot"
    term = "rotterdam"
    size = 10


class CollectionStatRow(TenantRow):
    class Meta:
        model = CollectionStat

    documents = 1
    total_length = 8

    @classmethod
    def _create(cls, model_class: type[models.Model], *args: Any, **columns: Any) -> Any:
        """Fill the row in that the first memory of the class has made, if there is one."""
        viewer = replace(columns.pop("tenant"), clearance=FULL_CLEARANCE)
        rank = columns.pop("classification", model_class._meta.get_field("classification").get_default())
        with tenant_scope(viewer), unit_of_work():
            return model_class._default_manager.update_or_create(
                tenant_id=viewer.tenant_id, classification=rank, defaults=columns
            )[0]


class LinkRow(TenantRow):
    class Meta:
        model = Link

    source = of_tenant(MemoryRow)
    target = of_tenant(MemoryRow)
    type = "related_to"
    weight = 0.5
    origin = "auto"
    created_at = NOW
    last_verified_at = NOW


class WatermarkRow(TenantRow):
    class Meta:
        model = Watermark

    memory = of_tenant(MemoryRow)
    kind = "file"
    name = "deploy/staging.toml"
    value = "a" * 64
    seen = SelfAttribute("value")
    bound_at = NOW
    seen_at = NOW


class ObservationRow(TenantRow):
    class Meta:
        model = Observation

    memory = of_tenant(MemoryRow)
    kind = "file"
    moved = True
    first_at = NOW
    last_at = NOW


class CorroborationRow(TenantRow):
    class Meta:
        model = Corroboration

    memory = of_tenant(MemoryRow)
    provenance = "measured"
    session = "tuesday"
    trust = 0.5
    at = NOW


class VerificationRow(TenantRow):
    class Meta:
        model = Verification

    memory = of_tenant(MemoryRow)
    reason = "moved"
    what = "file deploy/staging.toml"
    opened_at = NOW


class ContradictionRow(TenantRow):
    class Meta:
        model = Contradiction

    older = of_tenant(MemoryRow)
    newer = of_tenant(MemoryRow)
    entity_key = "staging"
    concept_key = "location"
    trust_gap = 0.0
    reason = "another value of as good an origin"
    opened_at = NOW


class DocumentRow(TenantRow):
    class Meta:
        model = Document

    title = "The staging handbook"
    content_hash = LazyAttribute(lambda row: hashlib.sha256(row.title.encode()).digest())
    occurred_at = NOW
    created_at = NOW


class SummaryRow(TenantRow):
    class Meta:
        model = Summary

    memory = of_tenant(MemoryRow)
    text = "How staging is run."
    model = "rules"
    content_hash = b"\0" * 32
    created_at = NOW


class EntityRow(TenantRow):
    class Meta:
        model = Entity

    name = Sequence(lambda n: f"Server {n}")
    key = LazyAttribute(lambda row: row.name.casefold())
    created_at = NOW
    last_seen_at = NOW


class EntityAliasRow(TenantRow):
    class Meta:
        model = EntityAlias

    entity = of_tenant(EntityRow)
    key = Sequence(lambda n: f"srv {n}")
    origin = "auto"
    created_at = NOW


class MentionRow(TenantRow):
    class Meta:
        model = Mention

    entity = of_tenant(EntityRow)
    memory = of_tenant(MemoryRow)
    created_at = NOW


class TripleRow(TenantRow):
    class Meta:
        model = Triple

    memory = of_tenant(MemoryRow)
    subject = of_tenant(EntityRow)
    predicate = "location"
    object_text = "Frankfurt"
    provenance = "user_stated"
    trust = 0.8
    effective_at = NOW
    created_at = NOW


class RecallEventRow(TenantRow):
    class Meta:
        model = RecallEvent

    at = NOW
    asked_at = NOW
    query = "Where does staging run?"
    k = 5
    policy = "default"


class RecalledMemoryRow(TenantRow):
    class Meta:
        model = RecalledMemory

    recall = of_tenant(RecallEventRow)
    memory = of_tenant(MemoryRow)
    place = 1
    score = 0.9


class InterestRow(TenantRow):
    class Meta:
        model = Interest

    agent = of_tenant(AgentRow)
    term = "turbine"
    days_7 = days_30 = days_90 = 3
    counted_at = NOW


class LearntOfMemoryRow(TenantRow):
    class Meta:
        model = LearntOfMemory

    memory = of_tenant(MemoryRow)


class ShadowRunRow(TenantRow):
    class Meta:
        model = ShadowRun

    candidate = factory.LazyFunction(lambda: {"kind": "in_force"})
    baseline = factory.LazyFunction(lambda: {"kind": "in_force"})
    candidate_label = "default@1"
    baseline_label = "default@1"
    created_at = NOW


class ShadowQuestionRow(TenantRow):
    class Meta:
        model = ShadowQuestion

    run = of_tenant(ShadowRunRow)
    seq = Sequence(lambda n: n + 1)
    event = of_tenant(RecallEventRow)
    question = factory.LazyFunction(lambda: {"k": 5})
    viewer = factory.LazyFunction(lambda: {"kind": "system", "clearance": 1})


class FeedbackRow(TenantRow):
    class Meta:
        model = Feedback

    recall = of_tenant(RecallEventRow)
    memory = of_tenant(MemoryRow)
    outcome = "helpful"
    actor_kind = "agent"
    actor_id = "atlas"
    weight = 0.25
    q_before = 0.5
    q_after = 0.5125
    at = NOW


class SleepRunRow(TenantRow):
    class Meta:
        model = SleepRun

    state = "done"
    trigger = "beat"
    created_at = NOW


class SleepStepRow(TenantRow):
    class Meta:
        model = SleepStep

    run = of_tenant(SleepRunRow)
    place = Sequence(lambda n: n + 1)
    name = "tiers"
    cost = "cheap"
    state = "done"
    started_at = NOW


class SleepStateRow(TenantRow):
    class Meta:
        model = SleepState

    cycle = Sequence(lambda n: f"night {n}")


class ConsolidationRow(TenantRow):
    class Meta:
        model = Consolidation

    pattern = of_tenant(MemoryRow)
    made_by = "rules"
    made_at = NOW


class ErasureRow(TenantRow):
    class Meta:
        model = Erasure

    act = factory.LazyFunction(uuid4)
    memory_id = factory.LazyFunction(uuid4)
    digest = b"\0" * 32
    at = NOW


class LineageRow(TenantRow):
    class Meta:
        model = Lineage

    child = of_tenant(MemoryRow)
    parent = of_tenant(MemoryRow)
    created_at = NOW


make_project: Callable[..., Project] = ProjectRow.create
make_agent: Callable[..., Agent] = AgentRow.create
make_membership: Callable[..., Membership] = MembershipRow.create
make_project_grant: Callable[..., ProjectGrant] = ProjectGrantRow.create
make_tenant_grant: Callable[..., TenantGrant] = TenantGrantRow.create
make_key: Callable[..., ApiKey] = KeyRow.create
make_audit_event: Callable[..., AuditEvent] = AuditEventRow.create
make_capture: Callable[..., Capture] = CaptureRow.create
make_memory_version: Callable[..., MemoryVersion] = MemoryVersionRow.create
make_usage: Callable[..., Usage] = UsageRow.create
make_embedding: Callable[..., Embedding] = EmbeddingRow.create
make_vector_home: Callable[..., VectorHome] = VectorHomeRow.create
make_posting: Callable[..., Posting] = PostingRow.create
make_vocabulary: Callable[..., Vocabulary] = VocabularyRow.create
make_collection_stat: Callable[..., CollectionStat] = CollectionStatRow.create
make_link: Callable[..., Link] = LinkRow.create
make_contradiction: Callable[..., Contradiction] = ContradictionRow.create
make_watermark: Callable[..., Watermark] = WatermarkRow.create
make_observation: Callable[..., Observation] = ObservationRow.create
make_corroboration: Callable[..., Corroboration] = CorroborationRow.create
make_verification: Callable[..., Verification] = VerificationRow.create
make_document: Callable[..., Document] = DocumentRow.create
make_summary: Callable[..., Summary] = SummaryRow.create
make_entity: Callable[..., Entity] = EntityRow.create
make_entity_alias: Callable[..., EntityAlias] = EntityAliasRow.create
make_mention: Callable[..., Mention] = MentionRow.create
make_triple: Callable[..., Triple] = TripleRow.create
make_recall_event: Callable[..., RecallEvent] = RecallEventRow.create
make_recalled_memory: Callable[..., RecalledMemory] = RecalledMemoryRow.create
make_learnt_of_memory: Callable[..., LearntOfMemory] = LearntOfMemoryRow.create
make_interest: Callable[..., Interest] = InterestRow.create
make_shadow_run: Callable[..., ShadowRun] = ShadowRunRow.create
make_passed_run: Callable[..., ShadowRun] = partial(
    make_shadow_run,
    state="done", verdict="passed", total=200, done=200, real=200, planted=10, planted_caught=10,
    started_at=NOW, finished_at=NOW,
)  # fmt: skip
"""A shadow run that proves what it tried."""
make_shadow_question: Callable[..., ShadowQuestion] = ShadowQuestionRow.create
make_feedback: Callable[..., Feedback] = FeedbackRow.create
make_sleep_run: Callable[..., SleepRun] = SleepRunRow.create
make_sleep_step: Callable[..., SleepStep] = SleepStepRow.create
make_sleep_state: Callable[..., SleepState] = SleepStateRow.create
make_consolidation: Callable[..., Consolidation] = ConsolidationRow.create
make_lineage: Callable[..., Lineage] = LineageRow.create
make_erasure: Callable[..., Erasure] = ErasureRow.create


def make_downgrade(
    *, tenant: Viewer, memory: Memory | None = None, wanted: int = 0, now: datetime = NOW
) -> Downgrade:
    """Ask as a person that a memory come down; by default one from confidential to public."""
    key = make_key(tenant=tenant, scopes=["declassify"])
    memory = memory or make_memory(tenant=tenant, classification=3)
    asker = replace(
        tenant, clearance=FULL_CLEARANCE, actor_kind="person", actor_id=str(key.id), key_id=key.id
    )
    with tenant_scope(asker):
        asked = ask_downgrade(
            memory.id, classification=wanted, now=now, reason="known by now", hash=hash_text(memory.content)
        )
        assert asked.downgrade is not None
        with unit_of_work():
            return Downgrade.objects.get(id=asked.downgrade.id)


def make_recall_policy(
    *, tenant: Viewer, name: str = "", changes: Mapping[str, Any] | None = None, now: datetime = NOW
) -> StoredPolicy:
    """Draft a version as a person; by default the next of «acme», with a k that no other draft has."""
    person = replace(tenant, actor_kind="person", actor_id="factory")
    with tenant_scope(person), unit_of_work():
        changes = changes or {"k": 6 + StoredPolicy.objects.count()}
        drafted, _ = draft_policy(PolicyDraft(name=name or "acme", changes=changes), now=now)
        return StoredPolicy.objects.get(id=drafted.id)


def make_session_mark(
    *, tenant: Viewer, session: str = "monday", rank: int = 1, person: str = ""
) -> SessionMark:
    """Show a memory of this class to an agent in a session; answer the mark that it leaves."""
    agent = make_agent(tenant=tenant)
    event = make_recall_event(tenant=tenant, agent=agent, session=session, at=timezone.now(), person=person)
    make_recalled_memory(tenant=tenant, recall=event, classification=rank)
    with tenant_scope(replace(tenant, clearance=FULL_CLEARANCE, every_person=True)), unit_of_work():
        return SessionMark.objects.get(holder=agent.id)


def make_done_request(*, tenant: Viewer) -> DoneRequest:
    """Note a request as done under an idempotency key."""
    key = make_key(tenant=tenant)
    with tenant_scope(tenant), unit_of_work():
        return DoneRequest.objects.create(
            api_key=key, key_hash=key.id.bytes, request_hash=b"r", status=201, created_at=timezone.now()
        )


def make_webhook(*, tenant: Viewer) -> Webhook:
    """Make a webhook that leads nowhere."""
    key = make_key(tenant=tenant)
    with tenant_scope(tenant), unit_of_work():
        return Webhook.objects.create(
            api_key=key, url="https://hooks.example.invalid/", kinds=["stored"], place=0,
            next_at=timezone.now(), created_at=timezone.now(), created_by="person:test",
        )  # fmt: skip


def make_audit_link(*, tenant: Viewer) -> AuditLink:
    """Make an event; answer its place in the chain."""
    event = make_audit_event(tenant=tenant)
    with tenant_scope(replace(tenant, clearance=FULL_CLEARANCE)), unit_of_work():
        return AuditLink.objects.get(id=event.id)


def a_vector(text: str) -> HalfVector:
    """Return a unit vector that the text alone decides: equal texts are near, others far."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    drawn = np.random.default_rng(seed).standard_normal(DIMENSIONS)
    return HalfVector(drawn / np.linalg.norm(drawn))


def make_memory(
    *,
    tenant: Viewer,
    usage: dict[str, Any] | None = None,
    vector: Any = None,
    terms: Mapping[str, int] | None = None,
    space: str = SPACE,
    **columns: Any,
) -> Memory:
    """
    Make a memory with all that store writes beside it: usage, vector and postings, of the memory's class.

    terms: term to frequency; by default the lower-cased words of the content. A superseded one is not live.
    """
    with tenant_scope(replace(tenant, clearance=FULL_CLEARANCE)), unit_of_work():
        memory: Memory = MemoryRow.create(tenant=tenant, **columns)
        beside = {"tenant": tenant, "memory": memory, "classification": memory.classification}
        UsageRow.create(**beside, **usage or {})
        vector = vector if vector is not None else a_vector(memory.content)
        EmbeddingRow.create(**beside, space=space, vector=vector)
        counted = terms if terms is not None else _count_words(memory.content)
        length = max(sum(counted.values()), 1)
        for term, frequency in counted.items():
            live = memory.standing != 2
            PostingRow.create(**beside, term=term, frequency=frequency, length=length, live=live)
        return memory


def _count_words(text: str) -> dict[str, int]:
    words = [word.strip(".,!?") for word in text.lower().split()]
    return {word: words.count(word) for word in words}


FACTORIES: dict[str, Callable[..., Any]] = {
    Project._meta.db_table: make_project,
    Agent._meta.db_table: make_agent,
    Membership._meta.db_table: make_membership,
    ProjectGrant._meta.db_table: make_project_grant,
    TenantGrant._meta.db_table: make_tenant_grant,
    ApiKey._meta.db_table: make_key,
    AccessGate._meta.db_table: make_gate,
    DoneRequest._meta.db_table: make_done_request,
    Webhook._meta.db_table: make_webhook,
    AuditEvent._meta.db_table: make_audit_event,
    AuditLink._meta.db_table: make_audit_link,
    Capture._meta.db_table: make_capture,
    Memory._meta.db_table: MemoryRow.create,
    MemoryVersion._meta.db_table: make_memory_version,
    Usage._meta.db_table: make_usage,
    Embedding._meta.db_table: make_embedding,
    VectorHome._meta.db_table: make_vector_home,
    Posting._meta.db_table: make_posting,
    Vocabulary._meta.db_table: make_vocabulary,
    CollectionStat._meta.db_table: make_collection_stat,
    Link._meta.db_table: make_link,
    Contradiction._meta.db_table: make_contradiction,
    Watermark._meta.db_table: make_watermark,
    Observation._meta.db_table: make_observation,
    Corroboration._meta.db_table: make_corroboration,
    Verification._meta.db_table: make_verification,
    Document._meta.db_table: make_document,
    Summary._meta.db_table: make_summary,
    Entity._meta.db_table: make_entity,
    EntityAlias._meta.db_table: make_entity_alias,
    Mention._meta.db_table: make_mention,
    Triple._meta.db_table: make_triple,
    RecallEvent._meta.db_table: make_recall_event,
    RecalledMemory._meta.db_table: make_recalled_memory,
    LearntOfMemory._meta.db_table: make_learnt_of_memory,
    Interest._meta.db_table: make_interest,
    StoredPolicy._meta.db_table: make_recall_policy,
    ShadowRun._meta.db_table: make_shadow_run,
    ShadowQuestion._meta.db_table: make_shadow_question,
    Feedback._meta.db_table: make_feedback,
    Consolidation._meta.db_table: make_consolidation,
    Lineage._meta.db_table: make_lineage,
    Erasure._meta.db_table: make_erasure,
    SleepRun._meta.db_table: make_sleep_run,
    SleepStep._meta.db_table: make_sleep_step,
    SleepState._meta.db_table: make_sleep_state,
    Downgrade._meta.db_table: make_downgrade,
    SessionMark._meta.db_table: make_session_mark,
}
"""Table to what makes one row of it: a tenant's table that is not here is red in tests/isolation."""
