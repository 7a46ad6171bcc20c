"""How much memory the machine has for the embedded PostgreSQL, and what of it the server takes."""

from __future__ import annotations

import os
from pathlib import Path

MEGABYTE = 1 << 20

CGROUP_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Where Linux tells a container's limit: control groups of version 2 and of version 1."""

LEAST_BUFFERS, MOST_BUFFERS = 128 * MEGABYTE, 2048 * MEGABYTE
BUFFERS_SHARE = 1 / 8
"""
Of the memory, for PostgreSQL's own cache. Half of the quarter that its manual advises for a machine of its
own: here web, workers and embedder stand beside it. What questions look at of 100 000 memories is some
400 MB; what the cache lacks is copied from the system's, page by page.
"""

SEEN_SHARE = 1 / 2
"""Of the memory, that the planner may take for cached, there or by the system (effective_cache_size)."""


def machine_memory(limits: tuple[Path, ...] = CGROUP_LIMITS) -> int:
    """Answer the bytes of memory that there are: the machine's, or a container's if that is less."""
    whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min([whole, *(limit for path in limits if (limit := _read_limit(path)) is not None)])


def _read_limit(path: Path) -> int | None:
    """Answer a control group's limit in bytes; None where there is none, which version 2 calls «max»."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def cache_settings(memory: int) -> dict[str, str]:
    """Answer PostgreSQL's settings for a machine with this many bytes of memory."""
    buffers = min(max(int(memory * BUFFERS_SHARE), LEAST_BUFFERS), MOST_BUFFERS)
    seen = max(int(memory * SEEN_SHARE), buffers)
    return {
        "shared_buffers": f"{buffers // MEGABYTE}MB",
        "effective_cache_size": f"{seen // MEGABYTE}MB",
    }
