"""Keys that leave it open that two texts tell one fact, and keys that do not."""

from typing import Any

import pytest

from memories.connect import SAID_AGAIN, decide
from memories.decision import Action
from memories.restated_keys import has_other_key, is_one_entity, may_share_key
from tests.unit.memories.rows import candidate, neighbour

PRESS = "Press done 2026-03-05T08:12Z sheets=900 torn=14 crew=Mirko"
TOLD = "The press was through at 08:12, 900 sheets by Mirko, 14 of them torn."
TALK: dict[str, Any] = {"session": "monday", "speaker": "Ines"}


def share(note: dict[str, Any], row: dict[str, Any]) -> bool:
    """Tell whether a note and a row may be one, of which only what matters is given."""
    return may_share_key(
        candidate(**{"kind": "episode", **TALK, **note}).draft, neighbour(**{"kind": "episode", **row})
    )


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Odense Kiln", "odense kiln", True),
        ("Hangzhou", "杭州", True),
        ("杭州", "Hangzhou", True),
        ("Hangzhou", "苏州", False),
        ("Hangzhou", "Suzhou", False),
    ],
)
def test_one_entity_has_one_name_in_whichever_writing(one: str, other: str, same: bool) -> None:
    assert is_one_entity(one, other) is same


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("entity", "content", "shared"),
    [
        ("press", "The press lost 14 sheets.", True),
        ("press", "Our presses lost 14 sheets.", True),
        ("press", "The compressor lost 14 sheets.", False),
        ("old press", "The press lost 14 sheets.", False),
        ("ines holm", "Ines lost 14 sheets.", True),
        ("mirko holm", "Mirko lost 14 sheets.", False),
    ],
)
def test_an_event_is_no_other_entitys_where_the_row_names_its_own(
    entity: str, content: str, shared: bool
) -> None:
    note = {"content": "14 sheets were lost.", "entity_key": entity, "speaker": "Ines Holm"}

    assert share(note, {"content": content, "entity_key": "sheets"}) is shared


@pytest.mark.spec("W-11", "M-05")
@pytest.mark.parametrize(
    ("keys", "shared"),
    [
        (("kiln", "gas", "K-60"), True),
        (("kiln", "fuel", "K-60"), True),
        (("kiln", "fuel", "K-61"), False),
        (("oven", "gas", "K-60"), False),
    ],
)
def test_a_state_gives_up_its_key_only_for_a_row_of_its_entity(
    keys: tuple[str, str, str], shared: bool
) -> None:
    entity, concept, value = keys
    state = {"kind": "profile", "content": "The kiln beside the oven runs on K-60."}

    note = state | {"entity_key": entity, "concept_key": concept, "value": value}
    row = state | {"entity_key": "kiln", "concept_key": "gas", "value": "K-60"}

    assert share(note, row) is shared


@pytest.mark.spec("W-11", "M-05")
@pytest.mark.parametrize(
    ("keys", "shared"),
    [
        (("returned goods", "destination", "dock 5 in odense"), True),
        (("returned goods", "destination", "dock 6 in odense"), False),
        (("returned goods", "insurer", "dock 5 in odense"), False),
        (("sold goods", "destination", "dock 5 in odense"), False),
        (("returned goods", "destination", "odense"), False),
    ],
)
def test_one_state_may_be_told_of_a_longer_name_with_the_same_value(
    keys: tuple[str, str, str], shared: bool
) -> None:
    entity, concept, value = keys
    state = {"kind": "profile", "content": "What is sent back goes there with the van of the post."}

    note = state | {"entity_key": entity, "concept_key": concept, "value": value}
    row = state | {"entity_key": "returns", "concept_key": "destination", "value": "dock 5, 5000 odense"}

    assert share(note, row) is shared


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(("value", "shared"), [("2026-03-20", True), ("2026-03-21", False)])
def test_keys_in_two_writings_are_held_together_by_the_value(value: str, shared: bool) -> None:
    row = {
        "kind": "profile", "content": "杭州的验收改到2026-03-20", "entity_key": "杭州的验收",
        "concept_key": "日期", "value": "2026-03-20",
    }  # fmt: skip
    note = {
        "kind": "profile", "content": "The check in Hangzhou is on 2026-03-20", "entity_key": "check",
        "concept_key": "date", "value": value,
    }  # fmt: skip

    assert share(note, row) is shared


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("entity", "content", "shared"),
    [
        ("team", "No tile leaves the hall without a stamp.", True),
        ("tile", "No tile leaves the hall without a stamp.", False),
    ],
)
def test_a_rule_of_nobody_named_has_no_key_to_part_it(entity: str, content: str, shared: bool) -> None:
    rule = {"kind": "invariant", "concept_key": "rule"}
    note = rule | {"content": content, "entity_key": entity, "value": content.lower().rstrip(".")}
    row = rule | {"content": "Tiles always go out stamped.", "entity_key": "goods", "value": "stamped"}

    assert share(note, row) is shared


def test_a_note_without_an_entity_is_parted_by_none() -> None:
    row = {"content": PRESS, "entity_key": "press"}

    assert share({"content": TOLD}, row)
    assert not has_other_key(candidate(TOLD).draft, neighbour(**row))


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("said", "again"),
    [
        (TOLD, True),
        (TOLD.replace("900", "901"), False),
        (TOLD.replace("Mirko", "Jonas"), False),
        (TOLD.replace("08:12", "08:13"), False),
        (TOLD.replace("was through", "was not through"), False),
        ("The press looks good, says Mirko.", False),
    ],
)
def test_under_another_key_two_particulars_in_common_and_nothing_new_are_needed(
    said: str, again: bool
) -> None:
    row = neighbour(PRESS, "episode", similarity=0.3, entity_key="sheets", **TALK)

    decision = decide(candidate(said, "episode", entity_key="press", **TALK), [row])

    assert (decision.action is Action.REINFORCE) is again


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("kind", "said", "again"),
    [
        ("profile", "sheet press=Heron width=72 city=Odense", True),
        ("profile", "sheet press=Heron width=73 city=Odense", False),
        ("profile", "sheet press=Wren width=72 city=Odense", False),
        ("finding", "sheet press=Heron width=72 city=Odense", False),
    ],
)
def test_what_a_tool_reads_verifies_a_state_and_no_finding(kind: str, said: str, again: bool) -> None:
    row = neighbour(
        "The sheet press in Odense is a Heron of width 72, the city pays.", kind, similarity=0.5,
        entity_key="press", concept_key="model", value="heron", **TALK,
    )  # fmt: skip

    decision = decide(candidate(said, "episode", provenance="measured", entity_key="press", **TALK), [row])

    assert (decision.action, SAID_AGAIN in decision.reason) == (
        (Action.REINFORCE, True) if again else (Action.CREATE, False)
    )
