"""Verdicts on what was recalled: taken, counted as voices, and learnt from (SPEC E-01, E-13)."""

from evolution.feedback.examples import keep_example
from evolution.feedback.outcomes import report_outcome
from evolution.feedback.record import REFERENCE, give_feedback
from evolution.feedback.reported import MOST_REPORTED, ReportedPlace, report_uses
from evolution.feedback.retraction import give_back, take_back, taken_back

__all__ = [
    "MOST_REPORTED",
    "REFERENCE",
    "ReportedPlace",
    "give_back",
    "give_feedback",
    "keep_example",
    "report_outcome",
    "report_uses",
    "take_back",
    "taken_back",
]
