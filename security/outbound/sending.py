"""Send a request to a caller's address: resolved once, judged, connected to just that, ended in time."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import httpcore2
import httpx2

from security.outbound.addresses import Network, RefusedAddress, Target, may_be_reached

SECONDS: Final = 10.0
"""For all of a request, from the name to the head of its answer."""


class UnknownHost(Exception):
    """The name leads nowhere."""


class SendFailed(Exception):
    """No answer came: the message says at which step, and nothing of what was heard there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostResult:
    """What came back. Its body is never read."""

    status: int
    retry_after: int | None  #: seconds that were asked for


def post(
    target: Target,
    body: bytes,
    headers: Mapping[str, str],
    *,
    networks: Sequence[Network] = (),
    seconds: float = SECONDS,
) -> PostResult:
    """
    POST a body and return the answer's status. A redirect is an answer, and is not followed.

    networks: those of the operator's own that may be reached besides what is public. Raises RefusedAddress
    before anything is connected to, and SendFailed.
    """
    backend = _Backend(target, networks, until=time.monotonic() + seconds)
    timeouts = dict.fromkeys(("connect", "read", "write", "pool"), seconds)
    try:
        with (
            httpcore2.ConnectionPool(ssl_context=trusted_authorities(), network_backend=backend) as pool,
            pool.stream(
                "POST", target.url, headers=_headers(target, body, headers), content=body,
                extensions={"timeout": timeouts},
            ) as response,
        ):  # fmt: skip
            return PostResult(status=response.status, retry_after=_retry_after(response.headers))
    except httpcore2.TimeoutException as late:
        raise SendFailed("no answer in time") from late
    except httpcore2.ConnectError as failed:
        raise SendFailed("no connection, or none that can be trusted") from failed
    except (httpcore2.NetworkError, httpcore2.ProtocolError) as failed:
        raise SendFailed("the connection broke, or what came was no HTTP") from failed
    except UnknownHost as unknown:
        raise SendFailed("the host is not known") from unknown


def _headers(target: Target, body: bytes, headers: Mapping[str, str]) -> list[tuple[str, str]]:
    host = f"[{target.host}]" if ":" in target.host else target.host
    standard = 443 if target.is_secure else 80
    place = host if target.port == standard else f"{host}:{target.port}"
    own = {"Host": place, "Content-Length": str(len(body)), "Connection": "close", "Accept": "*/*"}
    return list({**headers, **own}.items())


def _retry_after(headers: Iterable[tuple[bytes, bytes]]) -> int | None:
    said = next((value for name, value in headers if name.lower() == b"retry-after"), b"")
    return int(said) if said.isdigit() and len(said) < 10 else None


@cache
def trusted_authorities() -> ssl.SSLContext:
    """Return the authorities trusted, read once a process (some 30 ms)."""
    return httpx2.create_ssl_context()


class _Backend(httpcore2.NetworkBackend):
    """Connects to addresses that were judged, and holds all of a request to one deadline."""

    def __init__(self, target: Target, networks: Sequence[Network], *, until: float) -> None:
        self._target, self._networks, self._until = target, networks, until
        self._plain = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - the deadline counts
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect to one of the host's addresses, each of which must be such that it may be reached."""
        found = _resolve(host, port)
        if not all(may_be_reached(one, self._target, self._networks) for one in found):
            raise RefusedAddress(RefusedAddress.__doc__)
        for place, one in enumerate(found, 1):
            try:
                stream = self._plain.connect_tcp(
                    one, port, timeout=_left(self._until) / (len(found) - place + 1),
                    local_address=local_address, socket_options=socket_options,
                )  # fmt: skip
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                if place == len(found):
                    raise
            else:
                return _Stream(stream, until=self._until)
        raise UnknownHost(UnknownHost.__doc__)


class _Stream(httpcore2.NetworkStream):
    """A connection that ends with its deadline, however slowly the other side drips."""

    def __init__(self, stream: httpcore2.NetworkStream, *, until: float) -> None:
        self._stream, self._until = stream, until

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        return self._stream.read(max_bytes, timeout=_left(self._until))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        self._stream.write(buffer, timeout=_left(self._until))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore2.NetworkStream:
        stream = self._stream.start_tls(ssl_context, server_hostname, timeout=_left(self._until))
        return _Stream(stream, until=self._until)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _left(until: float) -> float:
    """Return the seconds that are left. Raises httpcore2's ReadTimeout."""
    left = until - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the deadline has passed")
    return left


def _resolve(host: str, port: int) -> list[str]:
    """Return the host's addresses, the preferred first. Raises UnknownHost."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as failed:
        raise UnknownHost(UnknownHost.__doc__) from failed
    return list(dict.fromkeys(str(address[0]) for *_, address in found))
