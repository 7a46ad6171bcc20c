"""
Which classes shown memories would have after rules: the leak checker's own reading (docs/decisions/0033).

What a candidate is kept from is found by SQL, downwards from what the rules name. Here each shown row is
read with all that it rests on, upwards, and held to the rules in Python. Where both differ, one is wrong: a
row that only this one holds back is a leak, and one that only the other does is missed when it is planted.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final
from uuid import UUID

from recall.shadow.class_rules import ClassRules
from tenants.sql import Queries

_SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "leaks.sql")


def would_be_classes(rules: ClassRules | None, ids: Sequence[UUID]) -> dict[UUID, int]:
    """
    Return the classes that these memories would have, at least those that they have; none without rules.

    To be called inside a unit of work of the pipeline, in the snapshot of the answer.
    """
    found: dict[UUID, int] = {}
    if rules is None or not ids:
        return found
    for row in _SQL.run("read_sources", ids=list(ids)):
        found[row["shown"]] = max(found.get(row["shown"], 0), rules.rank_of(row))
    return found
