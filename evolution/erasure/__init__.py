"""Forgetting for good: what goes, what it left elsewhere, and how it stays gone (SPEC S-05, H-04, K-09)."""

from evolution.erasure.memory import Forgetting, forget_memory
from evolution.erasure.person import forget_person
from evolution.erasure.replay import export_receipts, import_receipts, read_receipts, replay_erasures

__all__ = [
    "Forgetting",
    "export_receipts",
    "forget_memory",
    "forget_person",
    "import_receipts",
    "read_receipts",
    "replay_erasures",
]
