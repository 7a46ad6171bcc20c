"""A policy as JSON: what is written is read back the same, and what is wrong is named where it stands."""

import json
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.channels.registry import KNOWN_CHANNELS
from recall.policies.body import (
    FIELDS,
    FLAGS,
    LATER,
    LIMITS,
    SHARES,
    WHOLE_NUMBERS,
    BadPolicy,
    body_hash,
    change_body,
    dump_body,
    parse_body,
)
from recall.policies.policy import DEFAULT, POLICIES, Channel, RecallPolicy
from recall.ranking import INTEREST_WINDOWS
from recall.ranking.formulas import FIVE, Weights

pytestmark = pytest.mark.spec("R-03")


def numbers(name: str) -> st.SearchStrategy[float]:
    low, high = LIMITS[name]
    return st.floats(low, high, allow_nan=False)


def whole(name: str) -> st.SearchStrategy[int]:
    low, high = LIMITS[name]
    return st.integers(int(low), int(high))


def scaled(shares: list[int]) -> dict[str, float]:
    return {name: share / sum(shares) for name, share in zip(FIVE, shares, strict=True)}


channels = st.lists(
    st.builds(Channel, name=st.sampled_from(KNOWN_CHANNELS), depth=whole("depth"), weight=numbers("weight")),
    min_size=1,
    unique_by=lambda channel: channel.name,
).filter(lambda drawn: sum(one.weight for one in drawn) > 0)

weights = st.builds(
    lambda shares, fused: Weights(**scaled(shares), fused=fused),
    st.lists(st.integers(1, 50), min_size=5, max_size=5),
    st.floats(0, 1),
)

policies = st.builds(
    lambda channels, **parts: RecallPolicy(
        name="drawn", version=7, channels=tuple(channels), **{**parts, "k": min(parts["k"], parts["pool"])}
    ),
    channels,
    fusion=st.sampled_from(["scores", "ranks"]),
    weights=weights,
    **{name: whole(name) for name in WHOLE_NUMBERS} | {"interest_days": st.sampled_from(INTEREST_WINDOWS)},
    **{name: numbers(name) for name in SHARES},
    **{name: st.booleans() for name in FLAGS},
)


@given(policies)
def test_what_is_written_is_read_back_the_same(policy: RecallPolicy) -> None:
    sent = json.loads(json.dumps(dump_body(policy)))

    assert parse_body(sent, name="drawn", version=7) == policy
    assert body_hash(parse_body(sent)) == body_hash(policy)


@given(policies, policies)
def test_two_policies_have_one_hash_only_if_they_rank_alike(one: RecallPolicy, other: RecallPolicy) -> None:
    assert (body_hash(one) == body_hash(other)) == (dump_body(one) == dump_body(other))


def test_a_body_holds_everything_of_a_policy_but_its_name() -> None:
    known = {field.name for field in fields(RecallPolicy)} - {"name", "version", "left_out"}

    assert set(FIELDS) == known == dump_body(DEFAULT).keys()


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES.keys())
def test_the_built_in_policies_can_be_written(policy: RecallPolicy) -> None:
    assert parse_body(dump_body(policy), name=policy.name) == policy


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"colour": "red"}, "colour", "is no field of a policy"),
        ({"k": None}, "k", "must be a whole number"),
        ({"k": True}, "k", "must be a whole number"),
        ({"k": 2.0}, "k", "must be a whole number"),
        ({"k": 0}, "k", "must lie between 1 and 100"),
        ({"pool": 4}, "k", "A pool of 4 cannot fill 5 places; make pool at least k."),
        ({"layer_boost": "1.1"}, "layer_boost", "must be a number"),
        ({"layer_boost": float("nan")}, "layer_boost", "must be a number"),
        ({"layer_boost": 0.99}, "layer_boost", "must lie between 1 and 2"),
        ({"explores": 1}, "explores", "must be true or false"),
        ({"fusion": "votes"}, "fusion", "must be one of scores, ranks"),
        ({"fusion": ["scores"]}, "fusion", "must be one of scores, ranks"),
        ({"weights": 1}, "weights", "must be an object"),
        ({"weights": {"luck": 0.1}}, "weights.luck", "is no field of a policy"),
        ({"weights": {"semantic": 1.5}}, "weights.semantic", "must lie between 0 and 1"),
        (
            {"weights": {"semantic": 0.5}},
            "weights",
            "The five factors' weights make 1.1; scale them to make 1.",
        ),
        ({"channels": {}}, "channels", "must be a list"),
        ({"channels": []}, "channels", "A recall policy needs at least one channel, each at most once."),
        ({"channels": [{"name": "tag", "depth": 3}]}, "channels.0.weight", "is missing"),
        (
            {"channels": [{"name": "tag", "depth": 1001, "weight": 1}]},
            "channels.0.depth",
            "must lie between 1 and 1000",
        ),
        (
            {"channels": [{"name": "rumour", "depth": 3, "weight": 1}]},
            "channels.0.name",
            "must be one of semantic, lexical, tag, fuzzy, time, graph",
        ),
        (
            {"channels": [{"name": "tag", "depth": 3, "weight": 0}]},
            "channels",
            "At least one channel needs a weight above 0.",
        ),
    ],
)
def test_what_is_wrong_is_named_where_it_stands(changes: Any, field: str, message: str) -> None:
    with pytest.raises(BadPolicy) as refused:
        parse_body(change_body(DEFAULT, changes))

    assert (refused.value.field, refused.value.message) == (field, message)


def test_a_body_stored_before_a_field_was_there_ranks_as_it_did() -> None:
    body = {name: value for name, value in dump_body(DEFAULT).items() if name not in LATER}

    assert parse_body(body).explore_loss == 0


@pytest.mark.parametrize("missing", sorted(set(FIELDS) - set(LATER)))
def test_a_body_without_one_of_its_fields_is_refused(missing: str) -> None:
    body = {name: value for name, value in dump_body(DEFAULT).items() if name != missing}

    with pytest.raises(BadPolicy, match=f"{missing} is missing"):
        parse_body(body)


def test_a_change_leaves_everything_else_as_it_is() -> None:
    changed = parse_body(change_body(DEFAULT, {"k": 8, "weights": {"fused": 0.3}}), name="default")

    assert changed == replace(DEFAULT, k=8, weights=replace(DEFAULT.weights, fused=0.3))
