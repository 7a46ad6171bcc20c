"""Whose state a change means that does not name it whole."""

from datetime import timedelta
from typing import Any

import pytest

from memories.candidates.candidate import Draft, Neighbour
from memories.reconciliation.subject_resolution import find_owner, former_values
from tests.unit.memories.rows import MARCH, audience, candidate, neighbour

KITE = {"entity_key": "red kite", "concept_key": "launch_date", "value": "2026-04-14"}


def change(content: str, entity: str, concept: str, value: str, **given: Any) -> Draft:
    plain = {"cardinality": "single", "change": "explicit", "effective_at": MARCH}
    keys = {"entity_key": entity, "concept_key": concept, "value": value}
    return candidate(content, "working_state", **keys | plain | given).draft


def known(entity: str, concept: str, value: str, content: str = "", **given: Any) -> Neighbour:
    keys = {"entity_key": entity, "concept_key": concept, "value": value, "cardinality": "single"}
    said = {"effective_at": MARCH - timedelta(days=40)}
    return neighbour(content or f"{entity} {value}", "working_state", **keys | said | given)


def keys_of(draft: Draft) -> tuple[str | None, str | None]:
    return draft.entity_key, draft.concept_key


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("draft", "near"),
    [
        (
            change("The launch moves to 2026-05-02.", "launch", "launch_date", "2026-05-02"),
            known("red kite", "launch_date", "2026-04-14"),
        ),
        (
            change(
                "Minimum order is 40 crates.", "minimum order", "amount", "40 crates", change="correction"
            ),
            known("olive press", "minimum_order", "50 crates"),
        ),
        (
            change("Pump warranty changes: it is 36 months.", "pump warranty", "amount", "36 months"),
            known("pumps", "warranty", "24 months"),
        ),
        (
            change("The gear box price is now 90 euros.", "gear box", "price", "90 euros"),
            known("mistral gear box", "price", "84 euros"),
        ),
        (
            change("电流上限改为16 A", "电流", "limit", "16 a"),
            known("电机电流", "limit", "18 a"),
        ),
        (
            change("The deposit of the fair is now 90 euros.", "fair deposit", "amount", "90 euros"),
            known("fair", "security_deposit", "80 euros"),
        ),
        (
            change("The trial has been pushed to 2026-05-02.", "trial", "date", "2026-05-02"),
            known("trial", "start", "2026-04-20"),
        ),
        (
            change("Corvo was replaced by Brisa.", "corvo", "replaced_by", "brisa"),
            known("island", "carrier", "corvo"),
        ),
        (
            change("Dora Lind has moved to Malmö", "dora lind", "residence", "malmö"),
            known("dora", "residence", "lund"),
        ),
    ],
)
def test_what_everybody_knows_may_be_left_out(draft: Draft, near: Neighbour) -> None:
    found = find_owner(draft, [near, known("harbour crane", "owner", "rita")])

    assert keys_of(found) == (near.entity_key, near.concept_key)


@pytest.mark.spec("W-11")
@pytest.mark.parametrize(
    ("draft", "near"),
    [
        (
            change(
                "Our island parcels go with Brisa instead of Corvo.", "island parcels", "go_with", "brisa"
            ),
            known("island", "standard_carrier", "corvo"),
        ),
        (
            change(
                "The signature limit is 7,500 euros instead of 10,000", "signature", "limit", "7,500 euros"
            ),
            known("purchase", "cap", "10,000 euros", "A purchase above 10,000 euros needs a signature."),
        ),
        (
            change("杭州电池现在要求45天付款，不再接受60天", "杭州电池", "payment_terms", "45天"),
            known("hangzhou battery", "payment_terms", "60 days"),
        ),
    ],
)
def test_the_value_that_is_over_tells_which_state_is_meant(draft: Draft, near: Neighbour) -> None:
    found = find_owner(draft, [near, known("harbour crane", "payment_terms", "30 days")])

    assert keys_of(found) == (near.entity_key, near.concept_key)


@pytest.mark.parametrize(
    ("draft", "near"),
    [
        pytest.param(
            change("The launch is on 2026-05-02.", "launch", "launch_date", "2026-05-02", change="none"),
            known(*KITE.values()),
            id="no change is told",
        ),
        pytest.param(
            change("The launch moves to Faro.", "launch", "launch_date", "faro"),
            known(*KITE.values()),
            id="a value of another shape",
        ),
        pytest.param(
            change("The launch moves to 2026-05-02.", "launch", "launch_date", "2026-05-02"),
            known(*KITE.values(), audience=audience(project_id=audience().agent_id)),
            id="another project's",
        ),
        pytest.param(
            change("The launch moves to 2026-05-02.", "launch", "launch_date", "2026-05-02"),
            known(*KITE.values(), standing=1),
            id="a contender",
        ),
        pytest.param(
            change("The launch time moves to 2026-05-02.", "launch", "launch_time", "2026-05-02"),
            known(*KITE.values()),
            id="an attribute of another type",
        ),
        pytest.param(
            change("The mayor of London is now Kim Park.", "london", "mayor", "kim park"),
            known("east london", "mayor", "lee shaw"),
            id="a name within a name",
        ),
        pytest.param(
            change("Anna moved from Bern to Basel", "anna", "residence", "basel"),
            known("ben", "residence", "bern"),
            id="somebody else's former value",
        ),
        pytest.param(
            change("The user moved to Basel", "user", "residence", "basel"),
            known("ben", "residence", "bern"),
            id="the speaker is somebody",
        ),
    ],
)
def test_an_owner_is_not_made_up(draft: Draft, near: Neighbour) -> None:
    assert find_owner(draft, [near]) is draft


def test_where_two_have_it_nobody_is_meant() -> None:
    draft = change("The launch moves to 2026-05-02.", "launch", "launch_date", "2026-05-02")

    assert find_owner(draft, [known(*KITE.values()), known("teal", "launch_date", "2026-06-01")]) is draft


def test_of_two_the_one_with_the_former_value_is_meant() -> None:
    draft = change("The launch moves from 2026-04-14 to 2026-05-02.", "launch", "launch_date", "2026-05-02")

    found = find_owner(draft, [known(*KITE.values()), known("teal", "launch_date", "2026-06-01")])

    assert keys_of(found) == ("red kite", "launch_date")


@pytest.mark.parametrize(
    ("content", "told"), [("The fair is in Braga, not Porto.", "explicit"), ("The fair is in Braga.", "none")]
)
def test_who_says_that_a_value_is_over_tells_a_change(content: str, told: str) -> None:
    draft = change(content, "fair", "location", "braga", change="none")

    assert find_owner(draft, [known("fair", "location", "porto")]).change == told


def test_a_state_under_its_own_keys_needs_no_owner() -> None:
    draft = change("The launch moves to 2026-05-02.", "launch", "launch_date", "2026-05-02")

    assert find_owner(draft, [known(*KITE.values()), known("launch", "launch_date", "soon")]) is draft


@pytest.mark.parametrize(
    ("text", "former"),
    [
        ("The limit is 7,500 euros instead of 10,000, they asked.", ("10,000",)),
        ("It moves from 12 to 14 May.", ("12",)),
        ("It sells 40, no longer 50.", ("50",)),
        ("单价从212改为205", ("212",)),
        ("现在要求45天付款，不再接受60天。", ("60天",)),
        ("Nothing has changed.", ()),
    ],
)
def test_the_former_value_is_read_off_the_sentence(text: str, former: tuple[str, ...]) -> None:
    assert former_values(text) == former
