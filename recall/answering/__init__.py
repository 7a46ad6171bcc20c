"""The answer: a question in, results with alerts out, recorded before it leaves (SPEC R-11, R-13)."""

from recall.answering.alerts import (
    CHANGED,
    CHANGED_BY_WEAKER,
    LEADING,
    WAITS,
    WAITS_WEAKER,
    Alert,
    Shown,
    find_alerts,
)
from recall.answering.answer import Answer, Result, recall
from recall.answering.asking_again import again_where_forgotten
from recall.answering.failure_alerts import failed_statement, near_failures
from recall.answering.overlay import Pending
from recall.answering.past_recalls import PastRecall, StillShown, get_recall, list_recalls_of
from recall.answering.post_response import count_later
from recall.answering.prefetching import PREFETCH_TASK, prefetch

__all__ = [
    "CHANGED",
    "CHANGED_BY_WEAKER",
    "LEADING",
    "PREFETCH_TASK",
    "WAITS",
    "WAITS_WEAKER",
    "Alert",
    "Answer",
    "PastRecall",
    "Pending",
    "Result",
    "Shown",
    "StillShown",
    "again_where_forgotten",
    "count_later",
    "failed_statement",
    "find_alerts",
    "get_recall",
    "list_recalls_of",
    "near_failures",
    "prefetch",
    "recall",
]
