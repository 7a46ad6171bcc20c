"""Judge what a new statement does to those that stand (SPEC K-05, K-06)."""

from memories.reconciliation.arbiters.effects import CHANGE_OF, Dispute, Effects, weigh
from memories.reconciliation.arbiters.local import FILE, SPACE, Pair, judge, measure_around
from memories.reconciliation.arbiters.near import JudgedNeighbour, judge_near
from memories.reconciliation.arbiters.rulings import Rulings, rule
from memories.reconciliation.arbiters.verdicts import (
    CHANGES,
    UPDATES,
    Mouth,
    Relation,
    Said,
    Verdict,
    mouth_of,
)

__all__ = [
    "CHANGES",
    "CHANGE_OF",
    "FILE",
    "SPACE",
    "UPDATES",
    "Dispute",
    "Effects",
    "JudgedNeighbour",
    "Mouth",
    "Pair",
    "Relation",
    "Rulings",
    "Said",
    "Verdict",
    "judge",
    "judge_near",
    "measure_around",
    "mouth_of",
    "rule",
    "weigh",
]
