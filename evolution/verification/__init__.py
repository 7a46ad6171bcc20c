"""What should be looked at before it is relied on: watermarks that moved, and the queue (SPEC E-08, H-03)."""

from evolution.verification.calibration import WatermarkCalibration, calibrate_watermarks
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
    "AnsweredOtherwise",
    "BoundHandle",
    "VerificationFilter",
    "VerificationView",
    "WatermarkCalibration",
    "answer_verification",
    "calibrate_watermarks",
    "check_watermarks",
    "get_verification",
    "list_handles",
    "list_verifications",
    "observe",
    "verifications_in_sight",
]
