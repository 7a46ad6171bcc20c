"""A function for each operation of the API, that returns the call of it.

Written by `python -m candor.development.generate`; change the service instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from candor import models
from candor.file import File
from candor.wire.call import NOT_GIVEN, Call, NotGiven, Operation

ACTIVATE_POLICY: Final[Operation[models.Policy]] = Operation(
    name="activate_policy",
    method="POST",
    path="policies/{policy_id}/activate",
    summary="Rank by a version that was proven, or was in force before, from the next recall on.",
    in_path=("policy_id",),
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.PolicyMoveRequest,
    answers={200: models.Policy},
)


def activate_policy(
    policy_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.Policy]:
    """
    Rank by a version that was proven, or was in force before, from the next recall on.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    reason: For the audit trail.
    """
    return Call(ACTIVATE_POLICY, locals())


ADD_ENTITY_ALIAS: Final[Operation[models.Entity]] = Operation(
    name="add_entity_alias",
    method="POST",
    path="entities/{entity_id}/aliases",
    summary="Let another name mean the entity, too; who went by it is merged into it. A person's to say.",
    in_path=("entity_id",),
    in_headers={"person": "Candor-Person"},
    body=models.AliasRequest,
    answers={200: models.Entity},
)


def add_entity_alias(
    entity_id: UUID | str,
    name: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Entity]:
    """
    Let another name mean the entity, too; who went by it is merged into it. A person's to say.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(ADD_ENTITY_ALIAS, locals())


ANSWER_VERIFICATION: Final[Operation[models.Verification]] = Operation(
    name="answer_verification",
    method="POST",
    path="verify-first/{verification_id}/answer",
    summary="Confirm, correct or dismiss: a person, or an agent for its own facts that moved; once is twice.",
    in_path=("verification_id",),
    in_headers={"person": "Candor-Person"},
    body=models.AnswerRequest,
    answers={200: models.Verification},
)


def answer_verification(
    verification_id: UUID | str,
    verdict: models.AnswerVerdict,
    *,
    person: str | NotGiven = NOT_GIVEN,
    content: str | NotGiven = NOT_GIVEN,
    value: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.Verification]:
    """
    Confirm, correct or dismiss: a person, or an agent for its own facts that moved; once is twice.

    verdict: confirm: it holds. correct: this is right instead. dismiss: leave it.
    person: The end user whom the request is for: what is theirs is seen, too.
    content: What is right instead; with «correct» only.
    value: Of a state, with «correct» only.
    reason: Why; kept in the audit trail.
    """
    return Call(ANSWER_VERIFICATION, locals())


APPLY_SHADOW_RUN: Final[Operation[models.RulesApplied]] = Operation(
    name="apply_shadow_run",
    method="POST",
    path="shadow-runs/{shadow_id}/apply",
    summary="Raise what the rules of a passed run name, so many memories a call; the gate is shut before.",
    in_path=("shadow_id",),
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.RulesApplyRequest,
    answers={200: models.RulesApplied},
)


def apply_shadow_run(
    shadow_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    most: int | NotGiven = NOT_GIVEN,
) -> Call[models.RulesApplied]:
    """
    Raise what the rules of a passed run name, so many memories a call; the gate is shut before.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    most: Memories that it raises: 100. Call again until nothing remains.
    """
    return Call(APPLY_SHADOW_RUN, locals())


APPROVE_DOWNGRADE: Final[Operation[models.Downgrade]] = Operation(
    name="approve_downgrade",
    method="POST",
    path="downgrades/{downgrade_id}/approve",
    summary="Lower the class that somebody else asked for, naming memory, class and text again.",
    in_path=("downgrade_id",),
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.ApprovalRequest,
    answers={200: models.Downgrade},
)


def approve_downgrade(
    downgrade_id: UUID | str,
    memory: UUID | str,
    *,
    classification: models.ClassName,
    hash: str,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.Downgrade]:
    """
    Lower the class that somebody else asked for, naming memory, class and text again.

    hash: Of the stored text.
    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    reason: For the audit trail.
    """
    return Call(APPROVE_DOWNGRADE, locals())


ARCHIVE_MEMORY: Final[Operation[models.Archiving]] = Operation(
    name="archive_memory",
    method="POST",
    path="memories/{memory_id}/archive",
    summary="Hide a memory from recall: a person at once, an agent by returning the hash of what it is shown.",
    in_path=("memory_id",),
    in_headers={"person": "Candor-Person"},
    body=models.ArchiveRequest,
    answers={200: models.Archiving},
)


def archive_memory(
    memory_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
    session: str | NotGiven = NOT_GIVEN,
    hash: str | NotGiven = NOT_GIVEN,
) -> Call[models.Archiving]:
    """
    Hide a memory from recall: a person at once, an agent by returning the hash of what it is shown.

    person: The end user whom the request is for: what is theirs is seen, too.
    reason: For the audit trail.
    session: An agent's: where it recalled it.
    hash: Of the text that was shown; an agent's second step needs it.
    """
    return Call(ARCHIVE_MEMORY, locals())


CANCEL_SHADOW_RUN: Final[Operation[models.ShadowRun]] = Operation(
    name="cancel_shadow_run",
    method="POST",
    path="shadow-runs/{shadow_id}/cancel",
    summary="End a run that is not over; what it found stays.",
    in_path=("shadow_id",),
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    answers={200: models.ShadowRun},
)


def cancel_shadow_run(
    shadow_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
) -> Call[models.ShadowRun]:
    """
    End a run that is not over; what it found stays.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    """
    return Call(CANCEL_SHADOW_RUN, locals())


CHANGE_WEBHOOK: Final[Operation[models.Webhook]] = Operation(
    name="change_webhook",
    method="PATCH",
    path="webhooks/{webhook_id}",
    summary="Change address, kinds or state. From then on it is sent what the key that changes it may see.",
    in_path=("webhook_id",),
    in_headers={"person": "Candor-Person"},
    body=models.WebhookChangeRequest,
    answers={200: models.Webhook},
)


def change_webhook(
    webhook_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    url: str | NotGiven = NOT_GIVEN,
    kinds: Sequence[models.EventKind] | NotGiven = NOT_GIVEN,
    state: models.WebhookState | NotGiven = NOT_GIVEN,
) -> Call[models.Webhook]:
    """
    Change address, kinds or state. From then on it is sent what the key that changes it may see.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(CHANGE_WEBHOOK, locals())


CLASSIFY_MEMORY: Final[Operation[models.Classified]] = Operation(
    name="classify_memory",
    method="POST",
    path="memories/{memory_id}/classify",
    summary="Raise a memory's class, at once and with all that rests on it; the same class changes nothing.",
    in_path=("memory_id",),
    in_headers={"person": "Candor-Person"},
    body=models.ClassifyRequest,
    answers={200: models.Classified},
)


def classify_memory(
    memory_id: UUID | str,
    classification: models.ClassName,
    *,
    reason: str,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Classified]:
    """
    Raise a memory's class, at once and with all that rests on it; the same class changes nothing.

    reason: For the audit trail.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(CLASSIFY_MEMORY, locals())


CLOSE_GATE: Final[Operation[models.Gate]] = Operation(
    name="close_gate",
    method="POST",
    path="gate/close",
    summary="Close the gate: keys for outside are refused from the next request on.",
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.GateStepRequest,
    answers={200: models.Gate},
)


def close_gate(
    reason: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
) -> Call[models.Gate]:
    """
    Close the gate: keys for outside are refused from the next request on.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    """
    return Call(CLOSE_GATE, locals())


COMPOSE_CONTEXT: Final[Operation[models.Context]] = Operation(
    name="compose_context",
    method="POST",
    path="context",
    summary="Ask; the answer is one block of text within the token budget; 304 when it says what yours says.",
    in_headers={"if_none_match": "If-None-Match"},
    body=models.ContextRequest,
    answers={200: models.Context},
)


def compose_context(
    query: str,
    *,
    if_none_match: str | NotGiven = NOT_GIVEN,
    k: int | NotGiven = NOT_GIVEN,
    project: str | NotGiven = NOT_GIVEN,
    session: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
    layer: models.Layer | NotGiven = NOT_GIVEN,
    ceiling: models.ClassName | NotGiven = NOT_GIVEN,
    now: datetime | str | NotGiven = NOT_GIVEN,
    timezone: str | NotGiven = NOT_GIVEN,
    tags: Sequence[str] | NotGiven = NOT_GIVEN,
    kinds: Sequence[models.Kind] | NotGiven = NOT_GIVEN,
    where: models.WhereRequest | Mapping[str, Any] | NotGiven = NOT_GIVEN,
    channels: Sequence[models.ChannelName] | NotGiven = NOT_GIVEN,
    deep: bool | NotGiven = NOT_GIVEN,
    valid_at: datetime | str | NotGiven = NOT_GIVEN,
    known_at: datetime | str | NotGiven = NOT_GIVEN,
    speaker: str | NotGiven = NOT_GIVEN,
    seed: int | NotGiven = NOT_GIVEN,
    leave_out: Sequence[models.LeaveOut] | NotGiven = NOT_GIVEN,
    min_relevance: float | NotGiven = NOT_GIVEN,
    policy: models.NamedPolicy | NotGiven = NOT_GIVEN,
    budget_tokens: int | NotGiven = NOT_GIVEN,
    guard: models.Guard | NotGiven = NOT_GIVEN,
) -> Call[models.Context]:  # long: a list of what may be given
    """
    Ask; the answer is one block of text within the token budget; 304 when it says what yours says.

    if_none_match: The ETag of a context that you have: 304 when this one says the same.
    k: Memories wanted, 5.
    project: Search this project beside what belongs to none.
    person: The end user who asks: what is theirs is found beside what is common.
    ceiling: Nothing above this class; the key's own still holds.
    now: The asker's clock, when it is not the service's.
    tags: Only memories with all of these.
    where: Only memories that are like this.
    deep: Search the archive tier too, whatever else is found.
    valid_at: What held then, past or to come; none: what holds now.
    known_at: By what was known then; one to come: by all that is known.
    speaker: Who «I» is, as captures name them.
    seed: Repeats exploration.
    leave_out: Rank without these parts of the score, to see what they bring.
    min_relevance: Nothing known, unless a result is this relevant; 0 takes any. Left out: as was fitted.
    policy: Another recall policy than the tenant's.
    budget_tokens: Tokens of the whole text, as the embedder counts them; 800.
    guard: How much is said of how to treat memory.
    """
    return Call(COMPOSE_CONTEXT, locals())


CORRECT_MEMORY: Final[Operation[models.MemoryCorrected]] = Operation(
    name="correct_memory",
    method="POST",
    path="memories/{memory_id}/correct",
    summary="Let a person's word take a memory's place; the same correction again changes nothing.",
    in_path=("memory_id",),
    in_headers={"person": "Candor-Person"},
    body=models.CorrectionRequest,
    answers={200: models.MemoryCorrected, 201: models.MemoryCorrected},
)


def correct_memory(
    memory_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    content: str | NotGiven = NOT_GIVEN,
    value: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
    cause: str | NotGiven = NOT_GIVEN,
    check: str | NotGiven = NOT_GIVEN,
) -> Call[models.MemoryCorrected]:
    """
    Let a person's word take a memory's place; the same correction again changes nothing.

    person: The end user whom the request is for: what is theirs is seen, too.
    value: Of a state: the rest is reworded.
    reason: For the audit trail.
    cause: Why the old one was wrong.
    check: What to check another time; with a cause it becomes a lesson.
    """
    return Call(CORRECT_MEMORY, locals())


CREATE_AGENT: Final[Operation[models.Agent]] = Operation(
    name="create_agent",
    method="POST",
    path="agents",
    summary="Make an agent, whose ceiling is no higher than the key's.",
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.AgentRequest,
    answers={201: models.Agent},
)


def create_agent(
    slug: str,
    name: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    ceiling: models.ClassName | NotGiven = NOT_GIVEN,
    domains: Sequence[str] | NotGiven = NOT_GIVEN,
    project: str | NotGiven = NOT_GIVEN,
) -> Call[models.Agent]:
    """
    Make an agent, whose ceiling is no higher than the key's.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    """
    return Call(CREATE_AGENT, locals())


CREATE_CAPTURE: Final[Operation[models.DryRun | models.CaptureTaken]] = Operation(
    name="create_capture",
    method="POST",
    path="captures",
    summary="Keep what was said; memory forms later. With `wait`, answer when it has, or when the time is up.",
    in_query=("dry_run", "wait"),
    in_headers={"idempotency_key": "Idempotency-Key"},
    body=models.CaptureRequest,
    answers={200: models.DryRun, 202: models.CaptureTaken},
)


