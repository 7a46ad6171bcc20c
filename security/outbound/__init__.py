"""Requests to addresses that callers wrote down: where they may go, and how they are sent (SPEC I-04)."""

from security.outbound.addresses import (
    BadAddress,
    Network,
    RefusedAddress,
    Target,
    may_be_reached,
    read_networks,
    read_target,
)
from security.outbound.sending import PostResult, SendFailed, post, trusted_authorities

__all__ = [
    "BadAddress",
    "Network",
    "PostResult",
    "RefusedAddress",
    "SendFailed",
    "Target",
    "may_be_reached",
    "post",
    "read_networks",
    "read_target",
    "trusted_authorities",
]
