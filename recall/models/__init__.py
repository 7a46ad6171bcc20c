"""What was asked and what was shown."""

from recall.models.events import POLICY_STATES, LearntOfMemory, RecalledMemory, RecallEvent, StoredPolicy
from recall.models.interests import Interest
from recall.models.shadow import FEWEST_REAL, ShadowQuestion, ShadowRun

__all__ = [
    "FEWEST_REAL",
    "POLICY_STATES",
    "Interest",
    "LearntOfMemory",
    "RecallEvent",
    "RecalledMemory",
    "ShadowQuestion",
    "ShadowRun",
    "StoredPolicy",
]