def create_capture(
    text: str,
    role: models.Role,
    *,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    dry_run: bool | NotGiven = NOT_GIVEN,
    wait: int | NotGiven = NOT_GIVEN,
    session: str | NotGiven = NOT_GIVEN,
    speaker: str | NotGiven = NOT_GIVEN,
    clock: datetime | str | NotGiven | None = NOT_GIVEN,
    timezone: str | NotGiven = NOT_GIVEN,
    project: str | NotGiven | None = NOT_GIVEN,
    classification: models.ClassName | NotGiven = NOT_GIVEN,
    references: Sequence[str] | NotGiven = NOT_GIVEN,
    fingerprints: Sequence[models.FingerprintRequest | Mapping[str, Any]] | NotGiven = NOT_GIVEN,
    measured: bool | NotGiven = NOT_GIVEN,
    verbatim: bool | NotGiven = NOT_GIVEN,
    shared: bool | NotGiven = NOT_GIVEN,
    domain: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
    layer: models.Layer | NotGiven = NOT_GIVEN,
    common: bool | NotGiven = NOT_GIVEN,
    metadata: Mapping[str, Any] | NotGiven = NOT_GIVEN,
) -> Call[models.DryRun | models.CaptureTaken]:
    """
    Keep what was said; memory forms later. With `wait`, answer when it has, or when the time is up.

    role: Who said it.
    idempotency_key: Sent again with the same request within a day, it is done once.
    dry_run: Tell what would be done; write nothing.
    wait: Seconds to wait for the outcome.
    speaker: The name of who talks.
    clock: When it was said; default: now.
    timezone: Where it was said: «today» is resolved there.
    fingerprints: Of files, parts of git and flags it may speak of.
    measured: Of a tool: the value of a run, a test or a sensor. Counts where the key may measure.
    verbatim: Keep it as one event, word for word.
    shared: A hint: needs a key with the scope share.
    person: The end user talked with; it is theirs alone unless common.
    layer: Of all that is made of it; left out: as it is read.
    common: Though a person is named, it is everybody's.
    metadata: Facts of your own, a JSON object; kept as it is, but for secrets.
    """
    return Call(CREATE_CAPTURE, locals())


CREATE_CAPTURES: Final[Operation[models.CaptureBatchTaken]] = Operation(
    name="create_captures",
    method="POST",
    path="captures/batch",
    summary="Keep up to 100 captures, in their order. One that cannot be taken does not keep the others out.",
    in_headers={"idempotency_key": "Idempotency-Key", "person": "Candor-Person"},
    body=models.CaptureBatchRequest,
    answers={200: models.CaptureBatchTaken},
)


def create_captures(
    captures: Sequence[models.BatchedCaptureRequest | Mapping[str, Any]],
    *,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.CaptureBatchTaken]:
    """
    Keep up to 100 captures, in their order. One that cannot be taken does not keep the others out.

    idempotency_key: Sent again with the same request within a day, it is done once.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(CREATE_CAPTURES, locals())


CREATE_DOCUMENT: Final[Operation[models.DocumentTaken]] = Operation(
    name="create_document",
    method="POST",
    path="documents",
    summary="Keep a document; it is cut and remembered later. 200 when the same text was kept before.",
    body=models.DocumentRequest,
    answers={200: models.DocumentTaken, 202: models.DocumentTaken},
)


def create_document(
    title: str,
    text: str,
    *,
    source: str | NotGiven = NOT_GIVEN,
    tags: Sequence[str] | NotGiven = NOT_GIVEN,
    occurred_at: datetime | str | NotGiven = NOT_GIVEN,
    timezone: str | NotGiven = NOT_GIVEN,
    project: str | NotGiven | None = NOT_GIVEN,
    classification: models.ClassName | NotGiven = NOT_GIVEN,
    shared: bool | NotGiven = NOT_GIVEN,
    domain: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
    common: bool | NotGiven = NOT_GIVEN,
    metadata: Mapping[str, Any] | NotGiven = NOT_GIVEN,
    media_type: models.MediaType | NotGiven = NOT_GIVEN,
) -> Call[models.DocumentTaken]:
    """
    Keep a document; it is cut and remembered later. 200 when the same text was kept before.

    source: A path, an address, a connector.
    occurred_at: The document's own date; default: now.
    shared: A hint: needs a key with the scope share.
    person: The end user it is of; it is theirs alone unless common.
    common: Though a person is named, it is everybody's.
    metadata: Facts of your own, a JSON object; kept as it is, but for secrets.
    """
    return Call(CREATE_DOCUMENT, locals())


CREATE_KEY: Final[Operation[models.KeyMade]] = Operation(
    name="create_key",
    method="POST",
    path="keys",
    summary="Make a key, allowed no more than the one that asks. The answer shows it this once.",
    in_headers={"idempotency_key": "Idempotency-Key"},
    body=models.KeyRequest,
    answers={201: models.KeyMade},
)


def create_key(
    name: str,
    scopes: Sequence[models.Scope],
    *,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    ceiling: models.ClassName | NotGiven = NOT_GIVEN,
    agent: str | NotGiven = NOT_GIVEN,
    project: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
    external: bool | NotGiven = NOT_GIVEN,
    expires_at: datetime | str | NotGiven = NOT_GIVEN,
    relays_users: bool | NotGiven = NOT_GIVEN,
    measures: bool | NotGiven = NOT_GIVEN,
    max_importance: int | NotGiven = NOT_GIVEN,
    projects: Sequence[str] | NotGiven = NOT_GIVEN,
    persons: Sequence[str] | NotGiven = NOT_GIVEN,
) -> Call[models.KeyMade]:
    """
    Make a key, allowed no more than the one that asks. The answer shows it this once.

    idempotency_key: Sent again with the same request within a day, it is done once.
    person: Whom it speaks for: it may no more than they.
    external: For somebody outside: it works while the gate is open.
    relays_users: What it says a user said is that user's word. An agent's key may not unless granted.
    measures: What it marks as `measured` counts as measured. An agent's key may not unless granted.
    max_importance: Importance it asks for beyond counts as this: 3 of an agent's key, else 5.
    projects: Those an agent's key, or one for outside, may name when bound to none; default: none.
    persons: End users it may name, for good; default: any. Of one only it need not say whom.
    """
    return Call(CREATE_KEY, locals())


CREATE_MEMORY: Final[Operation[models.MemoryWritten]] = Operation(
    name="create_memory",
    method="POST",
    path="memories",
    summary="Write a memory directly, through every gate; a refusal says which gate and why.",
    body=models.MemoryRequest,
    answers={200: models.MemoryWritten, 201: models.MemoryWritten},
)


def create_memory(
    content: str,
    kind: models.Kind,
    *,
    importance: int | NotGiven = NOT_GIVEN,
    keywords: Sequence[str] | NotGiven = NOT_GIVEN,
    tags: Sequence[str] | NotGiven = NOT_GIVEN,
    shared: bool | NotGiven = NOT_GIVEN,
    domain: str | NotGiven = NOT_GIVEN,
    classification: models.ClassName | NotGiven = NOT_GIVEN,
    layer: models.Layer | NotGiven = NOT_GIVEN,
    valid_from: datetime | str | NotGiven = NOT_GIVEN,
    valid_until: datetime | str | NotGiven = NOT_GIVEN,
    occurred_at: datetime | str | NotGiven = NOT_GIVEN,
    timezone: str | NotGiven = NOT_GIVEN,
    concept_key: str | NotGiven = NOT_GIVEN,
    entity_key: str | NotGiven = NOT_GIVEN,
    value: str | NotGiven = NOT_GIVEN,
    cardinality: models.Cardinality | NotGiven = NOT_GIVEN,
    project: str | NotGiven | None = NOT_GIVEN,
    session: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
    common: bool | NotGiven = NOT_GIVEN,
    fingerprints: Sequence[models.FingerprintRequest | Mapping[str, Any]] | NotGiven = NOT_GIVEN,
    metadata: Mapping[str, Any] | NotGiven = NOT_GIVEN,
    outcome: float | NotGiven = NOT_GIVEN,
) -> Call[models.MemoryWritten]:
    """
    Write a memory directly, through every gate; a refusal says which gate and why.

    shared: A hint: needs a key with the scope share.
    occurred_at: When it happened; default: read from the content.
    concept_key: What a state is about.
    entity_key: Whom a state is about.
    person: The end user it is of; it is theirs alone unless common.
    common: Though a person is named, it is everybody's.
    fingerprints: Of files, parts of git and flags it may speak of.
    metadata: Facts of your own, a JSON object; kept as it is, but for secrets.
    outcome: Of an example: how it went.
    """
    return Call(CREATE_MEMORY, locals())


CREATE_MEMORY_LINK: Final[Operation[models.Link]] = Operation(
    name="create_memory_link",
    method="POST",
    path="memories/{memory_id}/links",
    summary="Link the memory with another one; a link that was found already is manual from now on.",
    in_path=("memory_id",),
    in_headers={"person": "Candor-Person"},
    body=models.LinkRequest,
    answers={201: models.Link},
)


def create_memory_link(
    memory_id: UUID | str,
    target: UUID | str,
    *,
    type: models.LinkType,
    person: str | NotGiven = NOT_GIVEN,
    weight: float | NotGiven = NOT_GIVEN,
) -> Call[models.Link]:
    """
    Link the memory with another one; a link that was found already is manual from now on.

    person: The end user whom the request is for: what is theirs is seen, too.
    weight: How strong, from 0 to 1; default: 1.
    """
    return Call(CREATE_MEMORY_LINK, locals())


CREATE_PROJECT: Final[Operation[models.Project]] = Operation(
    name="create_project",
    method="POST",
    path="projects",
    summary="Make a project.",
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.ProjectRequest,
    answers={201: models.Project},
)


def create_project(
    slug: str,
    name: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
) -> Call[models.Project]:
    """
    Make a project.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    """
    return Call(CREATE_PROJECT, locals())


CREATE_SHADOW_RUN: Final[Operation[models.ShadowRun]] = Operation(
    name="create_shadow_run",
    method="POST",
    path="shadow-runs",
    summary="Try a candidate in the background. It is worked on below live traffic; look again under its id.",
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.ShadowRequest,
    answers={202: models.ShadowRun},
)


def create_shadow_run(
    candidate: models.CandidateRequest | Mapping[str, Any],
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    questions: int | NotGiven = NOT_GIVEN,
    since: datetime | str | NotGiven = NOT_GIVEN,
    seed: int | NotGiven = NOT_GIVEN,
    given: Sequence[models.GivenQuestionRequest | Mapping[str, Any]] | NotGiven = NOT_GIVEN,
    limits: models.LimitsRequest | Mapping[str, Any] | NotGiven = NOT_GIVEN,
) -> Call[models.ShadowRun]:
    """
    Try a candidate in the background. It is worked on below live traffic; look again under its id.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    questions: How many of those that were asked are asked again: 500. It takes 200 to pass.
    since: Only what was asked since then.
    seed: By which they are drawn.
    given: Ask these in their place, as the key that asks. They compare and cannot pass.
    """
    return Call(CREATE_SHADOW_RUN, locals())


CREATE_SLEEP_RUN: Final[Operation[models.SleepRun]] = Operation(
    name="create_sleep_run",
    method="POST",
    path="sleep-runs",
    summary="Ask for a night now. It is run as soon as a worker has time; look again under its id.",
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.SleepRequest,
    answers={202: models.SleepRun},
)


def create_sleep_run(
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    steps: Sequence[models.SleepStepName] | NotGiven = NOT_GIVEN,
    dream: bool | NotGiven = NOT_GIVEN,
    wanted: Sequence[UUID | str] | NotGiven = NOT_GIVEN,
) -> Call[models.SleepRun]:
    """
    Ask for a night now. It is run as soon as a worker has time; look again under its id.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    steps: Only these; none: all that are due.
    dream: Whether the dear steps are run; left out: when their gate is open.
    wanted: Memories that get a summary, whatever their kind.
    """
    return Call(CREATE_SLEEP_RUN, locals())


CREATE_WEBHOOK: Final[Operation[models.Webhook]] = Operation(
    name="create_webhook",
    method="POST",
    path="webhooks",
    summary="Have events sent to an address from now on; the answer has the secret that signs them.",
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.WebhookRequest,
    answers={201: models.Webhook},
)


def create_webhook(
    url: str,
    kinds: Sequence[models.EventKind],
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
) -> Call[models.Webhook]:
    """
    Have events sent to an address from now on; the answer has the secret that signs them.

    url: Where to POST events to: https, a public host.
    kinds: Which events to send.
    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    """
    return Call(CREATE_WEBHOOK, locals())


DELETE_MEMORY_LINK: Final[Operation[None]] = Operation(
    name="delete_memory_link",
    method="DELETE",
    path="memories/{memory_id}/links/{link_id}",
    summary="Take a manual link back.",
    in_path=("memory_id", "link_id"),
    in_headers={"person": "Candor-Person"},
    answers={204: None},
)


def delete_memory_link(
    memory_id: UUID | str,
    link_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[None]:
    """
    Take a manual link back.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(DELETE_MEMORY_LINK, locals())


