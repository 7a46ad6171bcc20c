"""Recall policies: SPEC's numbers by default, and refusals that say what to do."""

from dataclasses import FrozenInstanceError, replace

import pytest

from recall.policies.policy import (
    DEFAULT,
    PARTS,
    PLAIN_RRF,
    Channel,
    NoChannelLeft,
    NoFactorLeft,
    UnknownPolicy,
    get_policy,
)
from recall.ranking.formulas import FIVE, Weights


@pytest.mark.spec("R-01", "R-02", "R-03")
def test_the_default_policy_holds_the_numbers_of_the_rules() -> None:
    assert [(channel.name, channel.depth) for channel in DEFAULT.channels] == [
        ("semantic", 20),
        ("lexical", 20),
        ("tag", 60),
        ("fuzzy", 20),
        ("time", 100),
        ("graph", 30),
    ]
    assert (DEFAULT.fusion, DEFAULT.rank_offset, DEFAULT.k, DEFAULT.pool) == ("scores", 60, 5, 100)
    assert (DEFAULT.explores, DEFAULT.rare_below) == (True, 5)
    assert (DEFAULT.slow_ms, DEFAULT.probe_every) == (150.0, 100)
    assert (DEFAULT.neighbour_share, DEFAULT.layer_boost, DEFAULT.deep_below) == (0.3, 1.05, 0.50)
    assert DEFAULT.weights == Weights()


def test_the_plain_baseline_is_rank_fusion_and_nothing_else() -> None:
    assert (PLAIN_RRF.fusion, PLAIN_RRF.explores, PLAIN_RRF.neighbour_share) == ("ranks", False, 0.0)
    assert PLAIN_RRF.weights.effective() == {
        "semantic": 0.0,
        "keyword": 0.0,
        "usefulness": 0.0,
        "importance": 0.0,
        "recency": 0.0,
        "fused": 1.0,
    }


def test_a_policy_is_found_by_its_name_and_cannot_be_changed() -> None:
    assert get_policy("default") is DEFAULT
    assert get_policy("plain-rrf") is PLAIN_RRF
    with pytest.raises(FrozenInstanceError):
        DEFAULT.k = 6  # type: ignore[misc]


def test_an_unknown_policy_is_refused_with_what_to_do() -> None:
    with pytest.raises(UnknownPolicy, match=r"Choose one that `recall\.policies\.POLICIES` lists"):
        get_policy("clever")


def test_a_policy_can_be_narrowed_to_some_of_its_channels() -> None:
    assert DEFAULT.only({"lexical"}).channels == (Channel(name="lexical"),)
    with pytest.raises(NoChannelLeft, match="none of the channels asked for"):
        PLAIN_RRF.only({"graph"})


def test_parts_of_the_score_can_be_left_out_and_the_others_keep_their_proportions() -> None:
    policy = DEFAULT.leaving_out({"keyword", "fused", "neighbours", "layer", "exploration"})

    assert policy.weights.effective() == pytest.approx(
        {
            "semantic": 0.40 / 0.85,
            "keyword": 0.0,
            "usefulness": 0.15 / 0.85,
            "importance": 0.15 / 0.85,
            "recency": 0.15 / 0.85,
            "fused": 0.0,
        }
    )
    assert (policy.neighbour_share, policy.layer_boost, policy.explores) == (0.0, 1.0, False)
    assert policy.label == "default@1-keyword-fused-neighbours-layer-exploration"
    assert DEFAULT.label == "default@1"


def test_each_part_can_be_left_out_by_itself_and_changes_the_policy() -> None:
    whole = replace(DEFAULT, interest_boost=0.2)  # off in the default: nothing would be left out of it
    without = [replace(whole.leaving_out({part}), left_out=()) for part in PARTS]

    assert whole not in without
    assert len(set(map(str, without))) == len(PARTS)


def test_not_all_five_factors_can_be_left_out() -> None:
    with pytest.raises(NoFactorLeft, match="Keep at least one"):
        DEFAULT.leaving_out(FIVE)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"channels": ()}, "A recall policy needs at least one channel, each at most once."),
        (
            {"channels": (Channel(name="tag"), Channel(name="tag"))},
            "A recall policy needs at least one channel, each at most once.",
        ),
        ({"channels": (Channel(name="tag", weight=0),)}, "At least one channel needs a weight above 0."),
        ({"fusion": "magic"}, "Fusion is either 'scores' or 'ranks', not 'magic'."),
        ({"k": 0}, "Set k to a value from 1 to 100."),
        ({"k": 101}, "Set k to a value from 1 to 100."),
        ({"pool": 3}, "A pool of 3 cannot fill 5 places; make pool at least k."),
        ({"neighbour_share": 1.5}, "Set neighbour_share to a value from 0 to 1."),
        ({"layer_boost": 0.9}, "Set layer_boost to a value from 1 to 2."),
        ({"deep_below": float("nan")}, "Set deep_below to a value from 0 to 1."),
        ({"rank_offset": 0}, "Set rank_offset to a value from 1 to 1000."),
        ({"version": 0}, "Set version to a value from 1 to 1e+06."),
    ],
)
def test_numbers_out_of_range_are_refused_with_what_to_do(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError) as refusal:
        replace(DEFAULT, **change)  # type: ignore[arg-type]
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("channel", "message"),
    [
        (
            {"name": "smell"},
            "There is no channel 'smell'; choose from semantic, lexical, tag, fuzzy, time, graph.",
        ),
        (
            {"name": "tag", "depth": 0},
            "Channel tag needs a depth of at least 1; leave it out to switch it off.",
        ),
        ({"name": "tag", "weight": -1}, "Channel tag needs a weight of at least 0."),
    ],
)
def test_a_channel_that_cannot_be_is_refused_with_what_to_do(
    channel: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError) as refusal:
        Channel(**channel)  # type: ignore[arg-type]
    assert str(refusal.value) == message
