"""What is counted of captures, and of the models over a network that they need."""

from collections.abc import Iterable, Mapping
from typing import Any, Final
from uuid import UUID

from prometheus_client import Counter, Gauge, Histogram

from tenants.telemetry.metrics import REGISTRY, SECONDS, tenant_label

_LAG_SECONDS: Final = (0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3_600.0, 21_600.0, 86_400.0)

_WORKED: Final = Counter(
    "candor_captures_worked", "Attempts at captures, by the state they left: pending, stored, discarded, …",
    ["tenant", "state"], registry=REGISTRY,
)  # fmt: skip
_LAG: Final = Histogram(
    "candor_capture_lag_seconds", "From a capture's coming to its end.",
    ["tenant"], registry=REGISTRY, buckets=_LAG_SECONDS,
)  # fmt: skip
_VERDICTS: Final = Counter(
    "candor_gate_verdicts", "Verdicts of the steps of the write track.",
    ["step", "verdict"], registry=REGISTRY,
)  # fmt: skip
_STEPS: Final = Histogram(
    "candor_capture_step_seconds", "How long a step of the write track takes.",
    ["step"], registry=REGISTRY, buckets=SECONDS,
)  # fmt: skip
_OUTAGES: Final = Counter(
    "candor_capture_outages", "Times that a capture was given back because something was out, by what.",
    ["part"], registry=REGISTRY,
)  # fmt: skip
_REQUESTS: Final = Counter(
    "candor_model_requests", "Requests to models and embedders over a network: answered, failed, left_alone.",
    ["model", "outcome"], registry=REGISTRY,
)  # fmt: skip
_TOKENS: Final = Counter(
    "candor_model_tokens", "Tokens that models took (in) and made (out).",
    ["model", "direction"], registry=REGISTRY,
)  # fmt: skip
_COST: Final = Counter(
    "candor_model_cost_usd", "What they cost, where a price is known.", ["model"], registry=REGISTRY
)
_BREAKER: Final = Gauge(
    "candor_breaker_open", "1 while a process leaves a model or embedder alone that failed in a row.",
    ["model"], registry=REGISTRY, multiprocess_mode="livemax",
)  # fmt: skip


def count_worked(
    tenant_id: UUID, state: str, trace: Iterable[Mapping[str, Any]], *, lag_seconds: float
) -> None:
    """Count an attempt at a capture. lag_seconds: since it came."""
    tenant = tenant_label(tenant_id)
    _WORKED.labels(tenant, state).inc()
    if state != "pending":
        _LAG.labels(tenant).observe(lag_seconds)
    for entry in trace:
        if "ms" in entry:  # the others are of before this attempt
            _VERDICTS.labels(entry["step"], entry["verdict"]).inc()
            _STEPS.labels(entry["step"]).observe(entry["ms"] / 1_000)


def count_outage(part: str) -> None:
    """Count a capture that was given back to wait for what is out."""
    _OUTAGES.labels(part).inc()


def count_request(model: str, outcome: str, *, is_left_alone: bool) -> None:
    """
    Count a request to a model or embedder: answered, failed, or left_alone when none was sent.

    is_left_alone: whether its breaker lets nothing through now, as this process sees it.
    """
    _REQUESTS.labels(model, outcome).inc()
    _BREAKER.labels(model).set(int(is_left_alone))


def count_spent(model: str, *, tokens_in: int, tokens_out: int, cost_usd: float) -> None:
    """Count what an answer took."""
    _TOKENS.labels(model, "in").inc(tokens_in)
    _TOKENS.labels(model, "out").inc(tokens_out)
    _COST.labels(model).inc(cost_usd)
