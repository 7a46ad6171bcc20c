"""Read what was said before a turn in its session, as far as the turn's own class sees."""

from typing import Any

from memories.models import Capture
from tenants.scope import tenant_scope, unit_of_work, viewer_in_force


def read_turns_before(capture: Capture, *columns: str, most: int, **wanted: Any) -> list[tuple[Any, ...]]:
    """
    Return these columns of the captures before one in its session, latest first, `most` at the most.

    Of the same agent and project, and as `wanted` has it. Turns above the capture's class are not looked at,
    and take no place among the latest: what is made of them is told to whoever reads what becomes of it.
    """
    if not capture.session or capture.turn is None:
        return []
    with tenant_scope(viewer_in_force().capped(capture.classification)), unit_of_work():
        before = Capture.objects.filter(
            session=capture.session, turn__lt=capture.turn, agent_id=capture.agent_id,
            project_id=capture.project_id, **wanted,
        ).order_by("-turn", "-id")  # fmt: skip
        return list(before.values_list(*columns)[:most])