DELETE_WEBHOOK: Final[Operation[None]] = Operation(
    name="delete_webhook",
    method="DELETE",
    path="webhooks/{webhook_id}",
    summary="Delete a webhook.",
    in_path=("webhook_id",),
    in_headers={"person": "Candor-Person"},
    answers={204: None},
)


def delete_webhook(
    webhook_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[None]:
    """
    Delete a webhook.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(DELETE_WEBHOOK, locals())


DOWNGRADE_MEMORY: Final[Operation[models.Lowering]] = Operation(
    name="downgrade_memory",
    method="POST",
    path="memories/{memory_id}/downgrade",
    summary="Show the text; with its hash, lower the class by one step (200), or ask a second person (202).",
    in_path=("memory_id",),
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.DowngradeRequest,
    answers={200: models.Lowering, 202: models.Lowering},
)


def downgrade_memory(
    memory_id: UUID | str,
    classification: models.ClassName,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
    hash: str | NotGiven = NOT_GIVEN,
) -> Call[models.Lowering]:
    """
    Show the text; with its hash, lower the class by one step (200), or ask a second person (202).

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    reason: For who approves, and the trail.
    hash: Of the stored text, as the first step showed it.
    """
    return Call(DOWNGRADE_MEMORY, locals())


DRAFT_POLICY: Final[Operation[models.Policy]] = Operation(
    name="draft_policy",
    method="POST",
    path="policies",
    summary="Draft a version (201), which ranks nothing yet; the same draft again is answered as it is (200).",
    in_headers={"person": "Candor-Person"},
    body=models.PolicyRequest,
    answers={200: models.Policy, 201: models.Policy},
)


def draft_policy(
    name: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    base: str | NotGiven = NOT_GIVEN,
    changes: models.PolicyChanges | Mapping[str, Any] | NotGiven = NOT_GIVEN,
    note: str | NotGiven = NOT_GIVEN,
) -> Call[models.Policy]:
    """
    Draft a version (201), which ranks nothing yet; the same draft again is answered as it is (200).

    name: Its version is the next one of this name.
    person: The end user whom the request is for: what is theirs is seen, too.
    base: What it is made from; left out: what is in force.
    note: Why; kept with it, and on the trail.
    """
    return Call(DRAFT_POLICY, locals())


EDIT_MEMORY: Final[Operation[models.Memory]] = Operation(
    name="edit_memory",
    method="PATCH",
    path="memories/{memory_id}",
    summary="Change tags, pin, importance, sharing, validity, layer or outcome; a person's, its words stay.",
    in_path=("memory_id",),
    in_headers={"if_match": "If-Match", "person": "Candor-Person"},
    body=models.MemoryEditRequest,
    answers={200: models.Memory},
)


def edit_memory(
    memory_id: UUID | str,
    *,
    if_match: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
    tags: Sequence[str] | NotGiven = NOT_GIVEN,
    pinned: bool | NotGiven = NOT_GIVEN,
    importance: int | NotGiven = NOT_GIVEN,
    shared: bool | NotGiven = NOT_GIVEN,
    domain: str | NotGiven = NOT_GIVEN,
    layer: models.Layer | NotGiven = NOT_GIVEN,
    valid_from: datetime | str | NotGiven | None = NOT_GIVEN,
    valid_until: datetime | str | NotGiven | None = NOT_GIVEN,
    outcome: float | NotGiven | None = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.Memory]:
    """
    Change tags, pin, importance, sharing, validity, layer or outcome; a person's, its words stay.

    person: The end user whom the request is for: what is theirs is seen, too.
    tags: All that were given by hand.
    shared: True needs the scope share besides.
    domain: Whom of those shared with; * all.
    outcome: Of an example: how it went.
    reason: For the audit trail.
    """
    return Call(EDIT_MEMORY, locals())


END_SESSION: Final[Operation[None]] = Operation(
    name="end_session",
    method="DELETE",
    path="sessions/{session}",
    summary="Say that a session is over and what it was shown forgotten: its name begins anew.",
    in_path=("session",),
    in_headers={"person": "Candor-Person"},
    answers={204: None},
)


def end_session(
    session: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[None]:
    """
    Say that a session is over and what it was shown forgotten: its name begins anew.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(END_SESSION, locals())


ESTIMATE_POLICY: Final[Operation[models.Comparison]] = Operation(
    name="estimate_policy",
    method="GET",
    path="learning/estimate",
    summary="Estimate from the newest recalls what a version's weights would have been worth beside those in force.\n\nOf recalls that the policy in force answered, the newest 2 000; `manage.py learn` reads more.",
    in_query=("policy", "since"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Comparison},
)


def estimate_policy(
    policy: str,
    *,
    since: datetime | str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Comparison]:
    """
    Estimate from the newest recalls what a version's weights would have been worth beside those in
    force.  Of recalls that the policy in force answered, the newest 2 000; `manage.py learn` reads
    more.

    policy: The version whose weights are compared with those in force: tuned@1.
    since: Recalls from this moment on.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(ESTIMATE_POLICY, locals())


EXPORT_PERSON: Final[Operation[str]] = Operation(
    name="export_person",
    method="GET",
    path="persons/export",
    summary="Export an end user's captures and memories, one JSON object a line.",
    in_query=("person",),
    answers={200: str},
)


def export_person(person: str) -> Call[str]:
    """
    Export an end user's captures and memories, one JSON object a line.

    person: The end user's id.
    """
    return Call(EXPORT_PERSON, locals())


FORGET_MEMORY: Final[Operation[models.Forgetting]] = Operation(
    name="forget_memory",
    method="POST",
    path="memories/{memory_id}/forget",
    summary="Say what forgetting this memory takes with it; with the hash of its text, erase it for good.",
    in_path=("memory_id",),
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.ForgetRequest,
    answers={200: models.Forgetting},
)


def forget_memory(
    memory_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
    hash: str | NotGiven = NOT_GIVEN,
) -> Call[models.Forgetting]:
    """
    Say what forgetting this memory takes with it; with the hash of its text, erase it for good.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    reason: For the audit trail; it stays.
    hash: Of the stored text, as the first step showed it.
    """
    return Call(FORGET_MEMORY, locals())


FORGET_PERSON: Final[Operation[models.PersonForgetting]] = Operation(
    name="forget_person",
    method="POST",
    path="persons/forget",
    summary="Say how much of an end user is kept; with the hash of it, erase all of it for good.",
    in_headers={"idempotency_key": "Idempotency-Key"},
    body=models.ForgetPersonRequest,
    answers={200: models.PersonForgetting},
)


def forget_person(
    person: str,
    *,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
    hash: str | NotGiven = NOT_GIVEN,
) -> Call[models.PersonForgetting]:
    """
    Say how much of an end user is kept; with the hash of it, erase all of it for good.

    person: The end user's id.
    idempotency_key: Sent again with the same request within a day, it is done once.
    reason: For the audit trail; it stays.
    hash: Of all that is theirs, as the first step showed it.
    """
    return Call(FORGET_PERSON, locals())


GET_AGENT: Final[Operation[models.Agent]] = Operation(
    name="get_agent",
    method="GET",
    path="agents/{slug}",
    summary="Show an agent.",
    in_path=("slug",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Agent},
)


def get_agent(
    slug: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Agent]:
    """
    Show an agent.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_AGENT, locals())


GET_CAPTURE: Final[Operation[models.Capture]] = Operation(
    name="get_capture",
    method="GET",
    path="captures/{capture_id}",
    summary="Show what became of a capture, and each step's verdict on it.",
    in_path=("capture_id",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Capture},
)


def get_capture(
    capture_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Capture]:
    """
    Show what became of a capture, and each step's verdict on it.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_CAPTURE, locals())


GET_CONTRADICTION: Final[Operation[models.Contradiction]] = Operation(
    name="get_contradiction",
    method="GET",
    path="contradictions/{contradiction_id}",
    summary="Show a contradiction with both its memories.",
    in_path=("contradiction_id",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Contradiction},
)


def get_contradiction(
    contradiction_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Contradiction]:
    """
    Show a contradiction with both its memories.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_CONTRADICTION, locals())


GET_DOCUMENT: Final[Operation[models.Document]] = Operation(
    name="get_document",
    method="GET",
    path="documents/{document_id}",
    summary="Show a document, its summary, and how far its passages have come.",
    in_path=("document_id",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Document},
)


def get_document(
    document_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Document]:
    """
    Show a document, its summary, and how far its passages have come.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_DOCUMENT, locals())


GET_DOWNGRADE: Final[Operation[models.Downgrade]] = Operation(
    name="get_downgrade",
    method="GET",
    path="downgrades/{downgrade_id}",
    summary="Show what was asked, by whom, and what became of it.",
    in_path=("downgrade_id",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Downgrade},
)


def get_downgrade(
    downgrade_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Downgrade]:
    """
    Show what was asked, by whom, and what became of it.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_DOWNGRADE, locals())


GET_ENTITY: Final[Operation[models.Entity]] = Operation(
    name="get_entity",
    method="GET",
    path="entities/{entity_id}",
    summary="Show an entity with its names, types and counts; one that was merged is shown as what it is now.",
    in_path=("entity_id",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Entity},
)


def get_entity(
    entity_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Entity]:
    """
    Show an entity with its names, types and counts; one that was merged is shown as what it is now.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_ENTITY, locals())


GET_ENTITY_PROFILE: Final[Operation[models.Profile]] = Operation(
    name="get_entity_profile",
    method="GET",
    path="entities/{entity_id}/profile",
    summary="Say who or what it is in sentences of the memories that you may see, each with its memory.\n\nComposed when it is asked for, so it is never out of date. Empty below five facts.",
    in_path=("entity_id",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Profile},
)


def get_entity_profile(
    entity_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Profile]:
    """
    Say who or what it is in sentences of the memories that you may see, each with its memory.  Composed
    when it is asked for, so it is never out of date. Empty below five facts.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_ENTITY_PROFILE, locals())


GET_GATE: Final[Operation[models.Gate]] = Operation(
    name="get_gate",
    method="GET",
    path="gate",
    summary="Show whether keys for outside work, and if not, why.",
    in_headers={"person": "Candor-Person"},
    answers={200: models.Gate},
)


def get_gate(
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Gate]:
    """
    Show whether keys for outside work, and if not, why.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_GATE, locals())


GET_KEY: Final[Operation[models.Key]] = Operation(
    name="get_key",
    method="GET",
    path="keys/{key_id}",
    summary="Show a key without its secret.",
    in_path=("key_id",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Key},
)


def get_key(
    key_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Key]:
    """
    Show a key without its secret.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_KEY, locals())


GET_LEARNING: Final[Operation[models.Learning]] = Operation(
    name="get_learning",
    method="GET",
    path="learning",
    summary="Tell by week how far the first memory that helped stood behind the first place.",
    in_query=("weeks",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Learning},
)


def get_learning(
    *,
    weeks: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Learning]:
    """
    Tell by week how far the first memory that helped stood behind the first place.

    weeks: This week and those before; a week begins on Monday, by UTC.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_LEARNING, locals())


GET_MEMORY: Final[Operation[models.Memory]] = Operation(
    name="get_memory",
    method="GET",
    path="memories/{memory_id}",
    summary="Show a memory on all its axes; 304 when it is still as its ETag says.",
    in_path=("memory_id",),
    in_headers={"if_none_match": "If-None-Match", "person": "Candor-Person"},
    answers={200: models.Memory},
)


def get_memory(
    memory_id: UUID | str,
    *,
    if_none_match: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Memory]:
    """
    Show a memory on all its axes; 304 when it is still as its ETag says.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_MEMORY, locals())


GET_MEMORY_GRAPH: Final[Operation[models.Graph]] = Operation(
    name="get_memory_graph",
    method="GET",
    path="memories/{memory_id}/graph",
    summary="Show the memories around one and the links between them; what is hidden is no way to another.",
    in_path=("memory_id",),
    in_query=("depth", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Graph},
)


def get_memory_graph(
    memory_id: UUID | str,
    *,
    depth: int | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Graph]:
    """
    Show the memories around one and the links between them; what is hidden is no way to another.

    depth: Links from the memory.
    limit: Memories, itself among them.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_MEMORY_GRAPH, locals())


GET_MEMORY_HISTORY: Final[Operation[models.History]] = Operation(
    name="get_memory_history",
    method="GET",
    path="memories/{memory_id}/history",
    summary="Show former texts, and the chain of what it replaced and what replaced it.",
    in_path=("memory_id",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.History},
)


def get_memory_history(
    memory_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.History]:
    """
    Show former texts, and the chain of what it replaced and what replaced it.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_MEMORY_HISTORY, locals())


GET_MEMORY_LINEAGE: Final[Operation[models.Lineage]] = Operation(
    name="get_memory_lineage",
    method="GET",
    path="memories/{memory_id}/lineage",
    summary="Show what a memory was derived from and what was derived from it, step by step.",
    in_path=("memory_id",),
    in_query=("limit",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Lineage},
)


