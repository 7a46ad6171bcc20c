"""Metrics for Prometheus at `/metrics`: for operators, off until there is a token (docs/operations.md)."""

from pathlib import Path
from uuid import UUID

from config.settings.environment import hand_on, listing, text

SHORTEST_TOKEN = 32

#: What a scrape has to say after `Authorization: Bearer`; unset: there is no such page.
METRICS_TOKEN = text("CANDOR_METRICS_TOKEN")
if METRICS_TOKEN and len(METRICS_TOKEN) < SHORTEST_TOKEN:
    raise ValueError(f"CANDOR_METRICS_TOKEN must have at least {SHORTEST_TOKEN} characters")

#: Ids of tenants that are counted by themselves; all others are counted together, as `other`.
METRICS_TENANTS = frozenset(str(UUID(one)) for one in listing("CANDOR_METRICS_TENANTS"))

#: Folder where the processes of a machine keep what they count, so that a scrape of one tells of all; unset:
#: each tells of itself. To be emptied before they start: `candor up` does so.
METRICS_DIR = text("CANDOR_METRICS_DIR")
if METRICS_DIR:
    Path(METRICS_DIR).mkdir(mode=0o700, parents=True, exist_ok=True)
    # Read when the library is imported, which the settings come before.
    hand_on("PROMETHEUS_MULTIPROC_DIR", METRICS_DIR)
