"""The four rules for two values of a single-valued state, in their order."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.candidates.conflicts import Conflict, Outcome, Statement, arbitrate, measure_gap, settle, weight
from memories.domain.kinds import PROVENANCE_WEIGHT
from memories.extraction.note_drafts import believe
from tests.unit.memories.rows import MARCH

pytestmark = pytest.mark.spec("W-12")


def statement(provenance: str = "user_stated", *, days: float = 0, **given: Any) -> Statement:
    plain = {"trust": believe(provenance, 1.0), "effective_at": MARCH + timedelta(days=days)}
    return Statement(provenance=provenance, **plain | given)


def conflict(newer: Statement, older: Statement | None = None, **given: Any) -> Conflict:
    return Conflict(older=older or statement(), newer=newer, **given)


SAID = {"session": "s1", "speaker": "Ann"}
CORRECTED, MOVED = "correction", {"change": "explicit"}
SLIP = {"change": CORRECTED, "alone": True}

TABLE = [
    # (1) the same session and speaker, correcting, nothing between
    ("slip", statement(**SAID), statement(days=0.01, **SAID), SLIP, "overwrite"),
    ("another session", statement(**SAID), statement(days=0.01, session="s2", speaker="Ann"),
     SLIP, "supersede"),
    ("another speaker", statement(**SAID), statement(days=0.01, session="s1", speaker="Bob"),
     SLIP, "supersede"),
    ("no session", statement(), statement(days=0.01), SLIP, "supersede"),
    ("something between", statement(**SAID), statement(days=0.01, **SAID), {"change": CORRECTED},
     "supersede"),
    ("no correction", statement(**SAID), statement(days=0.01, **SAID), {"alone": True}, "supersede"),
    ("of a better origin", statement("agent_chat", **SAID), statement(days=0.01, **SAID),
     SLIP, "supersede"),
    ("a user of their own word", statement(**SAID), statement("user_correction", days=0.01, **SAID), SLIP,
     "overwrite"),
    ("a user of a guess", statement("agent_inferred", **SAID),
     statement("user_correction", days=0.01, **SAID), SLIP, "supersede"),
    # (2) an explicit change, whatever the span and however often
    ("explicit, late", statement(), statement(days=400), MOVED, "supersede"),
    ("explicit, often", statement(), statement(days=1), {"change": "explicit", "changes": 9}, "supersede"),
    ("explicit, better", statement("extracted"), statement(days=400), MOVED, "supersede"),
    ("explicit, weaker", statement(), statement("agent_chat", days=400), MOVED, "older_meanwhile"),
    ("explicit, weaker, and nobody's word before", statement("measured"),
     statement("agent_chat", days=400), MOVED, "newer_meanwhile"),
    # (3) fewer than three changes, and a span below thirty days
    ("plain, soon", statement(), statement(days=29.9), {"changes": 2}, "supersede"),
    ("plain, the same moment", statement(), statement(), {}, "supersede"),
    ("plain, at thirty days", statement(), statement(days=30), {}, "newer_meanwhile"),
    ("plain, changed thrice", statement(), statement(days=1), {"changes": 3}, "newer_meanwhile"),
    # (4) the gap of trust, else a question
    ("far better, late", statement("extracted"), statement(days=60), {}, "accept_new"),
    ("far weaker", statement(), statement("extracted", days=1), {}, "keep_old"),
    ("a little weaker", statement("measured"), statement("agent_chat", days=1), {}, "newer_meanwhile"),
    # an agent's word never takes the place of a person's, whatever the gap: a person answers
    ("an agent's word against a person's", statement(), statement("user_relayed", days=1), {},
     "older_meanwhile"),
    ("an agent's word against a person's that is doubted", statement(trust=0.1),
     statement("user_relayed", days=1), MOVED, "older_meanwhile"),
    ("a person's doubtful word against an agent's, often changed", statement("user_relayed"),
     statement(trust=0.1, days=1), {"changes": 3}, "newer_meanwhile"),
    ("an agent's word against another of its own", statement("user_relayed"),
     statement("user_relayed", days=1), {}, "supersede"),
    ("a correction of another person's word", statement(), statement("user_stated", days=1),
     {"change": "correction", "corrects_others": True}, "older_meanwhile"),
    ("a gap of exactly 0.30", statement("user_correction"), statement("connector", days=1), {}, "keep_old"),
    ("a gap below 0.30", statement("user_stated"), statement("connector", days=1), {}, "newer_meanwhile"),
    # a guess never takes the place of what was said
    ("a guess against a statement", statement(), statement("agent_inferred", days=1), {}, "keep_old"),
    ("a guess against a doubtful statement", statement(trust=0.5), statement("agent_inferred", days=1), {},
     "older_meanwhile"),
    ("a guess against a statement nobody believes", statement(trust=0.05),
     statement("agent_inferred", days=1), {}, "older_meanwhile"),
    ("an explicit guess", statement(), statement("agent_inferred", days=1), MOVED, "keep_old"),
    ("two guesses", statement("agent_inferred"), statement("agent_inferred", days=1), {}, "supersede"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("older", "newer", "given_", "outcome"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_a_conflict_is_settled_by_the_first_rule_that_fits(
    older: Statement, newer: Statement, given_: dict[str, Any], outcome: str
) -> None:
    assert settle(conflict(newer, older, **given_)).outcome == Outcome(outcome)


def test_the_gap_is_the_newer_ones_trust_less_the_older_ones() -> None:
    assert measure_gap(statement(trust=0.7), statement(trust=0.4)) == -0.3


origins = st.sampled_from(sorted(PROVENANCE_WEIGHT))


@pytest.mark.spec("W-12", "M-08")
@given(
    older=origins,
    newer=origins,
    confidence=st.floats(0.3, 1.0),
    days=st.floats(0, 400),
    changes=st.integers(0, 9),
    change=st.sampled_from(["none", "explicit", "correction"]),
    alone=st.booleans(),
)
def test_a_weaker_origin_of_less_trust_never_retires_a_better_one(
    older: str, newer: str, confidence: float, days: float, changes: int, change: Any, alone: bool
) -> None:
    """It may at most stand beside it, in the open, until a person has answered."""
    before = statement(older, trust=believe(older, confidence), **SAID)
    after = statement(newer, days=days, trust=min(believe(newer, 1.0), before.trust), **SAID)

    settled = settle(conflict(after, before, change=change, changes=changes, alone=alone))

    if weight(newer) < weight(older):
        assert settled.outcome in (Outcome.KEEP_OLD, Outcome.NEWER_MEANWHILE, Outcome.OLDER_MEANWHILE)
        if newer == "agent_inferred":
            assert settled.outcome != Outcome.NEWER_MEANWHILE


@given(origin=origins, trust=st.floats(0, 1), other=st.floats(0, 1))
def test_a_gap_decides_for_whoever_is_trusted_more(origin: str, trust: float, other: float) -> None:
    before, after = statement(origin, trust=trust), statement(origin, trust=other)

    outcome = arbitrate(before, after).outcome

    gap = measure_gap(before, after)
    assert outcome == (
        Outcome.ACCEPT_NEW if gap >= 0.30 else Outcome.KEEP_OLD if gap <= -0.30 else Outcome.NEWER_MEANWHILE
    )


def test_nothing_but_the_span_between_them_counts_not_the_days_themselves() -> None:
    shifted = [
        replace(one, effective_at=one.effective_at + timedelta(days=5000))
        for one in (statement(), statement(days=29))
    ]

    assert settle(conflict(shifted[1], shifted[0])) == settle(conflict(statement(days=29)))
