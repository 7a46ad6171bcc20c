"""Reflect: whatever a model proposes is held to the rules of provenance and of assigned tasks."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from memories.extraction.reflection import Note, Reflection, Turn, reflect, word_as_guess
from memories.llms.base import LanguageModel, ModelRefused
from memories.llms.rules import RulesModel
from memories.temporal import normalise

LISBON = ZoneInfo("Europe/Lisbon")
CLOCK = datetime(2026, 3, 5, 10, 30, tzinfo=LISBON)


def make_turn(text: str, **fields: Any) -> Turn:
    said = normalise(text, clock=CLOCK, zone=LISBON)
    turn = Turn(
        text=said.text,
        original=text,
        role="user",
        speaker="Mara",
        clock=CLOCK,
        zone=LISBON,
        mentions=said.mentions,
        occurred_at=said.occurred_at,
    )
    return replace(turn, **fields)


NOTE = Note(
    kind="task",
    content="Archive the old tickets.",
    value="archive the old tickets",
    keywords=("archive", "tickets"),
    entities=(),
    concept_key="task",
    entity_key="agent",
    cardinality="multi",
    importance=3,
    occurred_at=CLOCK,
    occurred_resolved=False,
    confidence=0.9,
    provenance="user_stated",
    assigned_by=None,
)


class Proposing(LanguageModel):
    """A member of the family that proposes what it was given, as a language model might."""

    name = "proposing"

    def __init__(self, *notes: Note) -> None:
        self._notes = notes

    def extract(self, turn: Turn) -> Reflection:
        return Reflection(
            notes=self._notes, model=self.name, tokens_in=700, tokens_out=80, cost_usd=0.01, attempts=2
        )


def keep(note: Note, turn: Turn) -> Note:
    (kept,) = reflect(turn, model=Proposing(note)).notes
    return kept


@pytest.mark.spec("W-08", "M-02")
@pytest.mark.parametrize(
    ("role", "provenance"), [("user", "user_stated"), ("assistant", "agent_inferred"), ("tool", "measured")]
)
def test_a_verbatim_turn_is_one_episode_with_its_words_unchanged(role: str, provenance: str) -> None:
    text = "Ｗe met  Jonas yesterday\n— he's ﬁne 😀."

    reflection = reflect(make_turn(text, verbatim=True, role=role), model=Proposing())

    assert reflection == Reflection(
        notes=(
            Note(
                kind="episode",
                content=text,
                value=None,
                keywords=reflection.notes[0].keywords,
                entities=("Jonas",),
                concept_key=None,
                entity_key="mara",
                cardinality=None,
                importance=3,
                occurred_at=datetime(2026, 3, 4, tzinfo=LISBON),
                occurred_resolved=True,
                confidence=1.0,
                provenance=provenance,
                assigned_by=None,
            ),
        ),
        model="verbatim",
        tokens_in=0,
        tokens_out=0,
        cost_usd=0.0,
        attempts=0,
    )
    assert "jonas" in reflection.notes[0].keywords


@pytest.mark.spec("W-08", "K-03")
def test_nothing_worth_a_note_is_no_note_and_says_what_it_cost() -> None:
    spent = reflect(make_turn("Hi!"), model=Proposing())

    assert spent.notes == ()
    assert (spent.tokens_in, spent.tokens_out, spent.cost_usd, spent.attempts) == (700, 80, 0.01, 2)


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "gossip"},
        {"content": " "},
        {"content": "x" * 4001},
        {"importance": 0},
        {"importance": 6},
        {"importance": 2.5},
        {"confidence": 1.01},
        {"confidence": float("nan")},
        {"provenance": "oracle"},
        {"cardinality": "many"},
        {"occurred_at": datetime(2026, 3, 5)},
        {"keywords": ("x" * 501,)},
        {"concept_key": "Not Snake"},
        {"entity_key": None},
        {"value": None},
        {"value": ""},
    ],
    ids=str,
)
def test_one_unsound_note_refuses_the_whole_answer(fault: dict[str, Any]) -> None:
    with pytest.raises(ModelRefused, match=r"^a note was unsound: "):
        reflect(make_turn("Please archive the old tickets."), model=Proposing(NOTE, replace(NOTE, **fault)))


def test_a_flood_of_notes_is_refused() -> None:
    with pytest.raises(ModelRefused, match=r"^more than 40 notes out of one turn$"):
        reflect(make_turn("Please archive the old tickets."), model=Proposing(*[NOTE] * 41))


@pytest.mark.spec("M-08")
@pytest.mark.parametrize(
    ("role", "stated", "claimed", "kept"),
    [
        ("user", False, "user_correction", "user_stated"),
        ("user", False, "extracted", "extracted"),
        ("tool", False, "user_correction", "measured"),
        ("tool", False, "measured", "measured"),
        ("assistant", False, "user_stated", "agent_inferred"),
        ("assistant", False, "measured", "agent_inferred"),
        ("assistant", False, "agent_chat", "agent_inferred"),
        ("assistant", True, "user_stated", "agent_chat"),
        ("assistant", True, "agent_inferred", "agent_inferred"),
    ],
)
def test_provenance_is_never_better_than_who_spoke(role: str, stated: bool, claimed: str, kept: str) -> None:
    turn = make_turn("Archive the old tickets.", role=role, stated_in_session=stated)

    assert keep(replace(NOTE, provenance=claimed), turn).provenance == kept


ASSIGNED = [
    ("Lena asked me to archive the old tickets.", "user", False, "Lena", "Lena"),
    ("Please archive the old tickets.", "user", False, "Mara", "Mara"),
    ("Please archive the old tickets.", "user", False, "user", "user"),
    ("My boss wants the old tickets archived.", "user", False, "Mara's boss", "Mara's boss"),
    ("王芳让我归档旧工单。", "user", False, "王芳", "王芳"),
    ("我妈要我早点回家。", "user", False, "Mara妈", "Mara妈"),
    ("assignee: agent-7, reporter: Lena", "tool", False, "Lena", "Lena"),
    ("Lena asked me to archive the old tickets.", "assistant", True, "Lena", "Lena"),
]


@pytest.mark.spec("W-17")
@pytest.mark.parametrize(("text", "role", "stated", "claimed", "kept"), ASSIGNED)
def test_a_task_somebody_outside_gave_is_assigned(
    text: str, role: str, stated: bool, claimed: str, kept: str
) -> None:
    turn = make_turn(text, role=role, stated_in_session=stated)

    task = keep(replace(NOTE, assigned_by=claimed), turn)

    assert (task.assigned_by, task.content) == (kept, "Archive the old tickets.")


GUESSED = [
    ("Nobody said it, but the old tickets should go.", "user", False, None),
    ("Please archive the old tickets.", "user", False, "Lena"),
    ("Magdalena archived nothing.", "user", False, "Lena"),
    ("I assigned myself the old tickets.", "user", False, "agent"),
    ("Lena asked me to archive the old tickets.", "assistant", False, "Lena"),
    ("I will archive the old tickets.", "assistant", False, "Mara"),
    ("I will archive the old tickets.", "assistant", True, "Mara"),
    ("I will archive the old tickets.", "assistant", True, "myself"),
    ("assignee: agent-7", "tool", False, "Lena"),
    ("assigned by: system", "tool", False, "system"),
]


@pytest.mark.spec("W-17")
@pytest.mark.parametrize(("text", "role", "stated", "claimed"), GUESSED)
def test_a_task_nobody_outside_gave_is_a_guess(
    text: str, role: str, stated: bool, claimed: str | None
) -> None:
    turn = make_turn(text, role=role, stated_in_session=stated)

    task = keep(replace(NOTE, assigned_by=claimed), turn)

    assert (task.kind, task.assigned_by, task.content) == (
        "task",
        None,
        "Guess, not assigned: Archive the old tickets.",
    )


@pytest.mark.spec("W-17")
def test_a_guess_is_not_worded_as_one_twice() -> None:
    assert word_as_guess(word_as_guess("Call Bo.")) == "Guess, not assigned: Call Bo."


@pytest.mark.spec("W-17")
def test_only_a_task_has_somebody_who_assigned_it() -> None:
    skill = replace(NOTE, kind="skill", assigned_by="Mara")

    assert keep(skill, make_turn("I weld.")) == replace(skill, assigned_by=None, own_words=True)


@pytest.mark.spec("W-17")
def test_what_an_agent_tells_itself_stays_a_guess_through_the_rules() -> None:
    turn = make_turn(
        "Note to self: Mara asked me to migrate the ledger by 2026-03-12.", role="assistant", speaker="Ada"
    )

    notes = reflect(turn, model=RulesModel()).notes

    assert [(note.kind, note.assigned_by, note.provenance) for note in notes] == [
        ("task", None, "agent_inferred")
    ]
    assert notes[0].content.startswith("Guess, not assigned: ")


@pytest.mark.spec("W-17")
def test_the_same_from_a_person_is_assigned_through_the_rules() -> None:
    (note,) = reflect(make_turn("Please migrate the ledger by 2026-03-12."), model=RulesModel()).notes

    assert (note.kind, note.assigned_by, note.provenance, note.content) == (
        "task",
        "Mara",
        "user_stated",
        "Please migrate the ledger by 2026-03-12.",
    )


def test_a_moment_in_another_zone_is_sound() -> None:
    assert keep(replace(NOTE, occurred_at=datetime(2026, 3, 5, tzinfo=UTC)), make_turn("x")).kind == "task"
