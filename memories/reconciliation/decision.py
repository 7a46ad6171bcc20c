"""What connect may decide: the seven actions, and what each does to the rows that stand (SPEC W-11)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

from memories.candidates import Neighbour
from memories.reconciliation.arbiters import JudgedNeighbour

CURRENT: Final = 0
CONTENDER: Final = 1
SUPERSEDED: Final = 2


class Action(StrEnum):
    """What is done with a candidate."""

    SKIP = "skip"
    REINFORCE = "reinforce"
    MERGE = "merge"
    SUPERSEDE = "supersede"
    COEXIST = "coexist"
    ARBITRATE = "arbitrate"
    RESTATE = "restate"
    CREATE = "create"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionQuestion:
    """A contradiction between the new row and one that stands: to be asked, or settled with a record."""

    rival: Neighbour
    is_newer: bool  #: the new row is the later one by effective time
    trust_gap: float  #: trust of the later one less that of the earlier, in [-1, 1]
    reason: str
    verdict: str | None = None  #: keep_old, accept_new; None: to be asked
    keyed: bool = True  #: both are values of one key, of which one is current; else both stand


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is done with a candidate, to which row, and why."""

    action: Action
    reason: str
    target: Neighbour | None = None  #: skipped for, reinforced, merged into, or standing above the new row
    similarity: float | None = None  #: calibrated, to the target
    content: str | None = None  #: merge: the new text of the target
    value: str | None = None  #: merge of a state: its new value
    superseded: tuple[Neighbour, ...] = ()  #: supersede: the rows that the new one retires
    demoted: tuple[Neighbour, ...] = ()  #: arbitrate: current rows that become contenders
    standing: int = CURRENT  #: of the new row
    superseded_by: UUID | None = None  #: the row that retires the new one at once: it is news of old
    cardinality: str | None = None  #: of the new row, where both values hold by an earlier verdict
    question: DecisionQuestion | None = None
    contradicts: bool = False  #: the new row denies the target: both are kept, and linked as such
    verdicts: tuple[JudgedNeighbour, ...] = ()  #: what it does to rows that stay: links, no losses
    acted: tuple[JudgedNeighbour, ...] = ()  #: the verdicts by which it was decided
    judge: str = (
        ""  #: who decided: exact, rules, or the name of an arbiter; empty: there was nothing to decide
    )
