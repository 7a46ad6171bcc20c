"""What outcomes and time leave behind."""

from evolution.models.consolidation import Consolidation
from evolution.models.feedback import Feedback
from evolution.models.sleep import SleepRun, SleepState, SleepStep

__all__ = ["Consolidation", "Feedback", "SleepRun", "SleepState", "SleepStep"]
