"""What is sent and what is answered, by the names of the API.

Written by `python -m candor.development.generate`; change the service instead."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

from pydantic import Field

from candor.file import FormFile
from candor.wire.call import Answer, Body

AlertType: TypeAlias = Literal["contradiction", "changed", "ageing", "unassigned_task", "failed_approach"]
AliveStatus: TypeAlias = Literal["ok"]
AnnotationKind: TypeAlias = Literal[
    "point", "period", "recurring", "duration", "unanchored", "amount", "proportion", "until"
]
AnswerVerdict: TypeAlias = Literal["confirm", "correct", "dismiss"]
AtLeast: TypeAlias = Literal["internal", "restricted", "confidential"]
CandidateKind: TypeAlias = Literal["in_force", "policy", "engine", "space", "classification"]
CaptureState: TypeAlias = Literal["pending", "processing", "stored", "discarded", "quarantined", "dead"]
Card: TypeAlias = Literal["state", "event", "knowledge"]
Cardinality: TypeAlias = Literal["single", "multi"]
ChangeHow: TypeAlias = Literal["superseded", "corrected", "moved", "doubted"]
ChannelName: TypeAlias = Literal["semantic", "lexical", "tag", "fuzzy", "time", "graph"]
ClassName: TypeAlias = Literal["public", "internal", "restricted", "confidential"]
ContradictionState: TypeAlias = Literal["open", "resolved"]
ContradictionVerdict: TypeAlias = Literal["keep_old", "accept_new", "coexist"]
Cost: TypeAlias = Literal["cheap", "dream"]
DocumentState: TypeAlias = Literal["processing", "settled"]
DowngradeState: TypeAlias = Literal["open", "approved", "rejected", "expired"]
DryRunState: TypeAlias = Literal["stored", "discarded", "quarantined"]
EntityType: TypeAlias = Literal[
    "person", "organisation", "place", "product", "project", "identifier", "concept", "thing"
]
EventKind: TypeAlias = Literal[
    "stored", "superseded", "contradiction", "resolved", "quarantine", "dead", "verify", "gate", "erased"
]
FeedbackOutcome: TypeAlias = Literal["helpful", "unhelpful", "used"]
Fusion: TypeAlias = Literal["scores", "ranks"]
GateState: TypeAlias = Literal["closed", "modified", "validated", "open"]
GoingHow: TypeAlias = Literal["asked", "corrected_by_it", "says_the_same", "rests_on_it"]
Guard: TypeAlias = Literal["none", "brief", "full"]
HandleKind: TypeAlias = Literal["file", "git", "flag"]
Kind: TypeAlias = Literal[
    "invariant",
    "working_state",
    "profile",
    "preference",
    "skill",
    "interest",
    "task",
    "estimate",
    "statement",
    "episode",
    "decision",
    "example",
    "finding",
    "correction",
    "negative",
    "meta",
    "pattern",
    "concept",
    "passage",
]
Layer: TypeAlias = Literal["personal", "work", "social"]
LeaveOut: TypeAlias = Literal[
    "semantic",
    "keyword",
    "usefulness",
    "importance",
    "recency",
    "fused",
    "neighbours",
    "layer",
    "standing",
    "named",
    "verdicts",
    "interests",
    "exploration",
]
Level: TypeAlias = Literal["dangling", "orphans", "stale", "contradictions"]
LinkType: TypeAlias = Literal[
    "related_to",
    "parent_of",
    "part_of",
    "affects_state",
    "contradicts",
    "supersedes",
    "derived_from",
    "because",
    "evidence",
    "references",
    "similar_to",
    "precedes",
    "follows",
    "authored_by",
    "restates",
    "corrects",
    "ends",
    "refines",
    "replaces",
]
MadeAnewHow: TypeAlias = Literal["dissolved", "keeps_to_its_other_sources"]
MediaType: TypeAlias = Literal["text/plain", "text/markdown"]
Method: TypeAlias = Literal["POST", "DELETE"]
Mode: TypeAlias = Literal["assertion", "question", "hypothetical", "hearsay", "quote"]
NamedPolicy: TypeAlias = Literal["default", "plain-rrf"]
Origin: TypeAlias = Literal["auto", "llm", "manual"]
PolicyState: TypeAlias = Literal["draft", "shadowing", "validated", "active", "retired"]
Provenance: TypeAlias = Literal[
    "user_correction",
    "user_stated",
    "measured",
    "user_relayed",
    "agent_chat",
    "connector",
    "extracted",
    "agent_inferred",
]
ReadinessStatus: TypeAlias = Literal["ok", "degraded", "unready"]
ReviewVerdict: TypeAlias = Literal["release", "dismiss"]
Right: TypeAlias = Literal["view", "correct", "arbitrate", "release", "classify", "export", "forget"]
Role: TypeAlias = Literal["user", "assistant", "tool"]
Scope: TypeAlias = Literal[
    "capture",
    "write",
    "recall",
    "feedback",
    "share",
    "read",
    "correct",
    "arbitrate",
    "classify",
    "declassify",
    "sessions",
    "forget",
    "audit",
    "admin",
]
ShadowRunState: TypeAlias = Literal["queued", "running", "done", "cancelled", "dead"]
ShadowRunVerdict: TypeAlias = Literal["passed", "failed"]
SleepRunState: TypeAlias = Literal["waiting", "running", "done", "failed", "interrupted"]
SleepStepName: TypeAlias = Literal[
    "settle",
    "reconcile",
    "watermarks",
    "retract",
    "retag",
    "relink",
    "prune",
    "retain",
    "tiers",
    "summaries",
    "consolidation",
    "reasoning",
    "interests",
    "lint",
]
SleepStepState: TypeAlias = Literal["running", "done", "unfinished", "failed", "interrupted"]
Standing: TypeAlias = Literal["current", "contender", "superseded"]
TaskOutcome: TypeAlias = Literal["succeeded", "failed"]
Trigger: TypeAlias = Literal["beat", "hand"]
UseResult: TypeAlias = Literal["counted", "replaced", "unchanged", "not_found"]
Verb: TypeAlias = Literal["unlink", "archive", "correct", "resolve"]
VerificationReason: TypeAlias = Literal["moved", "aged", "evidence"]
VerificationVerdict: TypeAlias = Literal["confirm", "correct", "dismiss", "verified", "superseded"]
WebhookState: TypeAlias = Literal["active", "stopped"]


class AgentPage(Answer):
    """A page of agents."""

    results: list[Agent]
    next: str | None


class Agent(Answer):
    """An agent."""

    id: UUID
    slug: str
    name: str
    domains: list[str]
    ceiling: ClassName | str
    project: str | None
    created_at: datetime


class AgentRequest(Body):
    """An agent to make."""

    slug: str
    name: str
    ceiling: ClassName | None = None
    domains: list[str] | None = None
    project: str | None = None


class Alert(Answer):
    """Something to know before relying on these memories."""

    type: AlertType | str
    memories: list[UUID]
    text: str


class AliasRequest(Body):
    """Another name of an entity."""

    name: str


class Alive(Answer):
    """Alive"""

    status: AliveStatus | str


class Annotation(Answer):
    """What a place in a memory's content means."""

    start: int
    end: int
    kind: AnnotationKind | str = Field(
        description="until: the words say until when it holds; they overlap the time's own annotation."
    )
    value: str = Field(
        description="ISO 8601 (until: the last day or moment), «1200 USD», a share in [0, 1]; empty: not known."
    )
    certainty: float = Field(description="In [0, 1].")


class RecallAnswer(Answer):
    """Ranked memories, best first."""

    recall_id: UUID
    results: list[RecallResult]
    nothing_known: bool = Field(
        description="Nothing that you may see speaks of what was asked: there are no results."
    )
    relevance: float | None = Field(
        description="Of the most relevant that was found, in [0, 1]; null: nothing was found."
    )
    min_relevance: float = Field(description="The floor it was held to; 0: to none.")
    alerts: list[Alert]
    channels: dict[str, Channel]
    degraded: list[str] = Field(description="Channels that are out.")
    policy: str
    deep: bool = Field(description="The archive tier was among what was chosen from.")
    range: TimeRange | None = Field(description="The time the question names, by the asker's clock.")
    follow_up: FollowUp | None = Field(
        description="What «it» or «the second one» was taken for; null: it points at nothing."
    )


class AnswerRequest(Body):
    """What was found by looking."""

    verdict: AnswerVerdict = Field(
        description="confirm: it holds. correct: this is right instead. dismiss: leave it."
    )
    content: str | None = Field(default=None, description="What is right instead; with «correct» only.")
    value: str | None = Field(default=None, description="Of a state, with «correct» only.")
    reason: str | None = Field(default=None, description="Why; kept in the audit trail.")


class ApprovalRequest(Body):
    """What is approved: this memory, to this class, with this text."""

    memory: UUID
    classification: ClassName
    hash: str = Field(description="Of the stored text.")
    reason: str | None = Field(default=None, description="For the audit trail.")


class ArchiveRequest(Body):
    """Why a memory is to be hidden; of an agent also where it recalled it, and what it was shown."""

    reason: str | None = Field(default=None, description="For the audit trail.")
    session: str | None = Field(default=None, description="An agent's: where it recalled it.")
    hash: str | None = Field(
        default=None, description="Of the text that was shown; an agent's second step needs it."
    )


