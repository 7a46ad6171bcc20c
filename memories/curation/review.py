"""Release what screening holds in quarantine, or dismiss it: a person has the last word (SPEC H-03)."""

from datetime import datetime
from functools import partial
from typing import Final
from uuid import UUID

from django.db import transaction

from memories.curation.archive import checked_reason
from memories.domain import RELEASED
from memories.ingestion import CaptureView, capture_view, get_capture, hint, is_short
from memories.models import Capture
from security import audit
from tenants.rights import require_person, require_right
from tenants.scope import unit_of_work

RELEASE, DISMISS = RELEASED["verdict"], "dismiss"
VERDICTS: Final = (RELEASE, DISMISS)


class NotHeld(RuntimeError):
    """This capture is not in quarantine (any more): there is nothing to release or to dismiss."""


def review_capture(capture_id: UUID, *, verdict: str, now: datetime, reason: str = "") -> CaptureView:
    """
    Let a quarantined capture go through the other gates, or discard it for good; return it as it is now.

    Released, it waits in the queue again, and keeps its origin and so its trust: that it may be remembered
    does not make it believed. What the screen said stays on the trace.
    Raises NotForAgents, NotFound, NoRight, NotHeld, BadCapture.
    """
    viewer = require_person("What screening holds back is a person's to judge")
    reason = checked_reason(reason)
    get_capture(capture_id)  # what may not be seen is missing
    with unit_of_work():
        row = Capture.objects.select_for_update().get(id=capture_id)
        require_right(viewer, "release", row.project_id)
        if row.state != "quarantined":
            raise NotHeld(NotHeld.__doc__)
        entry = {**RELEASED, "verdict": verdict, "by": viewer.actor, "reason": reason, "held": row.error}
        row.trace = [*row.trace, entry]
        if verdict == RELEASE:
            row.state, row.attempts, row.error, row.finished_at = "pending", 0, "", None
            row.leased_until = row.lease_token = None
            transaction.on_commit(partial(hint, viewer.tenant_id, row.id, is_short=is_short(row.text)))
        else:
            row.state, row.error = "discarded", f"dismissed by a person: {row.error}"
        row.save(
            update_fields=[
                "trace",
                "state",
                "attempts",
                "error",
                "finished_at",
                "leased_until",
                "lease_token",
            ]
        )
        audit.append(
            f"capture.{verdict}", object_type="capture", object_id=row.id, now=now, reason=reason,
            classification=row.classification,
        )  # fmt: skip
        return capture_view(row)
