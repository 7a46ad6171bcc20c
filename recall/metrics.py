"""What is counted of recalls."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final
from uuid import UUID

from prometheus_client import Counter, Histogram

from tenants.telemetry.metrics import REGISTRY, SECONDS, note_pool, tenant_label
from tenants.telemetry.tracing import span

_RECALLS: Final = Counter(
    "candor_recalls", "Recalls, by what came of them: answered, nothing_known, failed.",
    ["tenant", "outcome"], registry=REGISTRY,
)  # fmt: skip
_SECONDS: Final = Histogram(
    "candor_recall_seconds", "How long a recall takes, without HTTP.",
    ["tenant"], registry=REGISTRY, buckets=SECONDS,
)  # fmt: skip
_STAGES: Final = Histogram(
    "candor_recall_stage_seconds", "How long its stages take: prepare (embed), find, tell.",
    ["stage"], registry=REGISTRY, buckets=SECONDS,
)  # fmt: skip
_DEGRADED: Final = Counter(
    "candor_recalls_degraded", "Recalls that a channel was missing from through an outage, by channel.",
    ["tenant", "channel"], registry=REGISTRY,
)  # fmt: skip
_CHANNELS: Final = Histogram(
    "candor_recall_channel_seconds", "How long a channel takes when a probe asks it alone.",
    ["channel"], registry=REGISTRY, buckets=SECONDS,
)  # fmt: skip
_VECTORS: Final = Counter(
    "candor_question_vectors", "Questions of sessions, by whether their vector was there ahead or made.",
    ["how"], registry=REGISTRY,
)  # fmt: skip


def count_vector(*, ahead: bool) -> None:
    """Count a question of a session whose vector was thought of ahead, or had to be made."""
    _VECTORS.labels("ahead" if ahead else "made").inc()


@contextmanager
def stage(name: str) -> Iterator[None]:
    """Time a stage of a recall, and tell it as a span."""
    began = perf_counter()
    try:
        with span(f"recall.{name}"):
            yield
    finally:
        _STAGES.labels(name).observe(perf_counter() - began)


def count_recall(tenant_id: UUID, *, seconds: float, nothing_known: bool, degraded: Collection[str]) -> None:
    """Count a recall that was answered."""
    tenant = tenant_label(tenant_id)
    _RECALLS.labels(tenant, "nothing_known" if nothing_known else "answered").inc()
    _SECONDS.labels(tenant).observe(seconds)
    for channel in degraded:
        _DEGRADED.labels(tenant, channel).inc()
    note_pool()


def count_failed(tenant_id: UUID) -> None:
    """Count a recall that ended in an error."""
    _RECALLS.labels(tenant_label(tenant_id), "failed").inc()


def count_channel(name: str, *, milliseconds: float) -> None:
    """Count a channel's answer to a probe."""
    _CHANNELS.labels(name).observe(milliseconds / 1_000)