class Archiving(Answer):
    """The memory as it is stored, whether it is archived now, and the hash of its text."""

    archived: bool
    hash: str = Field(description="SHA-256 of the stored text: send it back to archive it.")
    memory: Memory


class BatchedCaptureRequest(Body):
    """One capture of a batch: as it would be sent alone, with its idempotency key beside it."""

    text: str
    role: Role = Field(description="Who said it.")
    session: str | None = None
    speaker: str | None = Field(default=None, description="The name of who talks.")
    clock: datetime | None = Field(default=None, description="When it was said; default: now.")
    timezone: str | None = Field(default=None, description="Where it was said: «today» is resolved there.")
    project: str | None = None
    classification: ClassName | None = None
    references: list[str] | None = None
    fingerprints: list[FingerprintRequest] | None = Field(
        default=None, description="Of files, parts of git and flags it may speak of."
    )
    measured: bool | None = Field(
        default=None,
        description="Of a tool: the value of a run, a test or a sensor. Counts where the key may measure.",
    )
    verbatim: bool | None = Field(default=None, description="Keep it as one event, word for word.")
    shared: bool | None = Field(default=None, description="A hint: needs a key with the scope share.")
    domain: str | None = None
    person: str | None = Field(
        default=None, description="The end user talked with; it is theirs alone unless common."
    )
    layer: Layer | None = Field(
        default=None, description="Of all that is made of it; left out: as it is read."
    )
    common: bool | None = Field(default=None, description="Though a person is named, it is everybody's.")
    metadata: dict[str, Any] | None = Field(
        default=None, description="Facts of your own, a JSON object; kept as it is, but for secrets."
    )
    idempotency_key: str | None = Field(
        default=None, description="Sent again with the same body, the capture is taken once."
    )


class BatchedResult(Answer):
    """What became of one capture: `taken`, or the `problem` for which it was not."""

    index: int = Field(description="Its place in the request, from 0.")
    status: int = Field(description="As it would be answered with alone: 202, 400, 422, 429 …")
    taken: CaptureTaken | None
    problem: Problem | None
    retry_after: int | None = Field(description="Seconds until it may be sent again.")


class Break(Answer):
    """A place where the chain is not what was written."""

    seq: int | None = Field(description="None: it has no place in the chain.")
    kind: str = Field(description="missing, altered, unlinked, rewritten, cut, unchained, or checkpoint.")
    what: str


class Calibration(Answer):
    """How well the facts of one project are watched, as far as the key may see these."""

    kinds: list[Matrix]
    noisy: list[Noisy] = Field(description="At most 20, the worst first.")


class CandidateRequest(Body):
    """What is tried: what is in force, or it with one thing changed."""

    kind: CandidateKind
    policy: str | None = Field(default=None, description="name@version")
    engine: str | None = Field(default=None, description="An engine's alias.")
    space: str | None = Field(default=None, description="A space that holds the tenant's vectors.")
    rules: list[ClassRuleRequest] | None = Field(
        default=None, description="Of the kind «classification»: which memories are to be of a higher class."
    )


class CaptureBatchTaken(Answer):
    """What became of each capture, in the order in which they were sent."""

    results: list[BatchedResult]


class CaptureBatchRequest(Body):
    """Captures in the order in which they were said."""

    captures: list[BatchedCaptureRequest]


class CapturePage(Answer):
    """A page of captures."""

    results: list[Capture]
    next: str | None


class Capture(Answer):
    """A capture, and every step's verdict on it."""

    id: UUID
    state: CaptureState | str
    trace: list[dict[str, Any]] = Field(description="step, verdict, score, reason, ms …")
    memories: list[UUID]
    error: str
    text: str = Field(description="Redacted.")
    role: str
    speaker: str
    origin: str = Field(description="The best origin its words may have, as its key was granted.")
    relayed_by: UUID | None = Field(description="The agent that says a user said it.")
    person: str = Field(description="The end user whose it is; empty: common.")
    layer: str = Field(description="As it was sent; empty: left to be read.")
    session: str
    turn: int = Field(description="Place in its session, from 0.")
    clock: datetime
    timezone: str
    classification: ClassName | str
    secrets_found: list[dict[str, Any]]
    metadata: dict[str, Any]
    attempts: int = Field(description="At most CANDOR_CAPTURE_MAX_ATTEMPTS; an outage counts none.")
    waits_for: str = Field(
        description="What is out that it waits for: embedder, model, database; empty: nothing."
    )
    waiting_since: datetime | None
    retry_at: datetime | None = Field(description="When it is tried again.")
    created_at: datetime
    finished_at: datetime | None


class CaptureTaken(Answer):
    """A capture that is kept."""

    id: UUID
    state: CaptureState | str
    person: str = Field(description="The end user whose it is; empty: common.")
    classification: ClassName | str | None = Field(
        default=None, description="Only when it is not the one asked for."
    )
    raised: str | None = Field(default=None, description="Why it is higher.")
    origin: str | None = Field(
        default=None,
        description="Only when its words may not have the origin claimed: what they have at best.",
    )
    capped: str | None = Field(default=None, description="Why it is lower.")
    not_done: list[NotDone] | None = Field(
        default=None, description="Only what was asked for besides and not done."
    )


class CaptureRequest(Body):
    """Something that was said."""

    text: str
    role: Role = Field(description="Who said it.")
    session: str | None = None
    speaker: str | None = Field(default=None, description="The name of who talks.")
    clock: datetime | None = Field(default=None, description="When it was said; default: now.")
    timezone: str | None = Field(default=None, description="Where it was said: «today» is resolved there.")
    project: str | None = None
    classification: ClassName | None = None
    references: list[str] | None = None
    fingerprints: list[FingerprintRequest] | None = Field(
        default=None, description="Of files, parts of git and flags it may speak of."
    )
    measured: bool | None = Field(
        default=None,
        description="Of a tool: the value of a run, a test or a sensor. Counts where the key may measure.",
    )
    verbatim: bool | None = Field(default=None, description="Keep it as one event, word for word.")
    shared: bool | None = Field(default=None, description="A hint: needs a key with the scope share.")
    domain: str | None = None
    person: str | None = Field(
        default=None, description="The end user talked with; it is theirs alone unless common."
    )
    layer: Layer | None = Field(
        default=None, description="Of all that is made of it; left out: as it is read."
    )
    common: bool | None = Field(default=None, description="Though a person is named, it is everybody's.")
    metadata: dict[str, Any] | None = Field(
        default=None, description="Facts of your own, a JSON object; kept as it is, but for secrets."
    )


class Change(Answer):
    """What happened to the evidence of a decision."""

    evidence: UUID
    how: ChangeHow | str
    by: UUID | None = Field(description="What took the evidence's place.")


class ChannelSet(Body):
    """One channel of a policy."""

    name: ChannelName
    depth: int = Field(description="Rows it may bring.")
    weight: float = Field(description="Voice beside the others.")


class Channel(Answer):
    """What one channel did."""

    took_part: bool
    count: int
    reason: str | None = Field(
        description="Why it took no part: nothing_to_ask, or an outage: no_embedding, no_answer, quarantined."
    )


class ClassRuleRequest(Body):
    """A rule of classification: its conditions hold together; of rules that hold the highest class counts."""

    at_least: AtLeast = Field(description="A class that is higher already stays.")
    project: str | None = Field(default=None, description="Its slug or id.")
    domain: str | None = None
    kinds: list[Kind] | None = Field(default=None, description="One of these.")
    tags: list[str] | None = Field(default=None, description="One of these.")
    agent: str | None = Field(default=None, description="Whose it is: slug or id.")
    words: list[str] | None = Field(
        default=None, description="The text contains one of these, in any letter case."
    )


class Classified(Answer):
    """The memory as it is now, the class it had, and how many that rest on it rose with it."""

    memory: Memory
    former: ClassName | str
    followed: int = Field(description="Memories that rest on it and rose with it.")


class ClassifyRequest(Body):
    """The higher class a memory is to have, and why."""

    classification: ClassName
    reason: str = Field(description="For the audit trail.")


class Communities(Answer):
    """What your memory is about, of most memories first."""

    looked_through: int = Field(description="Memories, the newest: at most 5000.")
    is_whole: bool = Field(description="Those are all that hold and that you may see.")
    results: list[Community]


class Community(Answer):
    """Entities that are spoken of together."""

    name: str = Field(description="Those of its members that hang together most.")
    members: list[Member] = Field(description="At most 30, the one that is spoken of most first.")
    member_count: int
    memories: int = Field(description="That speak of two members or more.")
    sentences: list[ProfileSentence] = Field(description="Of the memories that name the most members.")
    classification: ClassName | str


class Comparison(Answer):
    """What the log says of other weights."""

    in_force: str
    weights: dict[str, float]
    recalls: int
    questions: int
    verdicts: int
    effective: float = Field(description="So many verdicts of equal weight would say as much.")
    unsupported: float = Field(
        description="Share of the worth of what would be shown that was practically never shown."
    )
    by: dict[str, Estimate] = Field(description="ips, snips, dr and switch.")


