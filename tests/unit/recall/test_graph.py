"""The graph's numbers and its voice (SPEC R-09)."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.models.link import LINK_TYPES
from recall.channels.graph import EDGES, MENTION, SEED_VOICES, TRIPLE, graph_parameters, shared_weight
from recall.policies.policy import DEFAULT
from recall.ranking.fusion import add_evidence

PARTS = st.floats(0.0, 1.0)


def test_every_edge_is_of_a_known_type_and_worth_no_more_than_the_find() -> None:
    worth = [weight for edge in EDGES.values() for weight in (edge.out, edge.into)]

    assert set(EDGES) <= set(LINK_TYPES)
    assert 0.0 <= min(worth) <= max(worth) <= 1.0
    assert 0.0 < MENTION <= TRIPLE <= 1.0


@pytest.mark.spec("R-09")
def test_a_successor_is_worth_most_likeness_least_and_a_contradiction_nothing() -> None:
    worth = {name: max(edge.out, edge.into) for name, edge in EDGES.items()}

    assert max(worth, key=lambda name: worth[name]) == "supersedes"
    assert min(worth, key=lambda name: worth[name]) == "related_to"
    assert EDGES["supersedes"].out == 0.0
    assert not {"contradicts", "precedes", "follows"} & set(EDGES)


@pytest.mark.parametrize(("fan", "weight"), [(0, 0.8), (1, 0.8), (4, 0.4), (16, 0.2)])
def test_what_an_entity_lends_is_shared_by_all_it_leads_to(fan: int, weight: float) -> None:
    assert shared_weight(0.8, fan) == pytest.approx(weight)
    assert shared_weight(0.8, fan + 1) <= shared_weight(0.8, fan) == 0.8 / sqrt(max(fan, 1))


def test_seeds_are_chosen_with_the_voices_of_the_default_policy() -> None:
    voices = {channel.name: channel.weight for channel in DEFAULT.channels if channel.name != "graph"}

    assert voices == SEED_VOICES


def test_the_parameters_are_a_copy_that_nobody_can_spoil() -> None:
    taken = graph_parameters(None)  # type: ignore[arg-type]
    taken["graph_seeds"] = 0

    assert graph_parameters(None)["graph_seeds"] == 5  # type: ignore[arg-type]


def test_evidence_closes_a_part_of_what_is_missing() -> None:
    raised = add_evidence([0.0, 0.5, 1.0, 0.5], [0.8, 0.8, 0.8, np.nan], voice=0.5)

    assert raised.tolist() == pytest.approx([0.4, 0.7, 1.0, 0.5])


@given(own=PARTS, other=PARTS, score=PARTS, more=PARTS, voice=st.floats(0.0, 3.0))
def test_evidence_is_bounded_monotone_neutral_when_missing_and_knows_no_neighbour(
    own: float, other: float, score: float, more: float, voice: float
) -> None:
    [raised, missing] = add_evidence([own, other], [score, np.nan], voice=voice).tolist()
    [higher] = add_evidence([own], [max(score, more)], voice=voice).tolist()

    assert missing == other
    assert own <= raised <= higher <= 1.0
    assert add_evidence([other, own], [np.nan, score], voice=voice).tolist() == [missing, raised]


@pytest.mark.spec("R-01")
@given(seed=PARTS, edge=PARTS, voice=st.floats(0.0, 3.0))
def test_a_hit_with_nothing_of_its_own_never_stands_above_its_seed(
    seed: float, edge: float, voice: float
) -> None:
    [first, hit] = add_evidence([seed, 0.0], [np.nan, seed * edge], voice=voice).tolist()

    assert hit <= first
