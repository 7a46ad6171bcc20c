"""What other weights would have done, estimated from the log of recalls and verdicts (SPEC E-12)."""

from evolution.off_policy.estimate import Estimate, NoSupport, WeightsCompared, compare
from evolution.off_policy.logged import FACTORS, Log, LoggedRecall
from evolution.off_policy.reading import read_log
from evolution.off_policy.search import Refit, change_of, refit

__all__ = [
    "FACTORS",
    "Estimate",
    "Log",
    "LoggedRecall",
    "NoSupport",
    "Refit",
    "WeightsCompared",
    "change_of",
    "compare",
    "read_log",
    "refit",
]
