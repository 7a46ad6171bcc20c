"""
Find what rules of classification would raise, in the database (docs/decisions/0033).

A recall of the candidate is kept from what this finds, and a migration raises it. The leak checker has a
reading of its own (`classification_preview`); of rules and texts both have `class_rules` alone in common.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from recall.channels import SQL
from recall.shadow.class_rules import ClassRule, ClassRules, fold_letter
from security.classification import Classification
from security.patterns import bounded
from tenants.scope import tenant_in_force
from tenants.sql import Queries, to_json

_SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "class_rules.sql")

KEPT_BACK: Final = "\n" + SQL["kept_back"]
"""The condition on memory m that holds a rehearsed recall to the classes that its rows would have."""


MOST_KNOWN: Final = 16
"""Viewers, by rules, tenant and class, of whom this process keeps what it found."""

_known: Final[dict[tuple[UUID, str, int], tuple[str, list[UUID]]]] = {}
"""What was found at which state of the data: ids alone, of what a tenant's rules hide from a class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """A memory that rules raise."""

    id: UUID
    former: int  #: the class it has
    rank: int  #: the class it would have
    named: bool  #: a rule holds for it; else it rests on such a one


def find_raised(rules: ClassRules, *, above: int = -1) -> list[Raised]:
    """
    Return what the rules raise to a class above this one, as far as the viewer in force may read it.

    The highest class first, what is named before what only follows. To be called in a unit of work.
    """
    told = to_json([_told(rule) for rule in rules.rules])
    return [Raised(**row) for row in _SQL.run("find_raised", rules=told, above=above)]


def kept_back(rules: ClassRules | None, *, clearance: int) -> list[UUID]:
    """
    Return what the viewer in force may read now and not after these rules.

    Row security hides nothing from this that matters: a memory that may be read rests on nothing that may not
    (SPEC S-01), so all that could raise it is in sight. To be called in one snapshot: a run asks this at
    every question, and nothing is read again while nothing was written.
    """
    if rules is None or rules.highest <= clearance:
        return []
    key, stamp = (tenant_in_force(), rules.digest, clearance), _SQL.run("read_stamp")[0]["stamp"]
    found = _known.get(key)
    if found is None or found[0] != stamp:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        found = _known[key] = (stamp, [one.id for one in find_raised(rules, above=clearance)])
    return found[1]


def would_raise(rules: ClassRules | None) -> dict[str, Any]:
    """Return what a run's summary says of what its rules would raise, in numbers; nothing without rules."""
    if rules is None:
        return {}
    raised = find_raised(rules)
    ranks = Counter(one.rank for one in raised)
    ids = {"ids": [one.id for one in raised], "ranks": [one.rank for one in raised]}
    told = {
        "memories": len(raised),
        "following": sum(not one.named for one in raised),
        "to": {Classification(rank).label: ranks[rank] for rank in sorted(ranks)},
        **_SQL.run("count_beside", **ids)[0],
    }
    return {"would_raise": told}


def _told(rule: ClassRule) -> Mapping[str, Any]:
    """Return a rule as `find_raised` reads it."""
    return {
        "rank": rule.rank,
        "project": rule.project,
        "domain": rule.domain,
        "kinds": rule.kinds or None,
        "tags": rule.tags or None,
        "agent": rule.agent,
        "pattern": "|".join(map(_pattern, rule.words)) or None,
    }


def _pattern(word: str) -> str:
    """
    Return a regular expression of PostgreSQL's that finds a folded word, in a database of any locale.

    Each letter names its cases itself: `lower` and `~*` know as many letters as the locale they run by. It
    begins so that no text can be taken for the director «***=» or for options.
    """
    return "(?:" + "".join(map(_one_of, word)) + ")"


def _one_of(letter: str) -> str:
    cases = _cases().get(letter, "")
    return f"[{letter}{cases}]" if cases else _SPECIAL.sub(r"\\\g<0>", letter)


_SPECIAL: Final = bounded(r"[\\^$.|?*+()\[\]{}]")
"""What means something else than itself to PostgreSQL."""


MOST_CASED: Final = 0x20000
"""All letters that have cases lie below: in the first two planes of Unicode."""


@cache
def _cases() -> Mapping[str, str]:
    """Return the other cases of each folded letter; made once, in some 0.1 s."""
    found: dict[str, str] = {}
    for letter in map(chr, range(MOST_CASED)):
        if (folded := fold_letter(letter)) != letter:
            found[folded] = found.get(folded, "") + letter
    return found