def get_memory_lineage(
    memory_id: UUID | str,
    *,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Lineage]:
    """
    Show what a memory was derived from and what was derived from it, step by step.

    limit: Memories each way.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_MEMORY_LINEAGE, locals())


GET_MEMORY_LINKS: Final[Operation[models.Links]] = Operation(
    name="get_memory_links",
    method="GET",
    path="memories/{memory_id}/links",
    summary="List the links from and to a memory whose other end may be seen, heaviest first.",
    in_path=("memory_id",),
    in_query=("cursor", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Links},
    row=models.Link,
)


def get_memory_links(
    memory_id: UUID | str,
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Links]:
    """
    List the links from and to a memory whose other end may be seen, heaviest first.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_MEMORY_LINKS, locals())


GET_PERMISSIONS: Final[Operation[models.Person]] = Operation(
    name="get_permissions",
    method="GET",
    path="people/{user}/permissions",
    summary="Show what a person holds.",
    in_path=("user",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Person},
)


def get_permissions(
    user: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Person]:
    """
    Show what a person holds.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_PERMISSIONS, locals())


GET_POLICY: Final[Operation[models.Policy]] = Operation(
    name="get_policy",
    method="GET",
    path="policies/{policy_id}",
    summary="Show a version with all it decides.",
    in_path=("policy_id",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Policy},
)


def get_policy(
    policy_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Policy]:
    """
    Show a version with all it decides.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_POLICY, locals())


GET_PROJECT: Final[Operation[models.Project]] = Operation(
    name="get_project",
    method="GET",
    path="projects/{slug}",
    summary="Show a project.",
    in_path=("slug",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Project},
)


def get_project(
    slug: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Project]:
    """
    Show a project.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_PROJECT, locals())


GET_RECALL: Final[Operation[models.Recall]] = Operation(
    name="get_recall",
    method="GET",
    path="recall/{recall_id}",
    summary="Show a question and what of its answer you may see now; an agent sees its own.",
    in_path=("recall_id",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Recall},
)


def get_recall(
    recall_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Recall]:
    """
    Show a question and what of its answer you may see now; an agent sees its own.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_RECALL, locals())


GET_SESSION: Final[Operation[models.Session]] = Operation(
    name="get_session",
    method="GET",
    path="sessions/{session}",
    summary="Tell how high a session writes and why; 404 when it was shown nothing that counts any more.",
    in_path=("session",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Session},
)


def get_session(
    session: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Session]:
    """
    Tell how high a session writes and why; 404 when it was shown nothing that counts any more.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_SESSION, locals())


GET_SHADOW_RUN: Final[Operation[models.ShadowRun]] = Operation(
    name="get_shadow_run",
    method="GET",
    path="shadow-runs/{shadow_id}",
    summary="Show a run: how far it is, its verdict and figures.",
    in_path=("shadow_id",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.ShadowRun},
)


def get_shadow_run(
    shadow_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.ShadowRun]:
    """
    Show a run: how far it is, its verdict and figures.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_SHADOW_RUN, locals())


GET_SLEEP_RUN: Final[Operation[models.SleepRun]] = Operation(
    name="get_sleep_run",
    method="GET",
    path="sleep-runs/{run_id}",
    summary="Show a night with its steps.",
    in_path=("run_id",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.SleepRun},
)


def get_sleep_run(
    run_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.SleepRun]:
    """
    Show a night with its steps.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_SLEEP_RUN, locals())


GET_STATISTICS: Final[Operation[models.Statistics]] = Operation(
    name="get_statistics",
    method="GET",
    path="statistics",
    summary="Count by day what was stored, refused, asked and judged, as far as the key's ceiling reaches.",
    in_query=("days",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Statistics},
)


def get_statistics(
    *,
    days: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Statistics]:
    """
    Count by day what was stored, refused, asked and judged, as far as the key's ceiling reaches.

    days: Today and the days before, by UTC.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_STATISTICS, locals())


GET_VERIFICATION: Final[Operation[models.Verification]] = Operation(
    name="get_verification",
    method="GET",
    path="verify-first/{verification_id}",
    summary="Show an item with its memory and what happened.",
    in_path=("verification_id",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Verification},
)


def get_verification(
    verification_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Verification]:
    """
    Show an item with its memory and what happened.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_VERIFICATION, locals())


GET_WATERMARK_CALIBRATION: Final[Operation[models.Calibration]] = Operation(
    name="get_watermark_calibration",
    method="GET",
    path="watermarks/calibration",
    summary="Show how often each kind of handle gave a false alarm or missed a change, and which are noisy.",
    in_query=("project",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Calibration},
)


def get_watermark_calibration(
    *,
    project: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Calibration]:
    """
    Show how often each kind of handle gave a false alarm or missed a change, and which are noisy.

    project: Default: the key's.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_WATERMARK_CALIBRATION, locals())


GET_WEBHOOK: Final[Operation[models.Webhook]] = Operation(
    name="get_webhook",
    method="GET",
    path="webhooks/{webhook_id}",
    summary="Show a webhook, and how it fares.",
    in_path=("webhook_id",),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Webhook},
)


def get_webhook(
    webhook_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Webhook]:
    """
    Show a webhook, and how it fares.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(GET_WEBHOOK, locals())


GIVE_FEEDBACK: Final[Operation[models.Feedback]] = Operation(
    name="give_feedback",
    method="POST",
    path="recall/{recall_id}/feedback",
    summary="Say whether a memory of this recall helped; the last word for a memory and a recall stands.",
    in_path=("recall_id",),
    body=models.FeedbackRequest,
    answers={200: models.Feedback},
)


def give_feedback(
    recall_id: UUID | str,
    memory: str,
    *,
    outcome: models.FeedbackOutcome,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Feedback]:
    """
    Say whether a memory of this recall helped; the last word for a memory and a recall stands.

    memory: Its id, or what a context of this recall calls it: the end of the id.
    person: The end user for whom it was recalled.
    """
    return Call(GIVE_FEEDBACK, locals())


HEALTH_LIVE: Final[Operation[models.Alive]] = Operation(
    name="health_live",
    method="GET",
    path="health/live",
    summary="Say that the process is alive; looks at nothing else.",
    answers={200: models.Alive},
)


def health_live() -> Call[models.Alive]:
    """Say that the process is alive; looks at nothing else."""
    return Call(HEALTH_LIVE, locals())


HEALTH_READY: Final[Operation[models.Readiness]] = Operation(
    name="health_ready",
    method="GET",
    path="health/ready",
    summary="Look at the database's role and walls, whether it writes, its migrations and the broker; 503 without.\n\nWithout the store of rate limits it serves, degraded: each process holds them by itself. So it does\nwhile the disk with its home is nearly full, and while captures wait for a model, an embedder or the\ndatabase that is out: they are named.",
    answers={200: models.Readiness, 503: models.Readiness},
)


def health_ready() -> Call[models.Readiness]:
    """Look at the database's role and walls, whether it writes, its migrations and the broker; 503
    without.  Without the store of rate limits it serves, degraded: each process holds them by itself.
    So it does while the disk with its home is nearly full, and while captures wait for a model, an
    embedder or the database that is out: they are named."""
    return Call(HEALTH_READY, locals())


LIST_AGENTS: Final[Operation[models.AgentPage]] = Operation(
    name="list_agents",
    method="GET",
    path="agents",
    summary="List agents, newest first; a bound key sees those of its project.",
    in_query=("cursor", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.AgentPage},
    row=models.Agent,
)


def list_agents(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.AgentPage]:
    """
    List agents, newest first; a bound key sees those of its project.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_AGENTS, locals())


LIST_AUDIT: Final[Operation[models.AuditPage]] = Operation(
    name="list_audit",
    method="GET",
    path="audit",
    summary="List what was done, newest first, as far as the key may see.",
    in_query=("action", "actor", "cursor", "limit", "object_id", "object_type", "since", "until"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.AuditPage},
    row=models.AuditEvent,
)


def list_audit(
    *,
    action: str | NotGiven = NOT_GIVEN,
    actor: str | NotGiven = NOT_GIVEN,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    object_id: str | NotGiven = NOT_GIVEN,
    object_type: str | NotGiven = NOT_GIVEN,
    since: datetime | str | NotGiven = NOT_GIVEN,
    until: datetime | str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.AuditPage]:
    """
    List what was done, newest first, as far as the key may see.

    action: Such as `memory.correct`.
    actor: Id of who did it.
    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    object_type: Such as `memory`.
    since: Done then or later.
    until: Done before then.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_AUDIT, locals())


LIST_CAPTURES: Final[Operation[models.CapturePage]] = Operation(
    name="list_captures",
    method="GET",
    path="captures",
    summary="List captures, newest first: an agent sees its own, a person's key all.",
    in_query=("cursor", "limit", "person", "session", "state"),
    answers={200: models.CapturePage},
    row=models.Capture,
)


def list_captures(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
    session: str | NotGiven = NOT_GIVEN,
    state: Sequence[Literal["pending", "processing", "stored", "discarded", "quarantined", "dead"]]
    | NotGiven = NOT_GIVEN,
) -> Call[models.CapturePage]:
    """
    List captures, newest first: an agent sees its own, a person's key all.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    person: What is this end user's own.
    state: In one of these states.
    """
    return Call(LIST_CAPTURES, locals())


LIST_COMMUNITIES: Final[Operation[models.Communities]] = Operation(
    name="list_communities",
    method="GET",
    path="communities",
    summary="Say what your memory is about: entities that are spoken of together, and sentences that say so.\n\nAt most 20, found when they are asked for among the newest memories that hold and that you may see.",
    in_headers={"person": "Candor-Person"},
    answers={200: models.Communities},
)


def list_communities(
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Communities]:
    """
    Say what your memory is about: entities that are spoken of together, and sentences that say so.  At
    most 20, found when they are asked for among the newest memories that hold and that you may see.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_COMMUNITIES, locals())


LIST_CONTRADICTIONS: Final[Operation[models.ContradictionPage]] = Operation(
    name="list_contradictions",
    method="GET",
    path="contradictions",
    summary="List the contradictions both sides of which the key may see, newest first.",
    in_query=("concept_key", "cursor", "entity_key", "limit", "state"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.ContradictionPage},
    row=models.Contradiction,
)


def list_contradictions(
    *,
    concept_key: str | NotGiven = NOT_GIVEN,
    cursor: str | NotGiven = NOT_GIVEN,
    entity_key: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    state: Sequence[Literal["open", "resolved"]] | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.ContradictionPage]:
    """
    List the contradictions both sides of which the key may see, newest first.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    state: In one of these states; default: open.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_CONTRADICTIONS, locals())


LIST_DOCUMENTS: Final[Operation[models.DocumentPage]] = Operation(
    name="list_documents",
    method="GET",
    path="documents",
    summary="List the documents that the key may see, newest first.",
    in_query=("cursor", "limit", "person", "source"),
    answers={200: models.DocumentPage},
    row=models.Document,
)


def list_documents(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
    source: str | NotGiven = NOT_GIVEN,
) -> Call[models.DocumentPage]:
    """
    List the documents that the key may see, newest first.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    person: What is this end user's own.
    """
    return Call(LIST_DOCUMENTS, locals())


LIST_DOWNGRADES: Final[Operation[models.DowngradePage]] = Operation(
    name="list_downgrades",
    method="GET",
    path="downgrades",
    summary="List what was asked of memories that the key may see, newest first.",
    in_query=("cursor", "limit", "state"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.DowngradePage},
    row=models.Downgrade,
)


def list_downgrades(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    state: Sequence[Literal["open", "approved", "rejected", "expired"]] | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.DowngradePage]:
    """
    List what was asked of memories that the key may see, newest first.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    state: In one of these states; default: open.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_DOWNGRADES, locals())


LIST_ENTITIES: Final[Operation[models.EntityPage]] = Operation(
    name="list_entities",
    method="GET",
    path="entities",
    summary="List the entities of the memories that the key may see, newest first.",
    in_query=("cursor", "limit", "q", "type"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.EntityPage},
    row=models.Entity,
)


def list_entities(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    q: str | NotGiven = NOT_GIVEN,
    type: Literal["person", "organisation", "place", "product", "project", "identifier", "concept", "thing"]
    | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.EntityPage]:
    """
    List the entities of the memories that the key may see, newest first.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    q: One of its names begins so, in any spelling.
    type: That some memory takes for one.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_ENTITIES, locals())


LIST_ENTITY_MEMORIES: Final[Operation[models.MemoryPage]] = Operation(
    name="list_entity_memories",
    method="GET",
    path="entities/{entity_id}/memories",
    summary="List the memories that speak of the entity, newest first: current ones, or all.",
    in_path=("entity_id",),
    in_query=("cursor", "history", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.MemoryPage},
    row=models.Memory,
)


def list_entity_memories(
    entity_id: UUID | str,
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    history: bool | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.MemoryPage]:
    """
    List the memories that speak of the entity, newest first: current ones, or all.

    cursor: Where the page begins: `next` of the page before.
    history: Also what was superseded.
    limit: Rows on the page.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_ENTITY_MEMORIES, locals())


