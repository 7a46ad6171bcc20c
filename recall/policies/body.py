"""A recall policy as JSON: complete, checked to the last field, and named by its hash."""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from recall.channels import KNOWN_CHANNELS
from recall.policies.policy import RANGES, Channel, RecallPolicy
from recall.ranking import INTEREST_WINDOWS, Weights

FUSIONS: Final = ("scores", "ranks")

WHOLE_NUMBERS: Final = ("rank_offset", "k", "pool", "rare_below", "probe_every", "interest_days")
SHARES: Final = (
    "neighbour_share", "layer_boost", "standing_boost", "named_boost", "slow_ms", "deep_below",
    "explore_loss", "verdict_spread", "interest_boost",
)  # fmt: skip
FLAGS: Final = ("explores", "instructs")
FIELDS: Final = ("channels", "fusion", "weights", *WHOLE_NUMBERS, *SHARES, *FLAGS)
"""What a body has, all of it; name and version stand beside it."""

LIMITS: Final[Mapping[str, tuple[float, float]]] = {name: (low, high) for name, low, high in RANGES} | {
    "depth": (1, 1000),
    "weight": (0, 100),
}
"""
Lowest and highest value of each number. A channel brings at most what the largest pool holds; a voice of 100
drowns all others, and more would say no more. Both ours.
"""

WEIGHTS: Final = tuple(field.name for field in fields(Weights))

LATER: Final[Mapping[str, Any]] = {
    "explore_loss": 0.0, "verdict_spread": 0.0, "interest_boost": 0.0, "interest_days": 30,
}  # fmt: skip
"""
Fields that came after bodies were stored, each with the value that ranks as the service did before it had the
field: a version means for ever what it meant when it was proven.
"""


class BadPolicy(ValueError):
    """A policy's body cannot be taken; `field` says where, such as «channels.0.depth», `message` why."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field} {message}")
        self.field = field
        self.message = message


def parse_body(body: Mapping[str, Any], *, name: str = "draft", version: int = 1) -> RecallPolicy:
    """
    Return the policy that a complete body describes.

    Raises BadPolicy for a field that is unknown, missing, of another type, or out of its range.
    """
    body = {**LATER, **body} if isinstance(body, Mapping) else body
    _require_fields(body, FIELDS, at="")
    if body["interest_days"] not in INTEREST_WINDOWS:
        raise BadPolicy("interest_days", "must be 7, 30 or 90")
    parts: dict[str, Any] = {
        "channels": _channels(body["channels"]),
        "fusion": _fusion(body["fusion"]),
        "weights": _weights(body["weights"]),
        **{one: _whole(body[one], one, one) for one in WHOLE_NUMBERS},
        **{one: _number(body[one], one, one) for one in SHARES},
        **{one: _flag(body[one], one) for one in FLAGS},
    }
    try:
        return RecallPolicy(name=name, version=version, **parts)
    except ValueError as error:
        # Every field by itself is sound: it is one of the two rules that join some.
        raise BadPolicy("k" if parts["k"] > parts["pool"] else "channels", str(error)) from error


def dump_body(policy: RecallPolicy) -> dict[str, Any]:
    """Return the complete body of a policy; `parse_body` returns an equal policy."""
    return {
        "channels": [
            {"name": one.name, "depth": one.depth, "weight": float(one.weight)} for one in policy.channels
        ],
        "fusion": policy.fusion,
        "weights": {name: float(getattr(policy.weights, name)) for name in WEIGHTS},
        **{name: int(getattr(policy, name)) for name in WHOLE_NUMBERS},
        **{name: float(getattr(policy, name)) for name in SHARES},
        **{name: bool(getattr(policy, name)) for name in FLAGS},
    }


def body_hash(policy: RecallPolicy) -> str:
    """Return the SHA-256 of the body, in hexadecimal: equal if and only if the two rank alike."""
    plain = json.dumps(dump_body(policy), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()


def change_body(base: RecallPolicy, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the base's body with the fields changed: weights one by one, channels as a whole."""
    body = dump_body(base)
    if isinstance(changes.get("weights"), Mapping):
        changes = {**changes, "weights": {**body["weights"], **changes["weights"]}}
    return {**body, **changes}


def _require_fields(given: Any, names: Sequence[str], *, at: str) -> None:
    if not isinstance(given, Mapping):
        raise BadPolicy(at or "body", "must be an object")
    for name in given:
        if name not in names:
            raise BadPolicy(f"{at}.{name}" if at else str(name), "is no field of a policy")
    for name in names:
        if name not in given:
            raise BadPolicy(f"{at}.{name}" if at else name, "is missing")


def _channels(given: Any) -> tuple[Channel, ...]:
    if not isinstance(given, list | tuple):
        raise BadPolicy("channels", "must be a list")
    return tuple(_channel(one, f"channels.{place}") for place, one in enumerate(given))


def _channel(given: Any, at: str) -> Channel:
    _require_fields(given, ("name", "depth", "weight"), at=at)
    if not isinstance(given["name"], str) or given["name"] not in KNOWN_CHANNELS:
        raise BadPolicy(f"{at}.name", f"must be one of {', '.join(KNOWN_CHANNELS)}")
    return Channel(
        name=given["name"],
        depth=_whole(given["depth"], "depth", f"{at}.depth"),
        weight=_number(given["weight"], "weight", f"{at}.weight"),
    )


def _fusion(given: Any) -> Any:
    if not isinstance(given, str) or given not in FUSIONS:
        raise BadPolicy("fusion", f"must be one of {', '.join(FUSIONS)}")
    return given


def _weights(given: Any) -> Weights:
    _require_fields(given, WEIGHTS, at="weights")
    parts = {name: _number(given[name], "share", f"weights.{name}") for name in WEIGHTS}
    try:
        return Weights(**parts)
    except ValueError as error:
        raise BadPolicy("weights", str(error)) from error


def _whole(given: Any, limit: str, at: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int):
        raise BadPolicy(at, "must be a whole number")
    return int(_within(given, limit, at))


def _number(given: Any, limit: str, at: str) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise BadPolicy(at, "must be a number")
    return float(_within(given, limit, at))


def _within(given: float, limit: str, at: str) -> float:
    low, high = LIMITS.get(limit, (0, 1))
    if not low <= given <= high:
        raise BadPolicy(at, f"must lie between {low:g} and {high:g}")
    return given


def _flag(given: Any, at: str) -> bool:
    if not isinstance(given, bool):
        raise BadPolicy(at, "must be true or false")
    return given
