"""What is counted of nights."""

from typing import Final

from prometheus_client import Counter, Histogram

from tenants.telemetry.metrics import REGISTRY, SECONDS

_NIGHTS: Final = Counter(
    "candor_nights", "Nights, by how they ended: done, failed.", ["state"], registry=REGISTRY
)
_STEPS: Final = Histogram(
    "candor_night_step_seconds", "How long a step of a night takes, by how it ended.",
    ["step", "state"], registry=REGISTRY, buckets=SECONDS,
)  # fmt: skip


def count_night(state: str) -> None:
    """Count a night that ended."""
    _NIGHTS.labels(state).inc()


def count_step(step: str, state: str, *, milliseconds: int) -> None:
    """Count a step of a night that ended."""
    _STEPS.labels(step, state).observe(milliseconds / 1_000)
