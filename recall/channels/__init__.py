"""The ways of finding memories, in a registry, and how each of them fares of late (SPEC R-01, R-12)."""

from recall.channels.health import (
    FAILED,
    PROBE_EVERY,
    SLOW_MS,
    choose_healthy,
    note_latencies,
    read_out,
    size_factor,
)
from recall.channels.registry import CHANNELS, DEADLINE_MS, IN_VISIBLE, KNOWN_CHANNELS, SQL, RecallUnavailable

__all__ = [
    "CHANNELS",
    "DEADLINE_MS",
    "FAILED",
    "IN_VISIBLE",
    "KNOWN_CHANNELS",
    "PROBE_EVERY",
    "SLOW_MS",
    "SQL",
    "RecallUnavailable",
    "choose_healthy",
    "note_latencies",
    "read_out",
    "size_factor",
]
