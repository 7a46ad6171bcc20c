"""What is counted of webhooks."""

from typing import Final

from prometheus_client import Counter

from tenants.telemetry.metrics import REGISTRY

_ATTEMPTS: Final = Counter(
    "candor_webhook_attempts", "Messages sent to webhooks: taken, failed, stopped.", ["outcome"],
    registry=REGISTRY,
)  # fmt: skip


def count_attempt(outcome: str) -> None:
    """Count a message that was taken, or failed, or after which its webhook was stopped."""
    _ATTEMPTS.labels(outcome).inc()