class ContextRequest(Body):
    """A question whose answer is to stand in a prompt."""

    query: str
    k: int | None = Field(default=None, description="Memories wanted, 5.")
    project: str | None = Field(default=None, description="Search this project beside what belongs to none.")
    session: str | None = None
    person: str | None = Field(
        default=None, description="The end user who asks: what is theirs is found beside what is common."
    )
    layer: Layer | None = None
    ceiling: ClassName | None = Field(
        default=None, description="Nothing above this class; the key's own still holds."
    )
    now: datetime | None = Field(default=None, description="The asker's clock, when it is not the service's.")
    timezone: str | None = None
    tags: list[str] | None = Field(default=None, description="Only memories with all of these.")
    kinds: list[Kind] | None = None
    where: WhereRequest | None = Field(default=None, description="Only memories that are like this.")
    channels: list[ChannelName] | None = None
    deep: bool | None = Field(
        default=None, description="Search the archive tier too, whatever else is found."
    )
    valid_at: datetime | None = Field(
        default=None, description="What held then, past or to come; none: what holds now."
    )
    known_at: datetime | None = Field(
        default=None, description="By what was known then; one to come: by all that is known."
    )
    speaker: str | None = Field(default=None, description="Who «I» is, as captures name them.")
    seed: int | None = Field(default=None, description="Repeats exploration.")
    leave_out: list[LeaveOut] | None = Field(
        default=None, description="Rank without these parts of the score, to see what they bring."
    )
    min_relevance: float | None = Field(
        default=None,
        description="Nothing known, unless a result is this relevant; 0 takes any. Left out: as was fitted.",
    )
    policy: NamedPolicy | None = Field(default=None, description="Another recall policy than the tenant's.")
    budget_tokens: int | None = Field(
        default=None, description="Tokens of the whole text, as the embedder counts them; 800."
    )
    guard: Guard | None = Field(default=None, description="How much is said of how to treat memory.")


class Context(Answer):
    """A block of text for a prompt, and what stands in it."""

    text: str
    tokens: int = Field(description="Of the text, never more than the budget.")
    stable_prefix: int = Field(
        description="Characters with which the text begins whatever is asked with this guard."
    )
    fingerprint: str = Field(
        description="Of the text but its clock, and in the ETag: what has the same says the same."
    )
    sections: Sections
    alerts: list[Alert]
    recall_id: UUID | None = Field(description="None when memory is withheld.")
    degraded: list[str] = Field(description="Channels that are out; `sections`: only finds are told.")
    nothing_known: bool = Field(description="Nothing that you may see speaks of what was asked.")
    withheld: str = Field(description="Why no memory stands in it whatever is known, or empty.")


class ContradictionPage(Answer):
    """A page of contradictions."""

    results: list[Contradiction]
    next: str | None


class Contradiction(Answer):
    """Two values of one concept that cannot both hold, and what was decided."""

    id: UUID
    state: ContradictionState | str
    entity_key: str
    concept_key: str
    older: Memory
    newer: Memory
    trust_gap: float = Field(description="Trust of the newer one less that of the older, in [-1, 1].")
    reason: str = Field(description="Which rule left it open, or closed it by itself.")
    opened_at: datetime
    verdict: ContradictionVerdict | str | None
    resolved_at: datetime | None
    resolved_by: str = Field(
        description="A person, or trust_gap, user_resolved, superseded when nobody was asked."
    )
    classification: ClassName | str


class CorrectionRequest(Body):
    """What is right instead: content, or the value of a state, or both."""

    content: str | None = None
    value: str | None = Field(default=None, description="Of a state: the rest is reworded.")
    reason: str | None = Field(default=None, description="For the audit trail.")
    cause: str | None = Field(default=None, description="Why the old one was wrong.")
    check: str | None = Field(
        default=None, description="What to check another time; with a cause it becomes a lesson."
    )


class Day(Answer):
    """What came about on one day."""

    day: date
    memories: int = Field(description="Memories stored.")
    discarded: int = Field(description="Captures that left no memory.")
    quarantined: int
    dead: int
    answered: int = Field(description="Questions that something was shown to.")
    nothing_known: int
    degraded: int = Field(description="Questions whose answer a channel was missing from.")
    helpful: int
    unhelpful: int
    used: int
    tokens_in: int = Field(description="That nights had language models read.")
    tokens_out: int
    p50_ms: float | None = Field(description="From question to ranked answer, without HTTP.")
    p95_ms: float | None


class DocumentPage(Answer):
    """A page of documents."""

    results: list[Document]
    next: str | None


class Document(Answer):
    """A document, its summary, and how far its passages have come."""

    id: UUID
    state: DocumentState | str
    title: str
    source: str
    media_type: str
    file_name: str = Field(description="Empty: it came as text.")
    replaced_by: UUID | None = Field(description="The version of its source that holds now.")
    refusal: str = Field(description="Why nothing is remembered of it, and what to do; else empty.")
    tags: list[str]
    occurred_at: datetime
    passages: int | None = Field(description="Pieces; null until it is cut.")
    settled: dict[str, int] = Field(description="State → passages; before it is cut, it counts as one.")
    summary: str = Field(description="Two or three sentences; empty until the passages are settled.")
    summary_model: str
    project_id: UUID | None
    agent_id: UUID | None
    shared: bool
    domain: str
    person: str = Field(description="The end user whose it is; empty: common.")
    classification: ClassName | str
    metadata: dict[str, Any]
    created_at: datetime


class DocumentTaken(Answer):
    """A document that is kept."""

    id: UUID
    state: DocumentState | str
    passages: int | None = Field(description="Pieces; null until it is cut.")
    person: str = Field(description="The end user whose it is; empty: common.")
    not_done: list[NotDone] | None = Field(default=None, description="Only what was asked for and not done.")


class DocumentRequest(Body):
    """A text from outside, whole."""

    source: str | None = Field(default=None, description="A path, an address, a connector.")
    tags: list[str] | None = None
    occurred_at: datetime | None = Field(default=None, description="The document's own date; default: now.")
    timezone: str | None = None
    project: str | None = None
    classification: ClassName | None = None
    shared: bool | None = Field(default=None, description="A hint: needs a key with the scope share.")
    domain: str | None = None
    person: str | None = Field(
        default=None, description="The end user it is of; it is theirs alone unless common."
    )
    common: bool | None = Field(default=None, description="Though a person is named, it is everybody's.")
    metadata: dict[str, Any] | None = Field(
        default=None, description="Facts of your own, a JSON object; kept as it is, but for secrets."
    )
    title: str
    text: str
    media_type: MediaType | None = None


class DowngradePage(Answer):
    """A page of downgrades."""

    results: list[Downgrade]
    next: str | None


class Downgrade(Answer):
    """What was asked, by whom, and what became of it."""

    id: UUID
    memory_id: UUID
    state: DowngradeState | str
    former: ClassName | str
    wanted: ClassName | str
    hash: str
    reason: str
    asked_by: str = Field(description="Kind and id, as on the trail.")
    created_at: datetime
    expires_at: datetime
    decided_by: str
    decided_at: datetime | None
    answer: str


class DowngradeRequest(Body):
    """The lower class, to be shown the text; then the hash that was shown, and why."""

    classification: ClassName
    reason: str | None = Field(default=None, description="For who approves, and the trail.")
    hash: str | None = Field(default=None, description="Of the stored text, as the first step showed it.")


class DryRun(Answer):
    """What would become of a capture."""

    state: DryRunState | str
    trace: list[dict[str, Any]]
    memories: list[WouldBe]


class EntityPage(Answer):
    """A page of entities."""

    results: list[Entity]
    next: str | None


class Entity(Answer):
    """Whom or what the memories that the key may see speak of."""

    id: UUID
    name: str
    type: EntityType | str
    types: list[EntityType | str]
    aliases: list[str] = Field(description="Its other names.")
    salience: float = Field(description="m / (m + 4) for m memories, in [0, 1).")
    classification: ClassName | str = Field(
        description="The highest class of the memories that this was read from."
    )
    memories: int = Field(description="That speak of it and are not superseded.")
    triples: int = Field(description="That it stands in and that hold.")
    first_seen_at: datetime
    last_seen_at: datetime


class Estimate(Answer):
    """One estimator's word, with an interval of 95 %."""

    now: float = Field(description="Worth of an answer by the weights in force.")
    then: float = Field(description="By the others.")
    gain: float
    low: float
    high: float


class AuditEvent(Answer):
    """Something that was done."""

    id: UUID
    seq: int = Field(description="Its place in the chain, from 1.")
    at: datetime
    actor_kind: str
    actor_id: str
    action: str
    object_type: str
    object_id: str
    reason: str
    detail: dict[str, Any]
    erased: bool = Field(description="Whether its reason and detail were erased.")
    classification: ClassName | str
    hash: str = Field(description="Of its link in the chain, hexadecimal.")


class Events(Answer):
    """Events, the oldest first."""

    results: list[FeedEvent]
    after: str = Field(description="Where to read on: the last event's id.")


class FeedEvent(Answer):
    """Something that happened: ids, never a text."""

    id: UUID
    kind: EventKind | str
    at: datetime
    object_type: str = Field(description="memory, contradiction, capture, verification, person, gate.")
    object_id: UUID | None = Field(description="Null of the gate.")
    memories: list[UUID] = Field(description="Memories that it is about.")
    by: UUID | None = Field(description="The memory that superseded this one.")


class Feedback(Answer):
    """The verdict that stands now."""

    memory: UUID
    outcome: FeedbackOutcome | str
    q_value: float = Field(description="The memory's usefulness after it, in [0, 1].")
    replaced: bool = Field(description="Whether it took the place of another verdict.")


