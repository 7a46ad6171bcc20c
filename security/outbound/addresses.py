"""
Which addresses callers may send the service to. Pure: no network, no settings.

# Note [What counts is where a connection goes]
A name is nothing to go by: it may point at this machine, or do so only at the second look. So a host is
resolved once, each address that came is judged, and the connection is made to that very address. Spellings
such as 2130706433 or 0x7f.1 need no rule of their own: the resolver turns them into what they mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Final
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

PORTS: Final = frozenset({443, 8443})
"""Those of HTTPS. Elsewhere listens what is no webhook: databases, mail, caches."""

LONGEST_URL: Final = 2_000

_EMBEDS_IPV4: Final = (
    (IPv6Network("64:ff9b::/96"), 0),  # NAT64, RFC 6052: the last 32 bits
    (IPv6Network("::/96"), 0),  # IPv4-compatible, RFC 4291, 2.5.5.1
    (IPv6Network("2002::/16"), 80),  # 6to4, RFC 3056: bits 16 to 47
)
"""Networks whose addresses stand for an IPv4 address, and how far that is from their right end, in bits."""

_NEVER: Final = (
    IPv6Network("64:ff9b:1::/48"),  # NAT64 of one's own network, RFC 8215
    IPv6Network("fec0::/10"),  # site-local, RFC 3879
    IPv6Network("5f00::/16"),  # segment routing, RFC 9602
    IPv4Network("192.88.99.0/24"),  # 6to4 relays, RFC 7526
)
"""Inside or nowhere, though the standard library calls them global."""


class BadAddress(ValueError):
    """Not an address that a request could go to; the message says what to write instead."""


class RefusedAddress(Exception):
    """The host leads to where the service is not sent by others: inside, or nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An address as it was written, taken apart."""

    url: str
    host: str
    port: int
    is_secure: bool


def read_networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Return networks in CIDR form. Raises ValueError."""
    return tuple(ip_network(text) for text in texts)


def read_target(url: str, *, inside: bool) -> Target:
    """
    Take an address apart. Raises BadAddress.

    inside: whether there are networks of the operator's own that requests may go to; only there HTTP without
    TLS and other ports can be meant, which is judged once more where the connection goes.
    """
    if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise BadAddress(f"Use at most {LONGEST_URL} visible ASCII characters; write a host as xn--….")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as bad:
        raise BadAddress("This is no address.") from bad
    if parts.scheme != "https" and not (inside and parts.scheme == "http"):
        raise BadAddress("Use https.")
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise BadAddress("Leave the user out of the address.")
    if "#" in url or "\\" in url:
        raise BadAddress("Leave out # and backslashes.")
    if not host:
        raise BadAddress("Name a host.")
    port = port if port is not None else 443 if parts.scheme == "https" else 80
    if port not in PORTS and not inside:
        raise BadAddress(f"Use port {' or '.join(map(str, sorted(PORTS)))}.")
    return Target(url=url, host=host, port=port, is_secure=parts.scheme == "https")


def may_be_reached(address: str, target: Target, networks: Iterable[Network]) -> bool:
    """Return whether a request to the target may go to this address, which its host has."""
    try:
        one = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    meant = list(_meanings(one))
    if any(found in network for network in networks for found in meant if found.version == network.version):
        return True
    return target.is_secure and target.port in PORTS and all(map(_is_public, meant))


def _meanings(address: Address) -> Iterator[Address]:
    """Yield the address, and the IPv4 address that it stands for, if it does."""
    if isinstance(address, IPv4Address):
        yield address
        return
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
        return
    yield address
    for network, shift in _EMBEDS_IPV4:
        if address in network:
            yield IPv4Address((int(address) >> shift) & 0xFFFF_FFFF)


def _is_public(address: Address) -> bool:
    never = any(address.version == network.version and address in network for network in _NEVER)
    return address.is_global and not address.is_multicast and not address.is_reserved and not never
