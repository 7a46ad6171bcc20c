"""The write track: make memory of a capture, try what would become of one, write a memory directly."""

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

__all__ = [
    "DryRun",
    "GateRefused",
    "MemoryRequest",
    "WouldBe",
    "Written",
    "dry_run",
    "process_capture",
    "write_memory",
]
