"""The write track: make memory of a capture, try what would become of one, write a memory directly."""

from memories.pipeline.preview import (
    LONGEST_TURN,
    Bearing,
    by_arbiter,
    by_keys,
    comparable,
    may_be_judged,
    read_waiting,
)
from memories.pipeline.run import (
    DryRun,
    GateRefused,
    MemoryRequest,
    WouldBe,
    Written,
    dry_run,
    process_capture,
    write_memory,
)
from memories.pipeline.warmup import warm_up

__all__ = [
    "LONGEST_TURN",
    "Bearing",
    "DryRun",
    "GateRefused",
    "MemoryRequest",
    "WouldBe",
    "Written",
    "by_arbiter",
    "by_keys",
    "comparable",
    "dry_run",
    "may_be_judged",
    "process_capture",
    "read_waiting",
    "warm_up",
    "write_memory",
]
