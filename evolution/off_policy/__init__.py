"""What other weights would have done, estimated from the log of recalls and verdicts (SPEC E-12)."""

from evolution.off_policy.estimate import Estimate, NoSupport, WeightsCompared, compare
from evolution.off_policy.logged import FACTORS, Log, LoggedRecall
from evolution.off_policy.proposal import MOST_IN_REQUEST, Proposal, compare_policy, propose
from evolution.off_policy.reading import read_log
from evolution.off_policy.regret import MOST_WEEKS, LearningWeek, list_weeks
from evolution.off_policy.search import Refit, change_of, refit

__all__ = [
    "FACTORS",
    "MOST_IN_REQUEST",
    "MOST_WEEKS",
    "Estimate",
    "LearningWeek",
    "Log",
    "LoggedRecall",
    "NoSupport",
    "Proposal",
    "Refit",
    "WeightsCompared",
    "change_of",
    "compare",
    "compare_policy",
    "list_weeks",
    "propose",
    "read_log",
    "refit",
]
