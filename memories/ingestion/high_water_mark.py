"""
Keep what is written as high as what was read (SPEC S-01).

# Note [No write down]
A session that was shown something of a class writes at least that class for 8 hours, unless its key has the
scope «declassify». A session is whose it is (the agent, or a key without one), its name, and the person it is
for: what was read for one person does not count for another. What names no session may come of any, and is
held to all of its agent. What cites a recall or a row by its id is as high as that, whatever it names. How
high a session has read is kept by triggers on what was shown, and a trigger holds captures to it
(`migrations/sql/0042_*.sql`), so neither costs a statement. Here it is asked for what is written without a
capture. A capture is kept even above its key's own ceiling, where that key cannot read it: what was
said is not lost, and not told on either. What is written directly is refused there.
"""

from pathlib import Path
from typing import Any, Final

from memories.ingestion.capture import BadCapture
from tenants.scope import Viewer, unit_of_work
from tenants.sql import Queries

SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "classes.sql")


def written_class(asked: int, viewer: Viewer, *, person: str, session: str = "") -> int:
    """
    Return the class of what the viewer in force writes directly: as asked, or as high as the session read.

    person: whose it is; empty: common. session: empty: none, which stands for all of them.
    Raises BadCapture when the viewer could not read it.
    """
    if viewer.key_id is None:
        return asked
    with unit_of_work():
        rows: list[dict[str, Any]] = SQL.run(
            "read_written_class", agent=viewer.agent_id, key=viewer.key_id, session=session, person=person,
            asked=asked,
        )  # fmt: skip
    rank = int(rows[0]["rank"])
    if rank > viewer.clearance:
        raise BadCapture("classification", "must be what the session was shown, which is above this key")
    return rank
