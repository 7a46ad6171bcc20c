"""What a run means for the policy version it tries: tried, then proven or a draft again (SPEC S-06)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from recall.policies import (
    mark_draft_again,
    mark_shadowing,
    mark_validated,
    stored_id,
)


def begin_proof(candidate: Mapping[str, Any]) -> None:
    """Say that the version which a run is to try is being tried. Of another candidate nothing is said."""
    if (policy_id := _version(candidate)) is not None:
        mark_shadowing(policy_id)


def end_proof(candidate: Mapping[str, Any], run_id: UUID, *, passed: bool, now: datetime) -> None:
    """
    Say what came of it, in the unit of work that ends the run.

    Another run of the same version may have sent it back meanwhile: one that passed has it tried again and
    proven. What was proven before stays so, however later runs end.
    """
    if (policy_id := _version(candidate)) is None:
        return
    if not passed:
        mark_draft_again(policy_id)
    elif mark_shadowing(policy_id):
        mark_validated(policy_id, run_id, now=now)


def _version(candidate: Mapping[str, Any]) -> UUID | None:
    return stored_id(candidate["policy"]) if candidate["kind"] == "policy" else None