class FeedbackRequest(Body):
    """A verdict on one memory of a recall."""

    memory: str = Field(description="Its id, or what a context of this recall calls it: the end of the id.")
    outcome: FeedbackOutcome
    person: str | None = Field(default=None, description="The end user for whom it was recalled.")


class FieldError(Answer):
    """What is wrong with one field; an empty name means the whole."""

    field: str
    message: str


class Finding(Answer):
    """Something that is wrong, with the memories it is about."""

    id: UUID = Field(description="Of the link, the memory or the contradiction.")
    level: Level | str
    memory: UUID
    other: UUID | None = Field(description="The other end, or the older of the two.")
    what: str = Field(description="A link's type, a memory's kind, or why a question was left open.")
    since: datetime
    classification: ClassName | str
    mends: list[Mend] = Field(description="Empty: the night sees to it.")


class FingerprintRequest(Body):
    """What a handle looks like now."""

    handle: HandleRequest
    value: str = Field(description="A hash of what is there, or a flag's setting.")


class FollowUp(Answer):
    """What a question that points back at its session, by «it» or «the second one», was understood as."""

    recall_id: UUID = Field(description="The recall that it follows.")
    memory_id: UUID | None = Field(
        description="The result of it that is meant; null: who or what it asked about."
    )
    valid_at: datetime | None = Field(description="«Before that»: what held at this moment is told.")


class ForgetPersonRequest(Body):
    """Whom to forget, to be shown how much goes; then the hash that was shown, and why."""

    person: str = Field(description="The end user's id.")
    reason: str | None = Field(default=None, description="For the audit trail; it stays.")
    hash: str | None = Field(default=None, description="Of all that is theirs, as the first step showed it.")


class ForgetRequest(Body):
    """Nothing, to be shown what would go; then the hash that was shown, and why."""

    reason: str | None = Field(default=None, description="For the audit trail; it stays.")
    hash: str | None = Field(default=None, description="Of the stored text, as the first step showed it.")


class Forgetting(Answer):
    """What goes, or went, as far as this key may see it."""

    memory_id: UUID
    content: str = Field(description="The stored text; empty once it is gone.")
    hash: str = Field(description="SHA-256 of the stored text: send it back to have it forgotten.")
    forgotten: bool
    goes: list[Going]
    recomputed: list[MadeAnew]
    counts: dict[str, int] = Field(description="Rows by table.")
    classification: ClassName | str


class GateProofRequest(Body):
    """What validates the gate."""

    run: UUID = Field(description="A shadow run of what is in force, which passed.")


class Gate(Answer):
    """The gate: whether keys for outside work now, and if not, what it takes."""

    state: GateState | str
    cause: str = Field(description="What keeps it shut, as one word; empty: it is open.")
    says: str = Field(description="The cause in words.")
    reason: str
    keys: int = Field(description="Keys for outside that are in force.")
    changed_by: str
    changed_at: datetime | None
    changers: list[str] = Field(description="Who changed something since it was last open: not who opens it.")
    closed_at: datetime | None = Field(description="When it was last closed by hand.")
    run: UUID | None = Field(description="The shadow run that validated it.")
    validated_by: str
    validated_at: datetime | None
    opened_by: str
    opened_at: datetime | None
    fingerprint: str = Field(description="Of what was in force when it was last looked at.")
    in_force: str = Field(description="Of what is in force now.")


class GateStepRequest(Body):
    """Why the gate is closed or opened."""

    reason: str


class GivenQuestionRequest(Body):
    """A question of a frozen set."""

    query: str
    k: int | None = None
    project: str | None = None


class Going(Answer):
    """A memory that goes, and why."""

    id: UUID
    how: GoingHow | str


class GrantRequest(Body):
    """What a person is to hold in a project."""

    project: str | None = Field(default=None, description="Without one: in what belongs to no project.")
    rights: list[Right] = Field(
        description="All that is held there from now on; none: nothing. Any other brings `view` along."
    )
    reason: str | None = None


class Graph(Answer):
    """What lies around a memory, as far as you may see it."""

    nodes: list[Node] = Field(description="By distance, then heaviest link first; the first is itself.")
    edges: list[Link] = Field(description="The links between them, heaviest first.")
    truncated: bool = Field(description="More that you may see lies here than is told.")


class Group(Answer):
    """Memories that agree on the axes asked for."""

    key: dict[str, Any] = Field(description="Axis to value; of a time, the first day of its period.")
    count: int


class Handle(Answer):
    """A handle as it is named in a report: the fields of its kind, no others."""

    kind: HandleKind | str
    path: str | None = Field(default=None, description="Of a file.")
    ref: str | None = Field(default=None, description="Of git.")
    scope: str | None = Field(default=None, description="Of git: the part of the repository.")
    name: str | None = Field(default=None, description="Of a flag.")


class HandleRequest(Body):
    """What is watched: `file` with its path, `git` with ref and scope, `flag` with its name."""

    kind: HandleKind
    path: str | None = Field(default=None, description="Of a file, from the project's root.")
    ref: str | None = Field(default=None, description="Of git: a branch, tag or commit.")
    scope: str | None = Field(default=None, description="Of git: a folder; never all of it.")
    name: str | None = Field(default=None, description="Of a flag.")


class HeldPeriod(Answer):
    """What a person holds in one project."""

    project: str | None = Field(description="Null: in what belongs to no project.")
    rights: list[str]


class History(Answer):
    """What a memory said before, what it replaced and what replaced it, oldest first."""

    versions: list[Version]
    chain: list[Memory]


class InForce(Answer):
    """What ranks from now on."""

    in_force: str


class Interest(Answer):
    """A word that was asked about on two occasions or more."""

    term: str = Field(description="As it was asked first.")
    occasions: int = Field(description="Sessions, or days of questions without one.")
    share: float = Field(description="Occasions / (all of them + 5), in [0, 1).")
    classification: ClassName | str = Field(
        description="Of the questions: as high as their asker could read."
    )


class Interests(Answer):
    """What an agent keeps asking about, by the last night's count, as far as you may see its questions."""

    days: int
    occasions: int = Field(description="On which the agent asked anything.")
    results: list[Interest]


class ContextItem(Answer):
    """A memory that stands in the text; here its content is whole and as it was stored."""

    id: UUID
    reference: str = Field(
        description="What the text calls it: the end of its id. Feedback on this recall takes it, too."
    )
    content: str
    card: Card | str
    kind: Kind | str
    trust: float = Field(description="How true, in [0, 1].")
    provenance: str
    classification: ClassName | str
    occurred_at: datetime
    guess: bool = Field(description="Nobody stated it, or nobody assigned the task.")
    pending: bool = Field(
        description="Said in this session and still to be processed: a capture, and no memory yet."
    )


class KeyMade(Answer):
    """A key just made, with the secret that is shown only now."""

    id: UUID
    name: str
    prefix: str
    scopes: list[str]
    ceiling: ClassName | str
    agent: str | None
    project: str | None
    person: str | None
    external: bool
    relays_users: bool = Field(description="What it says a user said counts as that user's word.")
    measures: bool = Field(description="What it marks as `measured` counts as measured.")
    max_importance: int = Field(description="Importance it asks for beyond counts as this.")
    projects: list[str] | None = Field(
        description="Those it may name besides the one it is bound to; null: it is held to no list."
    )
    persons: list[str] | None = Field(description="End users it may name; null: any.")
    created_at: datetime
    created_by: str
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    key: str = Field(description="Keep it: it is not stored and cannot be shown again.")


class KeyPage(Answer):
    """A page of keys."""

    results: list[Key]
    next: str | None


class KeyRotationRequest(Body):
    """How a key is replaced by another."""

    overlap_hours: int | None = Field(default=None, description="How long both are in force.")
    reason: str | None = None


class Key(Answer):
    """A key without its secret."""

    id: UUID
    name: str
    prefix: str
    scopes: list[str]
    ceiling: ClassName | str
    agent: str | None
    project: str | None
    person: str | None
    external: bool
    relays_users: bool = Field(description="What it says a user said counts as that user's word.")
    measures: bool = Field(description="What it marks as `measured` counts as measured.")
    max_importance: int = Field(description="Importance it asks for beyond counts as this.")
    projects: list[str] | None = Field(
        description="Those it may name besides the one it is bound to; null: it is held to no list."
    )
    persons: list[str] | None = Field(description="End users it may name; null: any.")
    created_at: datetime
    created_by: str
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class KeyRequest(Body):
    """A key to make."""

    name: str
    scopes: list[Scope]
    ceiling: ClassName | None = None
    agent: str | None = None
    project: str | None = None
    person: str | None = Field(default=None, description="Whom it speaks for: it may no more than they.")
    external: bool | None = Field(
        default=None, description="For somebody outside: it works while the gate is open."
    )
    expires_at: datetime | None = None
    relays_users: bool | None = Field(
        default=None,
        description="What it says a user said is that user's word. An agent's key may not unless granted.",
    )
    measures: bool | None = Field(
        default=None,
        description="What it marks as `measured` counts as measured. An agent's key may not unless granted.",
    )
    max_importance: int | None = Field(
        default=None, description="Importance it asks for beyond counts as this: 3 of an agent's key, else 5."
    )
    projects: list[str] | None = Field(
        default=None,
        description="Those an agent's key, or one for outside, may name when bound to none; default: none.",
    )
    persons: list[str] | None = Field(
        default=None,
        description="End users it may name, for good; default: any. Of one only it need not say whom.",
    )


