"""Judge what a new statement does to those that stand (SPEC K-05, K-06)."""

from memories.reconciliation.arbiters.card import write_card
from memories.reconciliation.arbiters.effects import CHANGE_OF, Dispute, Effects, weigh
from memories.reconciliation.arbiters.fitting import (
    FOLDER,
    MOUTHS,
    TALKS,
    Labelled,
    fit,
    make_sample,
    measure,
    read_pairs,
    read_talks,
)
from memories.reconciliation.arbiters.local import FILE, SPACE, Pair, judge, measure_around
from memories.reconciliation.arbiters.near import Judged, judge_near
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
    "FOLDER",
    "MOUTHS",
    "SPACE",
    "TALKS",
    "UPDATES",
    "Dispute",
    "Effects",
    "Judged",
    "Labelled",
    "Mouth",
    "Pair",
    "Relation",
    "Rulings",
    "Said",
    "Verdict",
    "fit",
    "judge",
    "judge_near",
    "make_sample",
    "measure",
    "measure_around",
    "mouth_of",
    "read_pairs",
    "read_talks",
    "rule",
    "weigh",
    "write_card",
]
