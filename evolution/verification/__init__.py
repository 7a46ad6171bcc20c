"""What should be looked at before it is relied on: watermarks that moved, and the queue (SPEC E-08, H-03)."""

from evolution.verification.calibration import WatermarkCalibration, calibrate_watermarks
from evolution.verification.lint import LEVELS, LintFinding, count_lint, list_lint
from evolution.verification.queue import (
    AnsweredOtherwise,
    VerificationFilter,
    VerificationView,
    answer_verification,
    get_verification,
    list_verifications,
    verifications_in_sight,
)
from evolution.verification.watermarks import BoundHandle, check_watermarks, list_handles, observe

__all__ = [
    "LEVELS",
    "AnsweredOtherwise",
    "BoundHandle",
    "LintFinding",
    "VerificationFilter",
    "VerificationView",
    "WatermarkCalibration",
    "answer_verification",
    "calibrate_watermarks",
    "check_watermarks",
    "count_lint",
    "get_verification",
    "list_handles",
    "list_lint",
    "list_verifications",
    "observe",
    "verifications_in_sight",
]