class Learning(Answer):
    """How recall did by the word of those who asked."""

    in_force: str = Field(description="The policy that ranks: name@version.")
    weeks: list[Week]


class LimitsRequest(Body):
    """What the comparison has to reach; without any, it is told and decides nothing."""

    least_overlap: float | None = None
    least_rbo: float | None = None
    most_latency_ratio: float | None = None


class Lineage(Answer):
    """What a memory was derived from, and what was derived from it, as far as you may see it."""

    rests_on: list[Node] = Field(description="By distance: what it was made of first.")
    carries: list[Node] = Field(description="By distance: what was made of it first.")
    steps: list[LineageStep]
    truncated: bool = Field(description="There is more that you may see.")


class LineageStep(Answer):
    """One memory was derived from another."""

    derived: UUID
    premise: UUID


class Link(Answer):
    """A link as seen from one of its ends."""

    id: UUID
    source: UUID
    target: UUID
    type: str
    weight: float
    confidence: float
    origin: Origin | str
    created_at: datetime
    last_verified_at: datetime
    classification: ClassName | str = Field(description="The higher of both ends.")


class LinkRequest(Body):
    """A link to make by hand."""

    target: UUID
    type: LinkType
    weight: float | None = Field(default=None, description="How strong, from 0 to 1; default: 1.")


class Links(Answer):
    """A page of a memory's links, heaviest first."""

    results: list[Link]
    next: str | None


class LintPage(Answer):
    """A page of findings."""

    results: list[Finding]
    next: str | None


class Lowering(Answer):
    """The memory as it is stored, its text's hash, and what was asked; null: it was only shown."""

    hash: str = Field(description="SHA-256 of the stored text: send it back to have it lowered.")
    downgrade: Downgrade | None
    memory: Memory


class MadeAnew(Answer):
    """A memory that rests on what goes and on more."""

    id: UUID
    how: MadeAnewHow | str


class SessionMark(Answer):
    """A class that the session was shown: what it writes is at least of it."""

    classification: ClassName | str
    person: str = Field(description="For whom; empty: for nobody in particular.")
    until: datetime = Field(description="When it ends, if nothing more of that class is shown.")
    reads: list[str] = Field(description="Which sorts of reads showed it: recall, memories, entities …")


class Matrix(Answer):
    """What was seen of the handles of one kind, against what was then known of the facts."""

    kind: HandleKind | str
    moved_changed: int
    moved_held: int = Field(description="False alarms.")
    still_changed: int = Field(description="Misses.")
    still_held: int
    unknown: int = Field(description="Not known yet whether the fact had changed.")
    false_alarms: float | None = Field(description="Share of the moves; null: none.")
    misses: float | None = Field(description="Share of the unmoved looks; null: none.")


class Member(Answer):
    """An entity of a community."""

    id: UUID
    name: str
    type: EntityType | str
    memories: int = Field(description="That were looked through and speak of it.")
    classification: ClassName | str


class MemoryCorrected(Answer):
    """The memory that stands now, and the lesson that was drawn, if any."""

    memory: Memory
    lesson: UUID | None


class MemoryPage(Answer):
    """A page of memories."""

    results: list[Memory]
    next: str | None


class Memory(Answer):
    """A memory on all its axes."""

    id: UUID
    content: str
    kind: str
    card: Card | str
    standing: Standing | str
    classification: ClassName | str
    project_id: UUID | None
    agent_id: UUID | None
    shared: bool
    domain: str
    layer: str
    concept_key: str | None
    entity_key: str | None
    value: str | None
    cardinality: str | None
    keywords: list[str]
    tags: list[str]
    manual_tags: list[str]
    entities: list[str]
    importance: int
    confidence: float
    provenance: str
    trust: float = Field(description="How true, in [0, 1].")
    assigned_by: str | None
    capture_id: UUID | None
    document_id: UUID | None = Field(description="Of which it is a passage, or a fact drawn from one.")
    passage: int | None = Field(description="Place of the passage in its document, from 0.")
    span: list[int] | None = Field(
        description="Where the content stands in the capture's text: [start, end); null: it is no span of one."
    )
    note: str = Field(description="What a language model made of the content; may be empty.")
    mode: Mode | str = Field(description="Only an assertion is a fact of its speaker.")
    annotations: list[Annotation]
    session: str
    turn: int | None
    speaker: str
    relayed_by: UUID | None = Field(description="The agent that says a user said it.")
    person: str = Field(description="The end user whose it is; empty: common.")
    created_at: datetime
    occurred_at: datetime
    occurred_resolved: bool = Field(description="False: the time is that of the capture.")
    effective_at: datetime
    superseded_at: datetime | None
    superseded_by_id: UUID | None
    valid_from: datetime | None
    valid_until: datetime | None
    last_verified_at: datetime
    archived_at: datetime | None
    updated_at: datetime
    version: int
    metadata: dict[str, Any]
    q_value: float = Field(description="How often it helped, in [0, 1].")
    recalled: int
    verified: int
    last_recalled_at: datetime | None
    tier: str
    tier_reason: str = Field(description="Why it is in this tier.")
    tier_at: datetime | None = Field(description="Since when; null: since it was stored.")
    stage: int = Field(description="Of forgetting: 0 kept, 1 fading, 2 faded, 3 spent.")
    pinned: bool


class MemoryRequest(Body):
    """A memory to write directly."""

    content: str
    kind: Kind
    importance: int | None = None
    keywords: list[str] | None = None
    tags: list[str] | None = None
    shared: bool | None = Field(default=None, description="A hint: needs a key with the scope share.")
    domain: str | None = None
    classification: ClassName | None = None
    layer: Layer | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    occurred_at: datetime | None = Field(
        default=None, description="When it happened; default: read from the content."
    )
    timezone: str | None = None
    concept_key: str | None = Field(default=None, description="What a state is about.")
    entity_key: str | None = Field(default=None, description="Whom a state is about.")
    value: str | None = None
    cardinality: Cardinality | None = None
    project: str | None = None
    session: str | None = None
    person: str | None = Field(
        default=None, description="The end user it is of; it is theirs alone unless common."
    )
    common: bool | None = Field(default=None, description="Though a person is named, it is everybody's.")
    fingerprints: list[FingerprintRequest] | None = Field(
        default=None, description="Of files, parts of git and flags it may speak of."
    )
    metadata: dict[str, Any] | None = Field(
        default=None, description="Facts of your own, a JSON object; kept as it is, but for secrets."
    )
    outcome: float | None = Field(default=None, description="Of an example: how it went.")


class MemoryWritten(Answer):
    """What was done with a memory, and the row that stands."""

    decision: str = Field(description="create, skip, reinforce, merge …")
    memory: Memory
    not_done: list[NotDone] | None = Field(default=None, description="Only what was asked for and not done.")


class Mend(Answer):
    """A request that would settle a finding; a person decides."""

    verb: Verb | str
    method: Method | str
    path: str = Field(description="Below /api/v1/.")


class Missing(Answer):
    """A channel that answers were missing."""

    channel: str
    recalls: int


class Models(Answer):
    """What language and decision models may take a day, and have taken."""

    tokens_a_day: int
    tokens_today: int


class Node(Answer):
    """A memory in a neighbourhood."""

    id: UUID
    distance: int = Field(description="Links from the memory that was asked about.")
    content: str
    kind: str
    card: Card | str
    standing: Standing | str
    person: str = Field(description="The end user whose it is; empty: common.")
    trust: float = Field(description="How true, in [0, 1].")
    classification: ClassName | str


class Noisy(Answer):
    """A handle that gave false alarms: report a narrower one that its facts name."""

    handle: Handle
    facts: int
    false_alarms: int


class NotDone(Answer):
    """Something that was asked for and not done."""

    field: str = Field(description="What asked for it.")
    why: str


class Observation(Answer):
    """What came of the report, for the facts that the key may see."""

    verified: int = Field(description="Facts whose handle looks as it did.")
    moved: int = Field(description="Facts whose handle has moved since the last report.")
    doubted: int = Field(description="Facts that had moved before; nobody has looked since.")
    unbound: int = Field(description="Handles that none of these facts is bound to.")
    opened: list[UUID] = Field(description="New items of verify-first.")
    narrowed: int = Field(description="Facts bound to a part of what gave false alarms.")


class ObservationRequest(Body):
    """How things look to an agent that wakes."""

    fingerprints: list[FingerprintRequest]
    session: str | None = Field(default=None, description="In whose contexts it is told unasked.")
    project: str | None = Field(default=None, description="Whose facts are meant; default: the key's.")


class Outcome(Answer):
    """What became of each use, in the order reported, and of the example."""

    results: list[MemoryUse]
    example: UUID | None = Field(
        description="The memory that the example became, or that says the same already."
    )


class OutcomeRequest(Body):
    """How a task ended that was done with what a recall or a session showed."""

    recall: UUID | None = None
    session: str | None = None
    person: str | None = Field(default=None, description="The end user for whom it was recalled.")
    outcome: TaskOutcome
    score: float | None = Field(
        default=None, description="How well it went. Default: 1 if it succeeded, else 0."
    )
    example: str | None = Field(
        default=None, description="What was done: kept as an example with the score. Needs the scope write."
    )