LIST_ENTITY_TRIPLES: Final[Operation[models.TriplePage]] = Operation(
    name="list_entity_triples",
    method="GET",
    path="entities/{entity_id}/triples",
    summary="List the triples that the entity stands in, newest first: those that hold, or all.",
    in_path=("entity_id",),
    in_query=("cursor", "history", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.TriplePage},
    row=models.Triple,
)


def list_entity_triples(
    entity_id: UUID | str,
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    history: bool | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.TriplePage]:
    """
    List the triples that the entity stands in, newest first: those that hold, or all.

    cursor: Where the page begins: `next` of the page before.
    history: Also what was superseded.
    limit: Rows on the page.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_ENTITY_TRIPLES, locals())


LIST_EVENTS: Final[Operation[models.Events]] = Operation(
    name="list_events",
    method="GET",
    path="events",
    summary="Read what happened, the oldest first; or listen, with `Accept: text/event-stream`.\n\nA page ends with `after`, from which the next is read; with `wait` it comes with the next event.",
    in_query=("after", "kind", "limit", "wait"),
    in_headers={"last_event_id": "Last-Event-ID", "person": "Candor-Person"},
    answers={200: models.Events},
)


def list_events(
    *,
    last_event_id: str | NotGiven = NOT_GIVEN,
    after: str | NotGiven = NOT_GIVEN,
    kind: Sequence[
        Literal[
            "stored",
            "superseded",
            "contradiction",
            "resolved",
            "quarantine",
            "dead",
            "verify",
            "gate",
            "erased",
        ]
    ]
    | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    wait: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Events]:
    """
    Read what happened, the oldest first; or listen, with `Accept: text/event-stream`.  A page ends with
    `after`, from which the next is read; with `wait` it comes with the next event.

    last_event_id: Of a stream that broke off: where to go on.
    after: Only what came after this event. Left out: from the oldest that is kept.
    kind: Only these kinds; none: all.
    limit: At most so many.
    wait: Seconds to wait for the next event where there is none yet.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_EVENTS, locals())


LIST_INTERESTS: Final[Operation[models.Interests]] = Operation(
    name="list_interests",
    method="GET",
    path="interests",
    summary="List what an agent asks about again and again, at most 50 words; an agent sees its own.",
    in_query=("agent", "days"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.Interests},
)


def list_interests(
    *,
    agent: str | NotGiven = NOT_GIVEN,
    days: Literal["7", "30", "90"] | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Interests]:
    """
    List what an agent asks about again and again, at most 50 words; an agent sees its own.

    agent: Whose: a slug; without one the key's own agent.
    days: 7, 30 or 90 days back from the last night.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_INTERESTS, locals())


LIST_KEYS: Final[Operation[models.KeyPage]] = Operation(
    name="list_keys",
    method="GET",
    path="keys",
    summary="List keys, newest first; the secrets are not in it.",
    in_query=("cursor", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.KeyPage},
    row=models.Key,
)


def list_keys(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.KeyPage]:
    """
    List keys, newest first; the secrets are not in it.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_KEYS, locals())


LIST_LINT: Final[Operation[models.LintPage]] = Operation(
    name="list_lint",
    method="GET",
    path="lint",
    summary="List what is wrong with what the key may see, the latest first, each finding with its mends.",
    in_query=("cursor", "level", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.LintPage},
    row=models.Finding,
)


def list_lint(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    level: Literal["dangling", "orphans", "stale", "contradictions"] | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.LintPage]:
    """
    List what is wrong with what the key may see, the latest first, each finding with its mends.

    cursor: Where the page begins: `next` of the page before.
    level: Left out: all four.
    limit: Rows on the page.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_LINT, locals())


LIST_MEMORIES: Final[Operation[models.MemoryPage]] = Operation(
    name="list_memories",
    method="GET",
    path="memories",
    summary="List the memories that the key may see, newest first, filtered on any axis.",
    in_query=(
        "agent",
        "archived",
        "capture",
        "card",
        "cardinality",
        "classification",
        "concept_key",
        "created_from",
        "created_to",
        "cursor",
        "document",
        "domain",
        "effective_from",
        "effective_to",
        "entity",
        "entity_key",
        "held_at",
        "importance_from",
        "kind",
        "known_at",
        "layer",
        "limit",
        "metadata",
        "occurred_from",
        "occurred_to",
        "person",
        "project",
        "provenance",
        "same_as",
        "session",
        "shared",
        "speaker",
        "standing",
        "tag",
        "trust_from",
        "trust_to",
        "valid_at",
        "value",
        "verified_before",
    ),
    answers={200: models.MemoryPage},
    row=models.Memory,
)


def list_memories(
    *,
    agent: str | NotGiven = NOT_GIVEN,
    archived: bool | NotGiven = NOT_GIVEN,
    capture: UUID | str | NotGiven = NOT_GIVEN,
    card: Sequence[Literal["state", "event", "knowledge"]] | NotGiven = NOT_GIVEN,
    cardinality: Literal["single", "multi"] | NotGiven = NOT_GIVEN,
    classification: Literal["public", "internal", "restricted", "confidential"] | NotGiven = NOT_GIVEN,
    concept_key: str | NotGiven = NOT_GIVEN,
    created_from: datetime | str | NotGiven = NOT_GIVEN,
    created_to: datetime | str | NotGiven = NOT_GIVEN,
    cursor: str | NotGiven = NOT_GIVEN,
    document: UUID | str | NotGiven = NOT_GIVEN,
    domain: str | NotGiven = NOT_GIVEN,
    effective_from: datetime | str | NotGiven = NOT_GIVEN,
    effective_to: datetime | str | NotGiven = NOT_GIVEN,
    entity: Sequence[str] | NotGiven = NOT_GIVEN,
    entity_key: str | NotGiven = NOT_GIVEN,
    held_at: datetime | str | NotGiven = NOT_GIVEN,
    importance_from: int | NotGiven = NOT_GIVEN,
    kind: Sequence[
        Literal[
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
    ]
    | NotGiven = NOT_GIVEN,
    known_at: datetime | str | NotGiven = NOT_GIVEN,
    layer: Literal["personal", "work", "social"] | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    metadata: str | NotGiven = NOT_GIVEN,
    occurred_from: datetime | str | NotGiven = NOT_GIVEN,
    occurred_to: datetime | str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
    project: str | NotGiven = NOT_GIVEN,
    provenance: Sequence[
        Literal[
            "user_correction",
            "user_stated",
            "measured",
            "user_relayed",
            "agent_chat",
            "connector",
            "extracted",
            "agent_inferred",
        ]
    ]
    | NotGiven = NOT_GIVEN,
    same_as: UUID | str | NotGiven = NOT_GIVEN,
    session: str | NotGiven = NOT_GIVEN,
    shared: bool | NotGiven = NOT_GIVEN,
    speaker: str | NotGiven = NOT_GIVEN,
    standing: Sequence[Literal["current", "contender", "superseded"]] | NotGiven = NOT_GIVEN,
    tag: Sequence[str] | NotGiven = NOT_GIVEN,
    trust_from: float | NotGiven = NOT_GIVEN,
    trust_to: float | NotGiven = NOT_GIVEN,
    valid_at: datetime | str | NotGiven = NOT_GIVEN,
    value: str | NotGiven = NOT_GIVEN,
    verified_before: datetime | str | NotGiven = NOT_GIVEN,
) -> Call[models.MemoryPage]:  # long: a list of what may be given
    """
    List the memories that the key may see, newest first, filtered on any axis.

    card: With one of these cards.
    cursor: Where the page begins: `next` of the page before.
    document: Passages of this document, and facts drawn from them.
    entity: With all of these.
    held_at: What was true then; standing: any, unless named.
    kind: Of one of these kinds.
    known_at: What was believed then; standing: any, unless named.
    limit: Rows on the page.
    metadata: Holding this JSON object, among other things.
    person: What is this end user's own.
    provenance: Of one of these origins.
    same_as: Those that say the same as this memory, as far as they are seen; without it.
    standing: Of one of these standings; default: current.
    tag: With all of these tags.
    """
    return Call(LIST_MEMORIES, locals())


LIST_MEMORY_RECALLS: Final[Operation[models.PastRecallPage]] = Operation(
    name="list_memory_recalls",
    method="GET",
    path="memories/{memory_id}/recalls",
    summary="List the questions whose answer told the memory, newest first; an agent sees its own.",
    in_path=("memory_id",),
    in_query=("cursor", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.PastRecallPage},
    row=models.PastRecall,
)


def list_memory_recalls(
    memory_id: UUID | str,
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.PastRecallPage]:
    """
    List the questions whose answer told the memory, newest first; an agent sees its own.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_MEMORY_RECALLS, locals())


LIST_PASSAGES: Final[Operation[models.PassagePage]] = Operation(
    name="list_passages",
    method="GET",
    path="documents/{document_id}/passages",
    summary="List the passages of a document in their order, with the memory each became, and then its facts.",
    in_path=("document_id",),
    in_query=("first", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.PassagePage},
    row=models.Passage,
    page_by="first",
)


def list_passages(
    document_id: UUID | str,
    *,
    first: int | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.PassagePage]:
    """
    List the passages of a document in their order, with the memory each became, and then its facts.

    first: Place of the first one, from 0.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_PASSAGES, locals())


LIST_PEOPLE: Final[Operation[models.PersonPage]] = Operation(
    name="list_people",
    method="GET",
    path="people",
    summary="List people with what they hold, newest first.",
    in_query=("cursor", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.PersonPage},
    row=models.Person,
)


def list_people(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.PersonPage]:
    """
    List people with what they hold, newest first.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_PEOPLE, locals())


LIST_POLICIES: Final[Operation[models.PolicyPage]] = Operation(
    name="list_policies",
    method="GET",
    path="policies",
    summary="List the versions, newest first, and say what ranks now.",
    in_query=("cursor", "limit", "state"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.PolicyPage},
    row=models.Policy,
)


def list_policies(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    state: Sequence[Literal["draft", "shadowing", "validated", "active", "retired"]] | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.PolicyPage]:
    """
    List the versions, newest first, and say what ranks now.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    state: In one of these states; default: any.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_POLICIES, locals())


LIST_PROJECTS: Final[Operation[models.ProjectPage]] = Operation(
    name="list_projects",
    method="GET",
    path="projects",
    summary="List projects, newest first; a bound key sees its own.",
    in_query=("cursor", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.ProjectPage},
    row=models.Project,
)


def list_projects(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.ProjectPage]:
    """
    List projects, newest first; a bound key sees its own.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_PROJECTS, locals())


LIST_SHADOW_QUESTIONS: Final[Operation[models.ShadowQuestionPage]] = Operation(
    name="list_shadow_questions",
    method="GET",
    path="shadow-runs/{shadow_id}/questions",
    summary="List a run's questions as far as the key may read them, with how both sides answered.",
    in_path=("shadow_id",),
    in_query=("after", "changed", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.ShadowQuestionPage},
    row=models.ShadowQuestion,
    page_by="after",
)


def list_shadow_questions(
    shadow_id: UUID | str,
    *,
    after: int | NotGiven = NOT_GIVEN,
    changed: bool | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.ShadowQuestionPage]:
    """
    List a run's questions as far as the key may read them, with how both sides answered.

    changed: Only those whose answers differ or leak.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_SHADOW_QUESTIONS, locals())


LIST_SHADOW_RUNS: Final[Operation[models.ShadowRunPage]] = Operation(
    name="list_shadow_runs",
    method="GET",
    path="shadow-runs",
    summary="List the runs, newest first.",
    in_query=("cursor", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.ShadowRunPage},
    row=models.ShadowRun,
)


def list_shadow_runs(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.ShadowRunPage]:
    """
    List the runs, newest first.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_SHADOW_RUNS, locals())


LIST_SLEEP_RUNS: Final[Operation[models.SleepRunPage]] = Operation(
    name="list_sleep_runs",
    method="GET",
    path="sleep-runs",
    summary="List the nights with their steps, newest first.",
    in_query=("cursor", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.SleepRunPage},
    row=models.SleepRun,
)


def list_sleep_runs(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.SleepRunPage]:
    """
    List the nights with their steps, newest first.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_SLEEP_RUNS, locals())


LIST_VERIFICATIONS: Final[Operation[models.VerificationPage]] = Operation(
    name="list_verifications",
    method="GET",
    path="verify-first",
    summary="List the verify-first queue on memories that the key may see, newest first.",
    in_query=("cursor", "limit", "project", "reason", "state"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.VerificationPage},
    row=models.Verification,
)


def list_verifications(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    project: str | NotGiven = NOT_GIVEN,
    reason: Sequence[Literal["moved", "aged", "evidence"]] | NotGiven = NOT_GIVEN,
    state: Sequence[Literal["open", "resolved"]] | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.VerificationPage]:
    """
    List the verify-first queue on memories that the key may see, newest first.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    reason: For one of these reasons.
    state: In one of these states; default: open.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_VERIFICATIONS, locals())


