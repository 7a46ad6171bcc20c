"""What outcomes and time leave behind."""

from evolution.models.consolidation import Consolidation
from evolution.models.feedback import LEAST_PROOF, Feedback
from evolution.models.sleep import SleepRun, SleepState, SleepStep
from evolution.models.webhook import ACTIVE, STOPPED, Webhook

__all__ = [
    "ACTIVE",
    "LEAST_PROOF",
    "STOPPED",
    "Consolidation",
    "Feedback",
    "SleepRun",
    "SleepState",
    "SleepStep",
    "Webhook",
]
