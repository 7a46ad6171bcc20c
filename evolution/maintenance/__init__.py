"""The steps of a night that look after what is stored, and the maths of ageing (SPEC E-02, E-04 to E-06)."""

from evolution.maintenance.ageing import age_memories, read_scores
from evolution.maintenance.arbitration import reconcile
from evolution.maintenance.pruning import prune
from evolution.maintenance.relinking import relink
from evolution.maintenance.requeue import settle
from evolution.maintenance.retagging import retag
from evolution.maintenance.retention import retain
from evolution.maintenance.space_evaluation import ALLOWANCE, compare_homes
from evolution.maintenance.summaries import write_summaries

__all__ = [
    "ALLOWANCE",
    "age_memories",
    "compare_homes",
    "prune",
    "read_scores",
    "reconcile",
    "relink",
    "retag",
    "retain",
    "settle",
    "write_summaries",
]