class HealthPart(Answer):
    """HealthPart"""

    ok: bool
    faults: list[str]


class PassagePage(Answer):
    """Passages in their order."""

    results: list[Passage]
    next: int | None = Field(description="`first` of the following page.")


class Passage(Answer):
    """A passage, and the memory it became."""

    passage: int = Field(description="Place in the document, from 0.")
    capture: UUID
    state: CaptureState | str
    memories: list[UUID]
    text: str = Field(description="Redacted.")
    classification: ClassName | str


class PastRecallPage(Answer):
    """A page of recalls."""

    results: list[PastRecall]
    next: str | None


class PastRecall(Answer):
    """A question that was asked before."""

    id: UUID
    created_at: datetime = Field(description="When it was answered.")
    asked_at: datetime = Field(description="The asker's clock.")
    query: str = Field(description="Redacted.")
    session: str
    agent_id: UUID | None
    project_id: UUID | None
    person: str = Field(description="For whom; empty: for nobody.")
    policy: str
    degraded: list[str] = Field(description="Channels that were out.")
    classification: ClassName | str = Field(description="Of the question: as high as its asker could read.")


class KeyNarrowingRequest(Body):
    """What a key keeps."""

    scopes: list[Scope] | None = None
    ceiling: ClassName | None = None
    relays_users: bool | None = None
    measures: bool | None = None
    max_importance: int | None = None
    projects: list[str] | None = None
    reason: str | None = None


class MemoryEditRequest(Body):
    """What is to be changed of a memory; what is left out stays. Its words are `correct`'s."""

    tags: list[str] | None = Field(default=None, description="All that were given by hand.")
    pinned: bool | None = None
    importance: int | None = None
    shared: bool | None = Field(default=None, description="True needs the scope share besides.")
    domain: str | None = Field(default=None, description="Whom of those shared with; * all.")
    layer: Layer | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    outcome: float | None = Field(default=None, description="Of an example: how it went.")
    reason: str | None = Field(default=None, description="For the audit trail.")


class WebhookChangeRequest(Body):
    """What is to change; what is left out stays."""

    url: str | None = None
    kinds: list[EventKind] | None = None
    state: WebhookState | None = None


class PersonForgetting(Answer):
    """What of an end user goes, or went, as far as this key may see it."""

    person: str
    hash: str = Field(description="Of all that is theirs: send it back to have it forgotten.")
    forgotten: bool
    counts: dict[str, int] = Field(description="Rows by table.")


class PersonPage(Answer):
    """A page of people."""

    results: list[Person]
    next: str | None


class Person(Answer):
    """A person and what they hold."""

    user: str
    role: str
    ceiling: ClassName | str
    unlimited: bool = Field(description="An operator: no project is closed to them.")
    permissions: list[HeldPeriod]


class PolicyChanges(Body):
    """Parts of a policy; what is left out stays as it is in the base."""

    channels: list[ChannelSet] | None = Field(
        default=None,
        description="All of them, each at most once; a channel that is left out is switched off.",
    )
    fusion: Fusion | None = None
    weights: WeightsSet | None = None
    rank_offset: int | None = None
    k: int | None = None
    pool: int | None = None
    rare_below: int | None = None
    probe_every: int | None = None
    interest_days: int | None = None
    neighbour_share: float | None = None
    layer_boost: float | None = None
    standing_boost: float | None = None
    named_boost: float | None = None
    slow_ms: float | None = None
    deep_below: float | None = None
    explore_loss: float | None = None
    verdict_spread: float | None = None
    interest_boost: float | None = None
    explores: bool | None = None
    instructs: bool | None = None


class PolicyMoveRequest(Body):
    """Why a version comes into force, or out of it."""

    reason: str | None = Field(default=None, description="For the audit trail.")


class PolicyPage(Answer):
    """A page of versions, and what ranks now."""

    in_force: str = Field(description="Label of the policy that ranks now, a built-in one among them.")
    body: dict[str, Any] = Field(description="All that it decides.")
    results: list[Policy]
    next: str | None


class Policy(Answer):
    """One version and what became of it."""

    id: UUID
    policy: str = Field(description="Name and version, as recalls name it.")
    name: str
    version: int
    state: PolicyState | str
    body: dict[str, Any] = Field(description="All it decides; never changed.")
    hash: str = Field(description="SHA-256 of the body.")
    based_on: str
    note: str
    created_by: str = Field(description="Kind and id, as on the trail.")
    created_at: datetime
    validated_by_run: UUID | None = Field(description="The shadow run that proved it.")
    activated_at: datetime | None
    activated_by: str
    retired_at: datetime | None


class PolicyRequest(Body):
    """A version that is wanted: a base with changes."""

    name: str = Field(description="Its version is the next one of this name.")
    base: str | None = Field(default=None, description="What it is made from; left out: what is in force.")
    changes: PolicyChanges | None = None
    note: str | None = Field(default=None, description="Why; kept with it, and on the trail.")


class Problem(Answer):
    """A problem after RFC 9457."""

    type: str = Field(description="`about:blank`, or `urn:candor:problem:…` with a name.")
    title: str
    status: int
    detail: str
    errors: list[FieldError] | None = None


class ProfileSentence(Answer):
    """A sentence, and the memory whose words it is."""

    text: str
    memory_id: UUID
    card: Card | str
    known_at: datetime = Field(description="Since when it holds, or when it happened.")
    classification: ClassName | str


class Profile(Answer):
    """What is known of an entity, in prose."""

    entity_id: UUID
    name: str
    classification: ClassName | str
    text: str = Field(description="The sentences as one text; empty below five facts.")
    facts: int = Field(description="Different sentences about it that hold and that you may see.")
    sentences: list[ProfileSentence]


class ProjectPage(Answer):
    """A page of projects."""

    results: list[Project]
    next: str | None


class Project(Answer):
    """A project."""

    id: UUID
    slug: str
    name: str
    created_at: datetime


class ProjectRequest(Body):
    """A project to make."""

    slug: str
    name: str


class Proposal(Answer):
    """The weights that promise most, judged on questions that the search did not see."""

    in_force: str
    weights: dict[str, float]
    recalls: int
    questions: int
    verdicts: int
    effective: float = Field(description="So many verdicts of equal weight would say as much.")
    unsupported: float = Field(
        description="Share of the worth of what would be shown that was practically never shown."
    )
    by: dict[str, Estimate] = Field(description="ips, snips, dr and switch.")
    is_better: bool = Field(description="Surely, by two estimators.")
    draft: str | None = Field(description="The policy that was drafted; null: none.")


class RecallRequest(Body):
    """A question."""

    query: str
    k: int | None = Field(default=None, description="Memories wanted, 5.")
    project: str | None = Field(default=None, description="Search this project beside what belongs to none.")
    session: str | None = None
    person: str | None = Field(
        default=None, description="The end user who asks: what is theirs is found beside what is common."
    )
    layer: Layer | None = None
    ceiling: ClassName | None = Field(
        default=None, description="Nothing above this class; the key's own still holds."
    )
    now: datetime | None = Field(default=None, description="The asker's clock, when it is not the service's.")
    timezone: str | None = None
    tags: list[str] | None = Field(default=None, description="Only memories with all of these.")
    kinds: list[Kind] | None = None
    where: WhereRequest | None = Field(default=None, description="Only memories that are like this.")
    channels: list[ChannelName] | None = None
    deep: bool | None = Field(
        default=None, description="Search the archive tier too, whatever else is found."
    )
    valid_at: datetime | None = Field(
        default=None, description="What held then, past or to come; none: what holds now."
    )
    known_at: datetime | None = Field(
        default=None, description="By what was known then; one to come: by all that is known."
    )
    speaker: str | None = Field(default=None, description="Who «I» is, as captures name them.")
    seed: int | None = Field(default=None, description="Repeats exploration.")
    explain: bool | None = Field(default=None, description="Show every factor of each score.")
    leave_out: list[LeaveOut] | None = Field(
        default=None, description="Rank without these parts of the score, to see what they bring."
    )
    min_relevance: float | None = Field(
        default=None,
        description="Nothing known, unless a result is this relevant; 0 takes any. Left out: as was fitted.",
    )
    policy: NamedPolicy | None = Field(default=None, description="Another recall policy than the tenant's.")


class TimeRange(Answer):
    """A range of time as the question's words were read."""

    start: datetime
    end: datetime = Field(description="Exclusive.")
    past: bool = Field(description="The question asks what was: what held then is told, too.")


class Readiness(Answer):
    """Readiness"""

    status: ReadinessStatus | str
    parts: dict[str, HealthPart]


class Recall(Answer):
    """A question with what of its answer may be seen now, in the order of then."""

    id: UUID
    created_at: datetime = Field(description="When it was answered.")
    asked_at: datetime = Field(description="The asker's clock.")
    query: str = Field(description="Redacted.")
    session: str
    agent_id: UUID | None
    project_id: UUID | None
    person: str = Field(description="For whom; empty: for nobody.")
    policy: str
    degraded: list[str] = Field(description="Channels that were out.")
    classification: ClassName | str = Field(description="Of the question: as high as its asker could read.")
    results: list[ToldThen]


