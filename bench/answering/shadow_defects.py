"""
Defects planted into a copy of the service's source: what a shadow run of that copy has to find.

Each is a text that stands in the source and what stands there in the copy. A text that is not found any more
is an error: the defect would be none.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.rig.service import PROJECT

_HELD: Final = "({}.memory_id IN (SELECT v.id FROM visible v)) IS TRUE"
"""How each channel holds a row against what all of them may show."""

_OWN_SIGHT: Final = """({row}.memory_id IN (SELECT a.id FROM memory a
    WHERE a.tenant_id = %(tenant)s AND a.standing = 0 AND {archived}
    AND candor_visible_v3(a.project_id, a.agent_id, a.shared, a.domain, a.person, {valid},
        %(my_projects)s::uuid[], %(sees_unfiled)s::boolean, %(me)s::uuid, %(my_domains)s::text[],
        %(sees_every_owner)s::boolean, %(my_person)s::text, %(sees_every_person)s::boolean,
        %(at)s::timestamptz))) IS TRUE"""
"""A channel's own idea of what may be seen, in place of the one that all share."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A text of a file, and what takes its place; between: only behind this text."""

    file: str
    old: str
    new: str
    behind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defect:
    """What is planted, and the sorts of leak of which one at least has to be named."""

    name: str
    changes: tuple[Change, ...]
    sorts: frozenset[str]
    opens_wall: bool = False  #: row security's tenant policy is taken away, or nothing could get through


_QUERIES: Final = "recall/sql/queries.sql"

DEFECTS: Final = (
    Defect(
        name="filter unwired",
        changes=(
            Change(
                file="recall/retrieval/search.py",
                old="conditions=tuple(one + question.where.condition + more for one in sight.conditions)",
                new='conditions=("true",)',
            ),
        ),
        sorts=frozenset({"superseded", "archived", "expired", "others_private", "other_project"}),
    ),
    Defect(
        name="ceiling off by one",
        changes=(
            Change(
                file="tenants/scope.py",
                old='"clearance": str(viewer.clearance) if viewer else "",',
                new='"clearance": str(min(viewer.clearance + 1, 3)) if viewer else "",',
            ),
        ),
        sorts=frozenset({"above_ceiling"}),
    ),
    Defect(
        name="tenant filter dropped in one channel",
        changes=(
            Change(
                file=_QUERIES,
                behind="-- semantic --",
                old="e.tenant_id = %(tenant)s AND e.space",
                new="e.space",
            ),
            Change(file=_QUERIES, behind="-- semantic --", old=_HELD.format("e"), new="true"),
            *(
                Change(
                    file=_QUERIES, behind="-- features --", old=f"{row}.tenant_id = %(tenant)s AND ", new=""
                )
                for row in ("e", "u", "m")
            ),
        ),
        sorts=frozenset({"other_tenant"}),
        opens_wall=True,
    ),
    Defect(
        name="validity ignored in the graph hop",
        changes=(
            Change(
                file="recall/sql/graph.sql",
                old=_HELD.format("e"),
                new=_OWN_SIGHT.format(row="e", archived="a.archived_at IS NULL", valid="NULL, NULL"),
            ),
        ),
        sorts=frozenset({"expired", "not_yet_valid"}),
    ),
    Defect(
        name="archived rows in the fuzzy channel",
        changes=(
            Change(
                file="recall/sql/words.sql",
                behind="meant AS MATERIALIZED",
                old=_HELD.format("p"),
                new=_OWN_SIGHT.format(row="p", archived="true", valid="a.valid_from, a.valid_until"),
            ),
        ),
        sorts=frozenset({"archived"}),
    ),
)

_LEFT_OUT: Final = (
    ".git", ".venv", ".candor", "out", "tests", "docs", "__pycache__", ".mypy_cache", ".ruff_cache",
)  # fmt: skip


def copy_with(defect: Defect, folder: Path) -> Path:
    """Copy the source with the defect in it and return where to. Raises ValueError when it does not fit."""
    tree = folder / defect.name.replace(" ", "-")
    shutil.copytree(PROJECT, tree, ignore=shutil.ignore_patterns(*_LEFT_OUT))
    for change in defect.changes:
        path = tree / change.file
        text = path.read_text()
        head, behind, tail = text.partition(change.behind) if change.behind else ("", "", text)
        if change.old not in tail:
            raise ValueError(f"{defect.name}: {change.file} does not say {change.old!r} any more")
        path.write_text(head + behind + tail.replace(change.old, change.new, 1))
    return tree
