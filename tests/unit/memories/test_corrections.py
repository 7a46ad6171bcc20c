"""Whose correction counts as one: a user's, unhedged, and nobody else's (SPEC W-18)."""

from dataclasses import replace

import pytest

from memories.extraction.reflection import Note, Reflection, Turn, reflect
from memories.llms.base import LanguageModel
from tests.unit.memories.test_reflect import NOTE, make_turn

pytestmark = pytest.mark.spec("W-18")

STATE = replace(
    NOTE, kind="profile", content="Mara lives in Basel.", value="basel", concept_key="residence",
    entity_key="mara", cardinality="single", change="correction", confidence=0.85,
)  # fmt: skip
KNOWLEDGE = replace(
    NOTE, kind="correction", content="It is Basel, not Bern, that hosts the fair.", value=None,
    concept_key=None, entity_key=None, cardinality=None, confidence=0.85,
)  # fmt: skip


class Proposing(LanguageModel):
    """Proposes one note, as a language model might."""

    name = "proposing"

    def __init__(self, note: Note) -> None:
        self._note = note

    def extract(self, turn: Turn) -> Reflection:
        return Reflection(
            notes=(self._note,), model=self.name, tokens_in=0, tokens_out=0, cost_usd=0.0, attempts=1
        )


def kept(note: Note, role: str) -> tuple[str, float]:
    (one,) = reflect(make_turn("No, I live in Basel.", role=role), model=Proposing(note)).notes
    return (one.provenance, one.confidence)


@pytest.mark.parametrize("note", [STATE, KNOWLEDGE], ids=["a state", "knowledge"])
@pytest.mark.parametrize(
    ("role", "provenance", "confidence"),
    [("user", "user_correction", 1.0), ("tool", "measured", 0.85), ("assistant", "agent_inferred", 0.85)],
)
def test_only_a_user_corrects(note: Note, role: str, provenance: str, confidence: float) -> None:
    claimed = replace(note, provenance="user_correction")

    assert kept(claimed, role) == (provenance, confidence)


def test_a_hedged_correction_is_a_statement() -> None:
    hedged = replace(STATE, content="I think Mara maybe lives in Basel.")

    assert kept(hedged, "user") == ("user_stated", 0.85)


def test_a_plain_change_is_no_correction() -> None:
    assert kept(replace(STATE, change="explicit"), "user") == ("user_stated", 0.85)
