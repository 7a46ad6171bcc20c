"""Chains of changes: made the same for a seed, and worded so that each statement tells its relation."""

from itertools import pairwise

import pytest

from bench.remembering.chains import (
    FULL,
    QUICK,
    Chain,
    Outcome,
    is_complete,
    is_right,
    make_chains,
    make_turns,
)
from bench.remembering.chains_words import TOPICS, Topic
from memories.llms.rules import read_relation
from memories.llms.rules.keys import entity_of, value_of


def test_a_seed_makes_the_same_chains_again() -> None:
    assert make_chains(FULL, seed=3) == make_chains(FULL, seed=3)
    assert make_chains(FULL, seed=3) != make_chains(FULL, seed=4)


@pytest.mark.parametrize("seed", range(20))
def test_every_chain_changes_one_to_eight_times_and_never_to_what_it_was(seed: int) -> None:
    for chain in make_chains(FULL, seed=seed):
        assert 2 <= len(chain.values) == len(chain.statements) == len(chain.places) <= 9
        assert all(one != other for one, other in pairwise(chain.values))
        assert list(chain.places) == sorted(chain.places)


@pytest.mark.parametrize("seed", range(20))
def test_no_two_chains_speak_at_one_turn_or_of_one_thing(seed: int) -> None:
    chains = make_chains(FULL, seed=seed)
    places = [(chain.project, place) for chain in chains for place in chain.places]
    things = [(chain.project, chain.entity, chain.topic.concept) for chain in chains]

    assert len(set(places)) == len(places)
    assert len(set(things)) == len(things)


def test_the_turns_of_a_project_hold_every_statement_at_its_place_by_increasing_clock() -> None:
    chains = make_chains(QUICK, seed=1)

    turns = list(make_turns(chains, "chains-1", QUICK, seed=1))

    assert len(turns) == QUICK.turns
    for chain in chains:
        assert tuple(turns[place][1]["text"] for place in chain.places) == chain.statements
    clocks = [body["clock"] for _, body in turns]
    assert clocks == sorted(set(clocks))


def _topic() -> Topic:
    return Topic(concept="capital", entities=("Tavoy",), values=("Cork", "Graz"), plain=("",), changed=("",))


@pytest.mark.parametrize(
    ("current", "history", "right", "complete"),
    [
        (("graz",), ("cork", "graz"), True, True),
        (("cork",), ("cork",), False, False),
        (("graz", "cork"), ("cork", "graz"), False, True),
        (("graz",), ("graz",), True, False),
        ((), (), False, False),
    ],
)
def test_a_chain_is_judged_by_what_holds_and_by_its_whole_past(
    current: tuple[str, ...], history: tuple[str, ...], right: bool, complete: bool
) -> None:
    chain = Chain(
        project="p",
        topic=_topic(),
        entity="Tavoy",
        values=("Cork", "Graz"),
        statements=("a", "b"),
        places=(0, 1),
    )
    outcome = Outcome(current=current, history=history)

    assert (is_right(chain, outcome), is_complete(chain, outcome)) == (right, complete)


WORDINGS = [(topic, form) for topic in TOPICS for form in (*topic.plain, *topic.changed)]


@pytest.mark.parametrize(("topic", "form"), WORDINGS)
def test_every_wording_tells_the_relation_of_its_topic(topic: Topic, form: str) -> None:
    entity, before, value = topic.entities[0], topic.values[1], topic.values[0]

    relation = read_relation(form.format(s=entity, o=value, p=before))

    assert relation is not None
    told = (
        entity_of(relation.entity, speaker="mara"), relation.concept, value_of(relation.value, speaker="mara")
    )  # fmt: skip
    assert told == (entity.casefold(), topic.concept, value.casefold())