class RefitRequest(Body):
    """Where to look for better weights, and under which name to keep them."""

    name: str | None = Field(default=None, description="Keep what is surely better as a draft of this name.")
    since: datetime | None = Field(default=None, description="Recalls from this moment on.")
    seed: int | None = Field(default=None, description="Of the search.")


class Refusal(Answer):
    """A problem: some fields cannot be accepted, or a gate keeps the text from becoming memory."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[FieldError] | None = None
    gate: str | None = Field(default=None, description="Which gate refused.")
    score: float | None = None
    failed: list[str] | None = Field(default=None, description="Which parts.")


class Refused(Answer):
    """Why captures were not stored."""

    gate: str
    verdict: str
    reason: str
    captures: int


class RejectionRequest(Body):
    """Why the class stays as it is."""

    reason: str | None = Field(default=None, description="For the audit trail.")


class ReplayRequest(Body):
    """From where on to send again: one of the two."""

    after: str | None = Field(default=None, description="What came after this event.")
    since: datetime | None = Field(default=None, description="What happened since then.")


class RecallResult(Answer):
    """A memory in its place."""

    id: UUID
    content: str
    card: Card | str
    kind: str
    score: float
    trust: float = Field(description="How true, in [0, 1].")
    provenance: str
    classification: ClassName | str
    occurred_at: datetime
    effective_at: datetime = Field(description="Since when it holds.")
    valid_until: datetime | None = Field(description="Until when it held; null: no end known.")
    standing: Standing | str = Field(
        description="Other than current only where the past is asked about: it was true then."
    )
    tags: list[str]
    speaker: str
    session: str
    turn: int | None
    person: str = Field(description="The end user whose it is; empty: common.")
    assigned_by: str | None = Field(description="Who gave a task; none: a guess.")
    annotations: list[Annotation]
    voices: int = Field(description="People and agents that said so by themselves.")
    restatements: list[UUID] = Field(description="The other memories that say the same and that you may see.")
    concluded_from: list[UUID] = Field(
        description="The memories from which the service concluded this; empty: somebody stated it."
    )
    likely_same: list[UUID] = Field(
        description="Memories that probably say the same: told in `said`, without a place of their own."
    )
    said: str | None = Field(
        description="The words it was found by, where another memory says the same, or of `likely_same`."
    )
    quote: str | None = Field(
        description="The turn it is a part of, as far as you may see it; null: it is all of it."
    )
    discussed: int = Field(
        description="In how many sessions it was said, said again or referred to, as far as you may see."
    )
    pending: bool = Field(
        description="Said in this session and not processed yet: a capture's id, no memory's; trust of a guess."
    )
    explain: dict[str, Any] | None = Field(
        default=None, description="With `explain`: factors, draws, ranks, relevance and what it is made of."
    )


class RevertRequest(Body):
    """Why it is given back."""

    reason: str = Field(description="For the audit trail.")


class ReviewRequest(Body):
    """What a person says of a text that screening holds back."""

    verdict: ReviewVerdict
    reason: str | None = Field(default=None, description="For the trace and the audit trail.")


class RollbackRequest(Body):
    """Which version is to go; only that one does, however often this is sent."""

    reason: str | None = Field(default=None, description="For the audit trail.")
    policy: str = Field(description="The version in force.")


class RulesApplied(Answer):
    """What one call raised, and what is left for the next."""

    run: UUID
    raised: int = Field(description="Memories that the rules name.")
    followed: int = Field(description="Memories that rest on these and rose with them.")
    remaining: int = Field(description="Memories still to be raised, of both sorts.")


class RulesApplyRequest(Body):
    """How much of a migration one call carries out."""

    most: int | None = Field(
        default=None, description="Memories that it raises: 100. Call again until nothing remains."
    )


class Sections(Answer):
    """What stands in each section, in its order."""

    past_experience: list[ContextItem]
    recent_lessons: list[ContextItem]
    high_score_examples: list[ContextItem]
    reusable_patterns: list[ContextItem]


class Separated(Answer):
    """An entity, and whom its former name means now; null for one that no memory you may see speaks of."""

    entity: Entity | None
    separated: Entity | None


class Session(Answer):
    """A session of the key's agent, or of the key, and what it was shown."""

    session: str
    marks: list[SessionMark] = Field(description="The highest class first.")


class ShadowQuestionPage(Answer):
    """Questions of a run, by number."""

    results: list[ShadowQuestion]
    next: int | None = Field(description="`after` of the next page.")


class ShadowQuestion(Answer):
    """A question, as both sides answered it."""

    id: UUID
    seq: int
    query: str
    classification: ClassName | str
    result: dict[str, Any] | None
    texts: dict[str, str] = Field(description="Of newcomers and lost that this key may read now, by id.")
    done_at: datetime | None


class ShadowRunPage(Answer):
    """A page of runs."""

    results: list[ShadowRun]
    next: str | None


class ShadowRun(Answer):
    """A shadow run."""

    id: UUID
    candidate: dict[str, Any]
    baseline: dict[str, Any]
    candidate_label: str
    baseline_label: str
    state: ShadowRunState | str = Field(description="dead: 5 workers ended at its next question.")
    verdict: ShadowRunVerdict | str | None
    reasons: list[str] = Field(description="Why it failed.")
    sample: dict[str, Any]
    limits: dict[str, Any]
    total: int = Field(description="Questions.")
    real: int = Field(description="Of these, really asked.")
    done: int
    planted: int = Field(description="Leaks that were planted to try the checker.")
    planted_caught: int
    leaks: int = Field(description="Of the candidate.")
    failures: int = Field(description="Questions that a side could not answer.")
    summary: dict[str, Any] = Field(description="The figures: see docs/shadow.md.")
    in_force: str | None = Field(description="What stands for all that was in force.")
    created_by: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class ShadowRequest(Body):
    """A shadow run that is asked for."""

    candidate: CandidateRequest
    questions: int | None = Field(
        default=None,
        description="How many of those that were asked are asked again: 500. It takes 200 to pass.",
    )
    since: datetime | None = Field(default=None, description="Only what was asked since then.")
    seed: int | None = Field(default=None, description="By which they are drawn.")
    given: list[GivenQuestionRequest] | None = Field(
        default=None,
        description="Ask these in their place, as the key that asks. They compare and cannot pass.",
    )
    limits: LimitsRequest | None = None


class SleepRunPage(Answer):
    """A page of nights."""

    results: list[SleepRun]
    next: str | None


class SleepRun(Answer):
    """One night with its steps."""

    id: UUID
    state: SleepRunState | str
    trigger: Trigger | str
    asked_by: str
    dreamt: bool = Field(description="The dear steps were run.")
    gate: dict[str, Any] = Field(description="What the gate to a dream saw, and its answer.")
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    steps: list[SleepStep]


class SleepStep(Answer):
    """What one step did."""

    name: str
    cost: Cost | str
    state: SleepStepState | str
    counts: dict[str, int] = Field(description="What was done, how often.")
    tokens_in: int
    tokens_out: int
    error: str = Field(description="What went wrong, without content.")
    started_at: datetime
    milliseconds: int


class SleepRequest(Body):
    """A night that is asked for; without any field, what is due."""

    steps: list[SleepStepName] | None = Field(default=None, description="Only these; none: all that are due.")
    dream: bool | None = Field(
        default=None, description="Whether the dear steps are run; left out: when their gate is open."
    )
    wanted: list[UUID] | None = Field(
        default=None, description="Memories that get a summary, whatever their kind."
    )


class Slice(Answer):
    """How many memories there are, in all and by group, the largest first."""

    total: int = Field(description="Memories; one counts in the group of each of its tags or entities.")
    groups: list[Group]
    truncated: bool = Field(description="There are more groups: narrow the question.")


class Statistics(Answer):
    """How the memory does."""

    since: datetime
    days: list[Day]
    refused: list[Refused]
    missing_channels: list[Missing]
    totals: Totals
    models: Models


class TakenApart(Answer):
    """The pattern, archived now, and the findings that live again."""

    pattern: UUID
    sources: list[UUID]


class ToldThen(Answer):
    """A memory that the answer told, as it is now."""

    memory: Memory
    score: float = Field(description="That it had then; 0 for what was told beside the results.")
    beside: bool = Field(description="Its words stood beside another result's.")


class Totals(Answer):
    """Memories that there are now."""

    memories: int
    current: int
    superseded: int
    archived: int


class AuditPage(Answer):
    """A page of the trail."""

    results: list[AuditEvent]
    next: str | None


class TriplePage(Answer):
    """A page of triples."""

    results: list[Triple]
    next: str | None


class Triple(Answer):
    """What a memory says of an entity; it holds as long as the memory does."""

    id: UUID
    subject_id: UUID
    subject: str = Field(description="As the memory names it.")
    predicate: str = Field(description="A concept key.")
    object_id: UUID | None = Field(description="The entity that the object is, if it is one.")
    object: str
    memory_id: UUID
    provenance: Provenance | str
    trust: float
    standing: Standing | str
    classification: ClassName | str
    effective_at: datetime
    superseded_at: datetime | None
    valid_from: datetime | None
    valid_until: datetime | None
    created_at: datetime


class UnarchiveRequest(Body):
    """Why a memory is to be shown again."""

    reason: str | None = Field(default=None, description="For the audit trail.")