LIST_WATERMARKS: Final[Operation[models.WatermarkPage]] = Operation(
    name="list_watermarks",
    method="GET",
    path="watermarks",
    summary="List the handles that facts are bound to: what to report on waking; the last bound first.",
    in_query=("cursor", "limit", "project"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.WatermarkPage},
    row=models.Watermark,
)


def list_watermarks(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    project: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.WatermarkPage]:
    """
    List the handles that facts are bound to: what to report on waking; the last bound first.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    project: Whose facts are meant; default: the key's.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_WATERMARKS, locals())


LIST_WEBHOOKS: Final[Operation[models.WebhookPage]] = Operation(
    name="list_webhooks",
    method="GET",
    path="webhooks",
    summary="List webhooks, newest first: a key that is bound sees its own.",
    in_query=("cursor", "limit"),
    in_headers={"person": "Candor-Person"},
    answers={200: models.WebhookPage},
    row=models.Webhook,
)


def list_webhooks(
    *,
    cursor: str | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.WebhookPage]:
    """
    List webhooks, newest first: a key that is bound sees its own.

    cursor: Where the page begins: `next` of the page before.
    limit: Rows on the page.
    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(LIST_WEBHOOKS, locals())


NARROW_KEY: Final[Operation[models.Key]] = Operation(
    name="narrow_key",
    method="PATCH",
    path="keys/{key_id}",
    summary="Take scopes, grants or projects from a key, or lower its ceiling: from the next request on.",
    in_path=("key_id",),
    in_headers={"person": "Candor-Person"},
    body=models.KeyNarrowingRequest,
    answers={200: models.Key},
)


def narrow_key(
    key_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    scopes: Sequence[models.Scope] | NotGiven = NOT_GIVEN,
    ceiling: models.ClassName | NotGiven = NOT_GIVEN,
    relays_users: bool | NotGiven = NOT_GIVEN,
    measures: bool | NotGiven = NOT_GIVEN,
    max_importance: int | NotGiven = NOT_GIVEN,
    projects: Sequence[str] | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.Key]:
    """
    Take scopes, grants or projects from a key, or lower its ceiling: from the next request on.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(NARROW_KEY, locals())


OBSERVE_WATERMARKS: Final[Operation[models.Observation]] = Operation(
    name="observe_watermarks",
    method="POST",
    path="watermarks/observe",
    summary="Report current fingerprints, once on waking; what moved is doubted and put into verify-first.",
    in_headers={"person": "Candor-Person"},
    body=models.ObservationRequest,
    answers={200: models.Observation},
)


def observe_watermarks(
    fingerprints: Sequence[models.FingerprintRequest | Mapping[str, Any]],
    *,
    person: str | NotGiven = NOT_GIVEN,
    session: str | NotGiven = NOT_GIVEN,
    project: str | NotGiven | None = NOT_GIVEN,
) -> Call[models.Observation]:
    """
    Report current fingerprints, once on waking; what moved is doubted and put into verify-first.

    person: The end user whom the request is for: what is theirs is seen, too.
    session: In whose contexts it is told unasked.
    project: Whose facts are meant; default: the key's.
    """
    return Call(OBSERVE_WATERMARKS, locals())


OPEN_GATE: Final[Operation[models.Gate]] = Operation(
    name="open_gate",
    method="POST",
    path="gate/open",
    summary="Open a validated gate, as an operator who changed nothing since it was last open.",
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.GateStepRequest,
    answers={200: models.Gate},
)


def open_gate(
    reason: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
) -> Call[models.Gate]:
    """
    Open a validated gate, as an operator who changed nothing since it was last open.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    """
    return Call(OPEN_GATE, locals())


PING_WEBHOOK: Final[Operation[models.Webhook]] = Operation(
    name="ping_webhook",
    method="POST",
    path="webhooks/{webhook_id}/ping",
    summary="Have a `ping` sent; look at the webhook a moment later to see what came of it.",
    in_path=("webhook_id",),
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    answers={202: models.Webhook},
)


def ping_webhook(
    webhook_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
) -> Call[models.Webhook]:
    """
    Have a `ping` sent; look at the webhook a moment later to see what came of it.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    """
    return Call(PING_WEBHOOK, locals())


RECALL: Final[Operation[models.RecallAnswer]] = Operation(
    name="recall",
    method="POST",
    path="recall",
    summary="Ask; the answer ranks the memories that the key may see and that hold now.",
    body=models.RecallRequest,
    answers={200: models.RecallAnswer},
)


def recall(
    query: str,
    *,
    k: int | NotGiven = NOT_GIVEN,
    project: str | NotGiven = NOT_GIVEN,
    session: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
    layer: models.Layer | NotGiven = NOT_GIVEN,
    ceiling: models.ClassName | NotGiven = NOT_GIVEN,
    now: datetime | str | NotGiven = NOT_GIVEN,
    timezone: str | NotGiven = NOT_GIVEN,
    tags: Sequence[str] | NotGiven = NOT_GIVEN,
    kinds: Sequence[models.Kind] | NotGiven = NOT_GIVEN,
    where: models.WhereRequest | Mapping[str, Any] | NotGiven = NOT_GIVEN,
    channels: Sequence[models.ChannelName] | NotGiven = NOT_GIVEN,
    deep: bool | NotGiven = NOT_GIVEN,
    valid_at: datetime | str | NotGiven = NOT_GIVEN,
    known_at: datetime | str | NotGiven = NOT_GIVEN,
    speaker: str | NotGiven = NOT_GIVEN,
    seed: int | NotGiven = NOT_GIVEN,
    explain: bool | NotGiven = NOT_GIVEN,
    leave_out: Sequence[models.LeaveOut] | NotGiven = NOT_GIVEN,
    min_relevance: float | NotGiven = NOT_GIVEN,
    policy: models.NamedPolicy | NotGiven = NOT_GIVEN,
) -> Call[models.RecallAnswer]:
    """
    Ask; the answer ranks the memories that the key may see and that hold now.

    k: Memories wanted, 5.
    project: Search this project beside what belongs to none.
    person: The end user who asks: what is theirs is found beside what is common.
    ceiling: Nothing above this class; the key's own still holds.
    now: The asker's clock, when it is not the service's.
    tags: Only memories with all of these.
    where: Only memories that are like this.
    deep: Search the archive tier too, whatever else is found.
    valid_at: What held then, past or to come; none: what holds now.
    known_at: By what was known then; one to come: by all that is known.
    speaker: Who «I» is, as captures name them.
    seed: Repeats exploration.
    explain: Show every factor of each score.
    leave_out: Rank without these parts of the score, to see what they bring.
    min_relevance: Nothing known, unless a result is this relevant; 0 takes any. Left out: as was fitted.
    policy: Another recall policy than the tenant's.
    """
    return Call(RECALL, locals())


REFIT_POLICY: Final[Operation[models.Proposal]] = Operation(
    name="refit_policy",
    method="POST",
    path="learning/refit",
    summary="Look for weights that are surely better, and keep them as a draft if a `name` is given.\n\nNothing ranks by a draft: it is proven by a shadow run and put into force by a person. The same log\ngives the same draft, which is kept once.",
    in_headers={"person": "Candor-Person"},
    body=models.RefitRequest,
    answers={200: models.Proposal},
)


def refit_policy(
    *,
    person: str | NotGiven = NOT_GIVEN,
    name: str | NotGiven = NOT_GIVEN,
    since: datetime | str | NotGiven = NOT_GIVEN,
    seed: int | NotGiven = NOT_GIVEN,
) -> Call[models.Proposal]:
    """
    Look for weights that are surely better, and keep them as a draft if a `name` is given.  Nothing
    ranks by a draft: it is proven by a shadow run and put into force by a person. The same log gives
    the same draft, which is kept once.

    person: The end user whom the request is for: what is theirs is seen, too.
    name: Keep what is surely better as a draft of this name.
    since: Recalls from this moment on.
    seed: Of the search.
    """
    return Call(REFIT_POLICY, locals())


REINSTATE_MEMORY: Final[Operation[models.Memory]] = Operation(
    name="reinstate_memory",
    method="POST",
    path="memories/{memory_id}/reinstate",
    summary="Let a superseded memory hold again beside its successor. Doing it again changes nothing.",
    in_path=("memory_id",),
    in_headers={"person": "Candor-Person"},
    body=models.UngroupRequest,
    answers={200: models.Memory},
)


def reinstate_memory(
    memory_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.Memory]:
    """
    Let a superseded memory hold again beside its successor. Doing it again changes nothing.

    person: The end user whom the request is for: what is theirs is seen, too.
    reason: For the audit trail.
    """
    return Call(REINSTATE_MEMORY, locals())


REJECT_DOWNGRADE: Final[Operation[models.Downgrade]] = Operation(
    name="reject_downgrade",
    method="POST",
    path="downgrades/{downgrade_id}/reject",
    summary="Leave the class as it is; who asked takes it back so.",
    in_path=("downgrade_id",),
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.RejectionRequest,
    answers={200: models.Downgrade},
)


def reject_downgrade(
    downgrade_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.Downgrade]:
    """
    Leave the class as it is; who asked takes it back so.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    reason: For the audit trail.
    """
    return Call(REJECT_DOWNGRADE, locals())


REPLAY_WEBHOOK: Final[Operation[models.Webhook]] = Operation(
    name="replay_webhook",
    method="POST",
    path="webhooks/{webhook_id}/replay",
    summary="Send again what came after an event, or since a moment, under the ids that it had.",
    in_path=("webhook_id",),
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.ReplayRequest,
    answers={202: models.Webhook},
)


def replay_webhook(
    webhook_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    after: str | NotGiven = NOT_GIVEN,
    since: datetime | str | NotGiven = NOT_GIVEN,
) -> Call[models.Webhook]:
    """
    Send again what came after an event, or since a moment, under the ids that it had.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    after: What came after this event.
    since: What happened since then.
    """
    return Call(REPLAY_WEBHOOK, locals())


REPORT_OUTCOME: Final[Operation[models.Outcome]] = Operation(
    name="report_outcome",
    method="POST",
    path="outcomes",
    summary="Say how a task ended, be it days later: it is credited to what was shown for it.\n\nWhat was reported as used gets all of it; where nothing was, what later turns cite gets half, and\nwhere nothing is cited either, every place a little. By a key of no agent the word counts in full; by\nan agent's own it is its own praise. With `example`, what was done is kept for the section of good\nexamples, through every gate.",
    body=models.OutcomeRequest,
    answers={200: models.Outcome},
)


def report_outcome(
    outcome: models.TaskOutcome,
    *,
    recall: UUID | str | NotGiven = NOT_GIVEN,
    session: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
    score: float | NotGiven = NOT_GIVEN,
    example: str | NotGiven = NOT_GIVEN,
) -> Call[models.Outcome]:
    """
    Say how a task ended, be it days later: it is credited to what was shown for it.  What was reported
    as used gets all of it; where nothing was, what later turns cite gets half, and where nothing is
    cited either, every place a little. By a key of no agent the word counts in full; by an agent's own
    it is its own praise. With `example`, what was done is kept for the section of good examples,
    through every gate.

    person: The end user for whom it was recalled.
    score: How well it went. Default: 1 if it succeeded, else 0.
    example: What was done: kept as an example with the score. Needs the scope write.
    """
    return Call(REPORT_OUTCOME, locals())


REPORT_USES: Final[Operation[models.Uses]] = Operation(
    name="report_uses",
    method="POST",
    path="feedback",
    summary="Say in one call what a session, or the asker of one recall, used, and what helped.\n\nA memory that the session was shown several times is judged where it was judged before, else where it\nwas shown last; so the same report twice is once.",
    body=models.UsesRequest,
    answers={200: models.Uses},
)


def report_uses(
    *,
    recall: UUID | str | NotGiven = NOT_GIVEN,
    session: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
    used: Sequence[UUID | str] | NotGiven = NOT_GIVEN,
    helpful: Sequence[UUID | str] | NotGiven = NOT_GIVEN,
    unhelpful: Sequence[UUID | str] | NotGiven = NOT_GIVEN,
) -> Call[models.Uses]:
    """
    Say in one call what a session, or the asker of one recall, used, and what helped.  A memory that
    the session was shown several times is judged where it was judged before, else where it was shown
    last; so the same report twice is once.

    person: The end user for whom it was recalled.
    used: Used; whether it helped is not known yet.
    helpful: Used, and it helped.
    unhelpful: Used, and it did not help.
    """
    return Call(REPORT_USES, locals())


RESOLVE_CONTRADICTION: Final[Operation[models.Contradiction]] = Operation(
    name="resolve_contradiction",
    method="POST",
    path="contradictions/{contradiction_id}/resolve",
    summary="Say which value holds; the same answer again changes nothing.",
    in_path=("contradiction_id",),
    in_headers={"person": "Candor-Person"},
    body=models.VerdictRequest,
    answers={200: models.Contradiction},
)


def resolve_contradiction(
    contradiction_id: UUID | str,
    verdict: models.ContradictionVerdict,
    *,
    person: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.Contradiction]:
    """
    Say which value holds; the same answer again changes nothing.

    verdict: keep_old, accept_new, or coexist: both hold.
    person: The end user whom the request is for: what is theirs is seen, too.
    reason: Why; kept in the audit trail.
    """
    return Call(RESOLVE_CONTRADICTION, locals())


RETIRE_POLICY: Final[Operation[models.Policy]] = Operation(
    name="retire_policy",
    method="POST",
    path="policies/{policy_id}/retire",
    summary="Take the version out of force; the built-in policy ranks from the next recall on.",
    in_path=("policy_id",),
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.PolicyMoveRequest,
    answers={200: models.Policy},
)


def retire_policy(
    policy_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.Policy]:
    """
    Take the version out of force; the built-in policy ranks from the next recall on.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    reason: For the audit trail.
    """
    return Call(RETIRE_POLICY, locals())


REVERT_WITHDRAWAL: Final[Operation[models.Withdrawal]] = Operation(
    name="revert_withdrawal",
    method="POST",
    path="withdrawals/{withdrawal_id}/revert",
    summary="Bring back what was hidden, and let it supersede again what had been reinstated.",
    in_path=("withdrawal_id",),
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.RevertRequest,
    answers={200: models.Withdrawal},
)


def revert_withdrawal(
    withdrawal_id: UUID | str,
    reason: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
) -> Call[models.Withdrawal]:
    """
    Bring back what was hidden, and let it supersede again what had been reinstated.

    reason: For the audit trail.
    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    """
    return Call(REVERT_WITHDRAWAL, locals())


REVIEW_CAPTURE: Final[Operation[models.Capture]] = Operation(
    name="review_capture",
    method="POST",
    path="captures/{capture_id}/review",
    summary="Let a quarantined capture go on through the other gates, or discard it for good.",
    in_path=("capture_id",),
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.ReviewRequest,
    answers={200: models.Capture},
)


def review_capture(
    capture_id: UUID | str,
    verdict: models.ReviewVerdict,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.Capture]:
    """
    Let a quarantined capture go on through the other gates, or discard it for good.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    reason: For the trace and the audit trail.
    """
    return Call(REVIEW_CAPTURE, locals())


REVOKE_KEY: Final[Operation[None]] = Operation(
    name="revoke_key",
    method="DELETE",
    path="keys/{key_id}",
    summary="Revoke a key: it is refused from the next request on. The row stays, for the trail.",
    in_path=("key_id",),
    in_query=("reason",),
    in_headers={"person": "Candor-Person"},
    answers={204: None},
)


def revoke_key(
    key_id: UUID | str,
    *,
    reason: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[None]:
    """
    Revoke a key: it is refused from the next request on. The row stays, for the trail.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(REVOKE_KEY, locals())


