"""What captures wait for (SPEC O-04), asked of the database: a process knows of its own failures only."""

from typing import Final

from django.db import connection

from config.health_writes import Kept

_WAITED_FOR: Final = "SELECT DISTINCT waits_for FROM candor_queue_state() WHERE waits_for <> '' ORDER BY 1"


def _look() -> list[str]:
    """Return what is out that captures wait for; not how many, nor whose: anybody may ask."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITED_FOR)
        return [part for (part,) in cursor.fetchall()]


outages: Final = Kept(_look)