class UnconsolidateRequest(Body):
    """Why the pattern is taken apart."""

    reason: str | None = Field(default=None, description="For the audit trail.")


class UngroupRequest(Body):
    """Why what was judged of a memory is taken back."""

    reason: str | None = Field(default=None, description="For the audit trail.")


class UploadRequest(Body):
    """A file from outside, whole: PDF, Word (.docx), HTML, Markdown or plain text."""

    source: str | None = Field(default=None, description="A path, an address, a connector.")
    tags: list[str] | None = None
    occurred_at: datetime | None = Field(default=None, description="The document's own date; default: now.")
    timezone: str | None = None
    project: str | None = None
    classification: ClassName | None = None
    shared: bool | None = Field(default=None, description="A hint: needs a key with the scope share.")
    domain: str | None = None
    person: str | None = Field(
        default=None, description="The end user it is of; it is theirs alone unless common."
    )
    common: bool | None = Field(default=None, description="Though a person is named, it is everybody's.")
    metadata: dict[str, Any] | None = Field(
        default=None, description="Facts of your own, a JSON object; kept as it is, but for secrets."
    )
    file: FormFile = Field(description="Its kind is told by what is in it.")
    title: str | None = Field(default=None, description="Default: the file's own, else its name.")


class MemoryUse(Answer):
    """What became of one use."""

    memory: UUID
    outcome: FeedbackOutcome | str
    result: UseResult | str = Field(description="not_found: nothing that you may judge showed it.")
    recall: UUID | None = Field(description="Where it was shown.")
    q_value: float | None = Field(description="The memory's usefulness after it, in [0, 1].")


class Uses(Answer):
    """What became of each use, in the order reported."""

    results: list[MemoryUse]


class UsesRequest(Body):
    """What was used of what a recall or a session showed; each memory in one of the lists."""

    recall: UUID | None = None
    session: str | None = None
    person: str | None = Field(default=None, description="The end user for whom it was recalled.")
    used: list[UUID] | None = Field(default=None, description="Used; whether it helped is not known yet.")
    helpful: list[UUID] | None = Field(default=None, description="Used, and it helped.")
    unhelpful: list[UUID] | None = Field(default=None, description="Used, and it did not help.")


class VerdictRequest(Body):
    """Which of two values holds."""

    verdict: ContradictionVerdict = Field(description="keep_old, accept_new, or coexist: both hold.")
    reason: str | None = Field(default=None, description="Why; kept in the audit trail.")


class VerificationPage(Answer):
    """A page of the queue."""

    results: list[Verification]
    next: str | None


class Verification(Answer):
    """An item of the verify-first queue."""

    id: UUID
    memory: Memory
    reason: VerificationReason | str
    what: str = Field(description="What moved or changed.")
    change: Change | None
    session: str
    created_at: datetime = Field(description="When it was put into the queue.")
    verdict: VerificationVerdict | str | None
    resolved_at: datetime | None
    resolved_by: str
    classification: ClassName | str
    state: ContradictionState | str


class Verify(Answer):
    """Whether the end of the chain holds."""

    ok: bool
    after: int = Field(description="The walk began behind this link: the last checkpoint's, or 0.")
    seq: int = Field(description="The last link that was looked at.")
    hash: str = Field(description="Its hash, hexadecimal.")
    events: int = Field(description="Links that were looked at.")
    erased: int = Field(
        description="Of them, events whose reason and detail were erased: what they said cannot be verified."
    )
    checkpoint: bool = Field(description="Whether there is a checkpoint, and it holds.")
    complete: bool = Field(description="Whether the walk came to the end of the chain.")
    breaks: list[Break]


class Version(Answer):
    """A text that a memory had before."""

    version: int
    content: str
    replaced_at: datetime
    reason: str
    classification: ClassName | str


class WatermarkPage(Answer):
    """A page of watermarks."""

    results: list[Watermark]
    next: str | None


class Watermark(Answer):
    """Something outside that facts are bound to."""

    handle: Handle
    facts: int = Field(description="Facts that are bound to it and that the key may see.")
    moved: bool = Field(description="It moved, and nobody has looked at a fact of it since.")
    bound_at: datetime = Field(description="When a fact was bound to it last.")
    seen_at: datetime = Field(description="When it was reported last.")
    classification: ClassName | str


class WebhookPage(Answer):
    """A page of webhooks."""

    results: list[Webhook]
    next: str | None


class Webhook(Answer):
    """A webhook, and how it fares."""

    id: UUID
    url: str
    kinds: list[EventKind | str]
    key: UUID = Field(description="The key by whose eyes it is sent events.")
    state: WebhookState | str
    stopped_because: str = Field(
        description="key-ended, gone or failing; empty: by hand, or it is not stopped."
    )
    secret: str | None = Field(description="What its messages are signed with; told where it was just made.")
    sent: int = Field(description="Events that were taken.")
    failures: int = Field(description="Attempts in a row that failed.")
    last_status: int | None
    last_error: str
    last_sent_at: datetime | None
    next_at: datetime | None = Field(description="Of the next attempt, after failures.")
    created_at: datetime
    created_by: str


class WebhookRequest(Body):
    """A webhook that is to be."""

    url: str = Field(description="Where to POST events to: https, a public host.")
    kinds: list[EventKind] = Field(description="Which events to send.")


class Week(Answer):
    """What was asked and judged in a week; one without a recall is left out."""

    week: date = Field(description="Its Monday.")
    recalls: int
    judged: int = Field(description="Recalls on which a verdict stands.")
    regret: float | None = Field(
        description="Mean of 1 - 1 / place of the first memory that helped, in [0, 1); null: none did."
    )
    missed: int = Field(description="Judged recalls of which nothing helped.")
    varied: int = Field(description="Recalls in which exploration changed a place.")


class WeightsSet(Body):
    """Weights of the factors: the five make 1, the fused channel score is a part of the whole beside them."""

    semantic: float | None = None
    keyword: float | None = None
    usefulness: float | None = None
    importance: float | None = None
    recency: float | None = None
    fused: float | None = None


class WhereRequest(Body):
    """What memories must be like to be looked through: on every axis; all of it has to hold."""

    cards: list[Card] | None = Field(default=None, description="With one of these cards.")
    provenances: list[Provenance] | None = Field(default=None, description="Of one of these origins.")
    classification: ClassName | None = Field(
        default=None, description="Of this class; `ceiling` takes those below, too."
    )
    agent: str | None = Field(default=None, description="Of this agent.")
    shared: bool | None = None
    domain: str | None = None
    person: str | None = Field(default=None, description="This end user's own, as far as you may see them.")
    layer: Layer | None = None
    session: str | None = Field(default=None, description="Said in this session.")
    speaker: str | None = Field(default=None, description="Said by whom captures name so.")
    capture: UUID | None = None
    document: UUID | None = None
    concept_key: str | None = None
    entity_key: str | None = None
    value: str | None = None
    cardinality: Cardinality | None = None
    entities: list[str] | None = Field(default=None, description="With all of these.")
    metadata: dict[str, Any] | None = Field(default=None, description="Holding this, among other things.")
    trust_from: float | None = None
    trust_to: float | None = None
    importance_from: int | None = None
    created_from: datetime | None = None
    created_to: datetime | None = Field(default=None, description="Before it; so all that end in `to`.")
    occurred_from: datetime | None = None
    occurred_to: datetime | None = None
    effective_from: datetime | None = None
    effective_to: datetime | None = None
    verified_before: datetime | None = None
    linked_to: UUID | None = Field(default=None, description="Linked with this memory, either way.")


class Withdrawal(Answer):
    """Memories by what becomes of them, as far as this key may see them."""

    id: UUID | None = Field(description="By which it is given back; null: a dry run.")
    written: list[UUID] = Field(description="Of the origin: hidden.")
    derived: list[UUID] = Field(description="That rest on these alone: hidden.")
    concluded: list[UUID] = Field(description="That the service concluded from these: retracted.")
    dissolved: list[UUID] = Field(description="Patterns that rest on these, too: taken apart.")
    reinstated: list[UUID] = Field(description="That these had superseded: they hold again.")
    verdicts: int = Field(description="Of the origin on memories that you may see.")
    waiting: int = Field(
        description="Captures of the origin that are not processed yet: withdraw again when they are."
    )


class WithdrawalRequest(Body):
    """Whose words of which time: one of `key`, `agent`, `source` and `session`."""

    key: UUID | None = Field(default=None, description="The id of the key by which it was written.")
    agent: str | None = Field(default=None, description="The agent whose it is.")
    source: str | None = Field(default=None, description="The source of documents.")
    session: str | None = None
    since: datetime = Field(description="Written from this moment on.")
    until: datetime | None = Field(
        default=None, description="Written before this moment; left out: until now."
    )
    reason: str = Field(description="For the audit trail.")
    dry_run: bool | None = Field(default=None, description="Only say what would be taken back.")


class WouldBe(Answer):
    """A memory as it would be stored."""

    decision: str
    reason: str
    target: UUID | None = Field(description="The memory it would be joined with.")
    content: str
    kind: str
    card: Card | str
    provenance: str
    trust: float
    importance: int
    layer: Layer | str
    keywords: list[str]
    entity_key: str | None
    concept_key: str | None
    value: str | None
    occurred_at: datetime
    occurred_resolved: bool