REVOKE_PERMISSIONS: Final[Operation[None]] = Operation(
    name="revoke_permissions",
    method="DELETE",
    path="people/{user}/permissions",
    summary="Take back all that a person holds.",
    in_path=("user",),
    in_query=("reason",),
    in_headers={"person": "Candor-Person"},
    answers={204: None},
)


def revoke_permissions(
    user: str,
    *,
    reason: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[None]:
    """
    Take back all that a person holds.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(REVOKE_PERMISSIONS, locals())


ROLL_BACK_POLICY: Final[Operation[models.InForce]] = Operation(
    name="roll_back_policy",
    method="POST",
    path="policies/rollback",
    summary="Put in force again what was in force before the version named, the built-in policy if none was.",
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.RollbackRequest,
    answers={200: models.InForce},
)


def roll_back_policy(
    policy: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.InForce]:
    """
    Put in force again what was in force before the version named, the built-in policy if none was.

    policy: The version in force.
    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    reason: For the audit trail.
    """
    return Call(ROLL_BACK_POLICY, locals())


ROTATE_KEY: Final[Operation[models.KeyMade]] = Operation(
    name="rotate_key",
    method="POST",
    path="keys/{key_id}/rotate",
    summary="Make a key that may do the same; the old one ends after the overlap. It is shown this once.",
    in_path=("key_id",),
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.KeyRotationRequest,
    answers={201: models.KeyMade},
)


def rotate_key(
    key_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    overlap_hours: int | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.KeyMade]:
    """
    Make a key that may do the same; the old one ends after the overlap. It is shown this once.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    overlap_hours: How long both are in force.
    """
    return Call(ROTATE_KEY, locals())


ROTATE_WEBHOOK: Final[Operation[models.Webhook]] = Operation(
    name="rotate_webhook",
    method="POST",
    path="webhooks/{webhook_id}/rotate",
    summary="Make a new secret; for 24 hours messages bear the former signature, too.",
    in_path=("webhook_id",),
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    answers={200: models.Webhook},
)


def rotate_webhook(
    webhook_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
) -> Call[models.Webhook]:
    """
    Make a new secret; for 24 hours messages bear the former signature, too.

    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    """
    return Call(ROTATE_WEBHOOK, locals())


SEPARATE_ENTITY_NAME: Final[Operation[models.Separated]] = Operation(
    name="separate_entity_name",
    method="POST",
    path="entities/{entity_id}/separate",
    summary="Let a name of the entity mean one of its own again, with the memories that have only that name.",
    in_path=("entity_id",),
    in_headers={"person": "Candor-Person"},
    body=models.AliasRequest,
    answers={200: models.Separated},
)


def separate_entity_name(
    entity_id: UUID | str,
    name: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Separated]:
    """
    Let a name of the entity mean one of its own again, with the memories that have only that name.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(SEPARATE_ENTITY_NAME, locals())


SET_PERMISSIONS: Final[Operation[models.Person]] = Operation(
    name="set_permissions",
    method="PUT",
    path="people/{user}/permissions",
    summary="Let a person hold these rights in a project, or in what belongs to none, and no others there.",
    in_path=("user",),
    in_headers={"person": "Candor-Person"},
    body=models.GrantRequest,
    answers={200: models.Person},
)


def set_permissions(
    user: str,
    rights: Sequence[models.Right],
    *,
    person: str | NotGiven = NOT_GIVEN,
    project: str | NotGiven | None = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.Person]:
    """
    Let a person hold these rights in a project, or in what belongs to none, and no others there.

    rights: All that is held there from now on; none: nothing. Any other brings `view` along.
    person: The end user whom the request is for: what is theirs is seen, too.
    project: Without one: in what belongs to no project.
    """
    return Call(SET_PERMISSIONS, locals())


SLICE_MEMORIES: Final[Operation[models.Slice]] = Operation(
    name="slice_memories",
    method="GET",
    path="memories/slice",
    summary="Count the memories that the key may see, filtered as in their list, along one to three axes.",
    in_query=(
        "agent",
        "archived",
        "by",
        "capture",
        "card",
        "cardinality",
        "classification",
        "concept_key",
        "created_from",
        "created_to",
        "document",
        "domain",
        "effective_from",
        "effective_to",
        "entity",
        "entity_key",
        "every",
        "held_at",
        "importance_from",
        "kind",
        "known_at",
        "layer",
        "limit",
        "metadata",
        "occurred_from",
        "occurred_to",
        "person",
        "project",
        "provenance",
        "same_as",
        "session",
        "shared",
        "speaker",
        "standing",
        "tag",
        "timezone",
        "trust_from",
        "trust_to",
        "valid_at",
        "value",
        "verified_before",
    ),
    answers={200: models.Slice},
)


def slice_memories(
    by: Sequence[
        Literal[
            "kind",
            "card",
            "standing",
            "classification",
            "project",
            "agent",
            "shared",
            "domain",
            "person",
            "layer",
            "concept_key",
            "entity_key",
            "value",
            "cardinality",
            "provenance",
            "importance",
            "session",
            "speaker",
            "mode",
            "tier",
            "stage",
            "pinned",
            "created",
            "occurred",
            "effective",
            "tag",
            "entity",
            "trust",
        ]
    ],
    *,
    agent: str | NotGiven = NOT_GIVEN,
    archived: bool | NotGiven = NOT_GIVEN,
    capture: UUID | str | NotGiven = NOT_GIVEN,
    card: Sequence[Literal["state", "event", "knowledge"]] | NotGiven = NOT_GIVEN,
    cardinality: Literal["single", "multi"] | NotGiven = NOT_GIVEN,
    classification: Literal["public", "internal", "restricted", "confidential"] | NotGiven = NOT_GIVEN,
    concept_key: str | NotGiven = NOT_GIVEN,
    created_from: datetime | str | NotGiven = NOT_GIVEN,
    created_to: datetime | str | NotGiven = NOT_GIVEN,
    document: UUID | str | NotGiven = NOT_GIVEN,
    domain: str | NotGiven = NOT_GIVEN,
    effective_from: datetime | str | NotGiven = NOT_GIVEN,
    effective_to: datetime | str | NotGiven = NOT_GIVEN,
    entity: Sequence[str] | NotGiven = NOT_GIVEN,
    entity_key: str | NotGiven = NOT_GIVEN,
    every: Literal["day", "week", "month", "year"] | NotGiven = NOT_GIVEN,
    held_at: datetime | str | NotGiven = NOT_GIVEN,
    importance_from: int | NotGiven = NOT_GIVEN,
    kind: Sequence[
        Literal[
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
    ]
    | NotGiven = NOT_GIVEN,
    known_at: datetime | str | NotGiven = NOT_GIVEN,
    layer: Literal["personal", "work", "social"] | NotGiven = NOT_GIVEN,
    limit: int | NotGiven = NOT_GIVEN,
    metadata: str | NotGiven = NOT_GIVEN,
    occurred_from: datetime | str | NotGiven = NOT_GIVEN,
    occurred_to: datetime | str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
    project: str | NotGiven = NOT_GIVEN,
    provenance: Sequence[
        Literal[
            "user_correction",
            "user_stated",
            "measured",
            "user_relayed",
            "agent_chat",
            "connector",
            "extracted",
            "agent_inferred",
        ]
    ]
    | NotGiven = NOT_GIVEN,
    same_as: UUID | str | NotGiven = NOT_GIVEN,
    session: str | NotGiven = NOT_GIVEN,
    shared: bool | NotGiven = NOT_GIVEN,
    speaker: str | NotGiven = NOT_GIVEN,
    standing: Sequence[Literal["current", "contender", "superseded"]] | NotGiven = NOT_GIVEN,
    tag: Sequence[str] | NotGiven = NOT_GIVEN,
    timezone: str | NotGiven = NOT_GIVEN,
    trust_from: float | NotGiven = NOT_GIVEN,
    trust_to: float | NotGiven = NOT_GIVEN,
    valid_at: datetime | str | NotGiven = NOT_GIVEN,
    value: str | NotGiven = NOT_GIVEN,
    verified_before: datetime | str | NotGiven = NOT_GIVEN,
) -> Call[models.Slice]:  # long: a list of what may be given
    """
    Count the memories that the key may see, filtered as in their list, along one to three axes.

    by: One to three axes; repeat the name for each.
    card: With one of these cards.
    document: Passages of this document, and facts drawn from them.
    entity: With all of these.
    every: How created, occurred and effective are put together.
    held_at: What was true then; standing: any, unless named.
    kind: Of one of these kinds.
    known_at: What was believed then; standing: any, unless named.
    limit: At most so many groups.
    metadata: Holding this JSON object, among other things.
    person: What is this end user's own.
    provenance: Of one of these origins.
    same_as: Those that say the same as this memory, as far as they are seen; without it.
    standing: Of one of these standings; default: current.
    tag: With all of these tags.
    timezone: By whose days.
    """
    return Call(SLICE_MEMORIES, locals())


UNARCHIVE_MEMORY: Final[Operation[models.Archiving]] = Operation(
    name="unarchive_memory",
    method="POST",
    path="memories/{memory_id}/unarchive",
    summary="Bring an archived memory back; beside a value that became current meanwhile it is asked about.",
    in_path=("memory_id",),
    in_headers={"person": "Candor-Person"},
    body=models.UnarchiveRequest,
    answers={200: models.Archiving},
)


def unarchive_memory(
    memory_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.Archiving]:
    """
    Bring an archived memory back; beside a value that became current meanwhile it is asked about.

    person: The end user whom the request is for: what is theirs is seen, too.
    reason: For the audit trail.
    """
    return Call(UNARCHIVE_MEMORY, locals())


UNCONSOLIDATE_MEMORY: Final[Operation[models.TakenApart]] = Operation(
    name="unconsolidate_memory",
    method="POST",
    path="memories/{memory_id}/unconsolidate",
    summary="Let a pattern's findings live again, for good; the same wish again changes nothing.",
    in_path=("memory_id",),
    in_headers={"person": "Candor-Person"},
    body=models.UnconsolidateRequest,
    answers={200: models.TakenApart},
)


def unconsolidate_memory(
    memory_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.TakenApart]:
    """
    Let a pattern's findings live again, for good; the same wish again changes nothing.

    person: The end user whom the request is for: what is theirs is seen, too.
    reason: For the audit trail.
    """
    return Call(UNCONSOLIDATE_MEMORY, locals())


UNGROUP_MEMORY: Final[Operation[models.Memory]] = Operation(
    name="ungroup_memory",
    method="POST",
    path="memories/{memory_id}/ungroup",
    summary="Let a memory stand by itself; the others keep their group. Doing it again changes nothing.",
    in_path=("memory_id",),
    in_headers={"person": "Candor-Person"},
    body=models.UngroupRequest,
    answers={200: models.Memory},
)


def ungroup_memory(
    memory_id: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    reason: str | NotGiven = NOT_GIVEN,
) -> Call[models.Memory]:
    """
    Let a memory stand by itself; the others keep their group. Doing it again changes nothing.

    person: The end user whom the request is for: what is theirs is seen, too.
    reason: For the audit trail.
    """
    return Call(UNGROUP_MEMORY, locals())


UPLOAD_DOCUMENT: Final[Operation[models.DocumentTaken]] = Operation(
    name="upload_document",
    method="POST",
    path="documents/upload",
    summary="Keep a file; it is read, cut and remembered later. 200 when the same file was kept before.",
    body=models.UploadRequest,
    is_form=True,
    answers={200: models.DocumentTaken, 202: models.DocumentTaken},
)


def upload_document(
    file: File,
    *,
    source: str | NotGiven = NOT_GIVEN,
    tags: Sequence[str] | NotGiven = NOT_GIVEN,
    occurred_at: datetime | str | NotGiven = NOT_GIVEN,
    timezone: str | NotGiven = NOT_GIVEN,
    project: str | NotGiven | None = NOT_GIVEN,
    classification: models.ClassName | NotGiven = NOT_GIVEN,
    shared: bool | NotGiven = NOT_GIVEN,
    domain: str | NotGiven = NOT_GIVEN,
    person: str | NotGiven = NOT_GIVEN,
    common: bool | NotGiven = NOT_GIVEN,
    metadata: Mapping[str, Any] | NotGiven = NOT_GIVEN,
    title: str | NotGiven = NOT_GIVEN,
) -> Call[models.DocumentTaken]:
    """
    Keep a file; it is read, cut and remembered later. 200 when the same file was kept before.

    file: Its kind is told by what is in it.
    source: A path, an address, a connector.
    occurred_at: The document's own date; default: now.
    shared: A hint: needs a key with the scope share.
    person: The end user it is of; it is theirs alone unless common.
    common: Though a person is named, it is everybody's.
    metadata: Facts of your own, a JSON object; kept as it is, but for secrets.
    title: Default: the file's own, else its name.
    """
    return Call(UPLOAD_DOCUMENT, locals())


VALIDATE_GATE: Final[Operation[models.Gate]] = Operation(
    name="validate_gate",
    method="POST",
    path="gate/validate",
    summary="Have the gate validated by a shadow run that tried what is in force since the last change.",
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.GateProofRequest,
    answers={200: models.Gate},
)


def validate_gate(
    run: UUID | str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
) -> Call[models.Gate]:
    """
    Have the gate validated by a shadow run that tried what is in force since the last change.

    run: A shadow run of what is in force, which passed.
    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    """
    return Call(VALIDATE_GATE, locals())


VERIFY_AUDIT: Final[Operation[models.Verify]] = Operation(
    name="verify_audit",
    method="GET",
    path="audit/verify",
    summary="Walk the chain from its last checkpoint on, 10 000 events at most.\n\nAll of it is walked by `manage.py audit verify`. Events of every class are counted and verified;\nnothing that they say is told.",
    in_headers={"person": "Candor-Person"},
    answers={200: models.Verify},
)


def verify_audit(
    *,
    person: str | NotGiven = NOT_GIVEN,
) -> Call[models.Verify]:
    """
    Walk the chain from its last checkpoint on, 10 000 events at most.  All of it is walked by
    `manage.py audit verify`. Events of every class are counted and verified; nothing that they say is
    told.

    person: The end user whom the request is for: what is theirs is seen, too.
    """
    return Call(VERIFY_AUDIT, locals())


WITHDRAW_MEMORIES: Final[Operation[models.Withdrawal]] = Operation(
    name="withdraw_memories",
    method="POST",
    path="withdrawals",
    summary="Hide what a key, an agent, a source or a session wrote in a time, with what rests on it alone.\n\nWhat it had superseded holds again. All or nothing, on the trail as one event, and reversible. It\nstops nobody from writing on: revoke the key first.",
    in_headers={"person": "Candor-Person", "idempotency_key": "Idempotency-Key"},
    body=models.WithdrawalRequest,
    answers={200: models.Withdrawal},
)


def withdraw_memories(
    since: datetime | str,
    reason: str,
    *,
    person: str | NotGiven = NOT_GIVEN,
    idempotency_key: str | NotGiven = NOT_GIVEN,
    key: UUID | str | NotGiven = NOT_GIVEN,
    agent: str | NotGiven = NOT_GIVEN,
    source: str | NotGiven = NOT_GIVEN,
    session: str | NotGiven = NOT_GIVEN,
    until: datetime | str | NotGiven = NOT_GIVEN,
    dry_run: bool | NotGiven = NOT_GIVEN,
) -> Call[models.Withdrawal]:
    """
    Hide what a key, an agent, a source or a session wrote in a time, with what rests on it alone.  What
    it had superseded holds again. All or nothing, on the trail as one event, and reversible. It stops
    nobody from writing on: revoke the key first.

    since: Written from this moment on.
    reason: For the audit trail.
    person: The end user whom the request is for: what is theirs is seen, too.
    idempotency_key: Sent again with the same request within a day, it is done once.
    key: The id of the key by which it was written.
    agent: The agent whose it is.
    source: The source of documents.
    until: Written before this moment; left out: until now.
    dry_run: Only say what would be taken back.
    """
    return Call(WITHDRAW_MEMORIES, locals())


OPERATIONS: Final[Mapping[str, Operation[Any]]] = {
    "activate_policy": ACTIVATE_POLICY,
    "add_entity_alias": ADD_ENTITY_ALIAS,
    "answer_verification": ANSWER_VERIFICATION,
    "apply_shadow_run": APPLY_SHADOW_RUN,
    "approve_downgrade": APPROVE_DOWNGRADE,
    "archive_memory": ARCHIVE_MEMORY,
    "cancel_shadow_run": CANCEL_SHADOW_RUN,
    "change_webhook": CHANGE_WEBHOOK,
    "classify_memory": CLASSIFY_MEMORY,
    "close_gate": CLOSE_GATE,
    "compose_context": COMPOSE_CONTEXT,
    "correct_memory": CORRECT_MEMORY,
    "create_agent": CREATE_AGENT,
    "create_capture": CREATE_CAPTURE,
    "create_captures": CREATE_CAPTURES,
    "create_document": CREATE_DOCUMENT,
    "create_key": CREATE_KEY,
    "create_memory": CREATE_MEMORY,
    "create_memory_link": CREATE_MEMORY_LINK,
    "create_project": CREATE_PROJECT,
    "create_shadow_run": CREATE_SHADOW_RUN,
    "create_sleep_run": CREATE_SLEEP_RUN,
    "create_webhook": CREATE_WEBHOOK,
    "delete_memory_link": DELETE_MEMORY_LINK,
    "delete_webhook": DELETE_WEBHOOK,
    "downgrade_memory": DOWNGRADE_MEMORY,
    "draft_policy": DRAFT_POLICY,
    "edit_memory": EDIT_MEMORY,
    "end_session": END_SESSION,
    "estimate_policy": ESTIMATE_POLICY,
    "export_person": EXPORT_PERSON,
    "forget_memory": FORGET_MEMORY,
    "forget_person": FORGET_PERSON,
    "get_agent": GET_AGENT,
    "get_capture": GET_CAPTURE,
    "get_contradiction": GET_CONTRADICTION,
    "get_document": GET_DOCUMENT,
    "get_downgrade": GET_DOWNGRADE,
    "get_entity": GET_ENTITY,
    "get_entity_profile": GET_ENTITY_PROFILE,
    "get_gate": GET_GATE,
    "get_key": GET_KEY,
    "get_learning": GET_LEARNING,
    "get_memory": GET_MEMORY,
    "get_memory_graph": GET_MEMORY_GRAPH,
    "get_memory_history": GET_MEMORY_HISTORY,
    "get_memory_lineage": GET_MEMORY_LINEAGE,
    "get_memory_links": GET_MEMORY_LINKS,
    "get_permissions": GET_PERMISSIONS,
    "get_policy": GET_POLICY,
    "get_project": GET_PROJECT,
    "get_recall": GET_RECALL,
    "get_session": GET_SESSION,
    "get_shadow_run": GET_SHADOW_RUN,
    "get_sleep_run": GET_SLEEP_RUN,
    "get_statistics": GET_STATISTICS,
    "get_verification": GET_VERIFICATION,
    "get_watermark_calibration": GET_WATERMARK_CALIBRATION,
    "get_webhook": GET_WEBHOOK,
    "give_feedback": GIVE_FEEDBACK,
    "health_live": HEALTH_LIVE,
    "health_ready": HEALTH_READY,
    "list_agents": LIST_AGENTS,
    "list_audit": LIST_AUDIT,
    "list_captures": LIST_CAPTURES,
    "list_communities": LIST_COMMUNITIES,
    "list_contradictions": LIST_CONTRADICTIONS,
    "list_documents": LIST_DOCUMENTS,
    "list_downgrades": LIST_DOWNGRADES,
    "list_entities": LIST_ENTITIES,
    "list_entity_memories": LIST_ENTITY_MEMORIES,
    "list_entity_triples": LIST_ENTITY_TRIPLES,
    "list_events": LIST_EVENTS,
    "list_interests": LIST_INTERESTS,
    "list_keys": LIST_KEYS,
    "list_lint": LIST_LINT,
    "list_memories": LIST_MEMORIES,
    "list_memory_recalls": LIST_MEMORY_RECALLS,
    "list_passages": LIST_PASSAGES,
    "list_people": LIST_PEOPLE,
    "list_policies": LIST_POLICIES,
    "list_projects": LIST_PROJECTS,
    "list_shadow_questions": LIST_SHADOW_QUESTIONS,
    "list_shadow_runs": LIST_SHADOW_RUNS,
    "list_sleep_runs": LIST_SLEEP_RUNS,
    "list_verifications": LIST_VERIFICATIONS,
    "list_watermarks": LIST_WATERMARKS,
    "list_webhooks": LIST_WEBHOOKS,
    "narrow_key": NARROW_KEY,
    "observe_watermarks": OBSERVE_WATERMARKS,
    "open_gate": OPEN_GATE,
    "ping_webhook": PING_WEBHOOK,
    "recall": RECALL,
    "refit_policy": REFIT_POLICY,
    "reinstate_memory": REINSTATE_MEMORY,
    "reject_downgrade": REJECT_DOWNGRADE,
    "replay_webhook": REPLAY_WEBHOOK,
    "report_outcome": REPORT_OUTCOME,
    "report_uses": REPORT_USES,
    "resolve_contradiction": RESOLVE_CONTRADICTION,
    "retire_policy": RETIRE_POLICY,
    "revert_withdrawal": REVERT_WITHDRAWAL,
    "review_capture": REVIEW_CAPTURE,
    "revoke_key": REVOKE_KEY,
    "revoke_permissions": REVOKE_PERMISSIONS,
    "roll_back_policy": ROLL_BACK_POLICY,
    "rotate_key": ROTATE_KEY,
    "rotate_webhook": ROTATE_WEBHOOK,
    "separate_entity_name": SEPARATE_ENTITY_NAME,
    "set_permissions": SET_PERMISSIONS,
    "slice_memories": SLICE_MEMORIES,
    "unarchive_memory": UNARCHIVE_MEMORY,
    "unconsolidate_memory": UNCONSOLIDATE_MEMORY,
    "ungroup_memory": UNGROUP_MEMORY,
    "upload_document": UPLOAD_DOCUMENT,
    "validate_gate": VALIDATE_GATE,
    "verify_audit": VERIFY_AUDIT,
    "withdraw_memories": WITHDRAW_MEMORIES,
}
"""Every operation, by its name."""
