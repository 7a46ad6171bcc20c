"""What may be wrong with a set-up, looked at from the first step to the last, with the way to mend each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from candor.client import Candor
from candor.errors import BadRequest, CandorError, Forbidden, TooManyRequests, Unauthenticated
from candor.hooks.state import all_sessions, last_notes
from candor.profiles import FILE_MODE, Profile, is_for_others_to_read
from candor.wire.sending import Retries

KEY_PREFIX: Final = "cdr_"
SKEW_SECONDS: Final = 60
SLOW_MS: Final = 1000
_ONCE: Final = Retries(attempts=1)


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; mend: what to do where it is not right, or could be better."""

    what: str
    ok: bool
    said: str
    mend: str = ""


def examine(
    profile: Profile | None, *, missing: str, path: Path, transport: httpx.BaseTransport | None = None
) -> list[Finding]:
    """Look at everything that can be looked at, in order; what depends on a fault is left out."""
    if profile is None:
        return [Finding("set-up", False, missing, "candor login, or set CANDOR_URL and CANDOR_KEY")]
    return list(_looks(profile, path, transport))


def _looks(profile: Profile, path: Path, transport: httpx.BaseTransport | None) -> Iterator[Finding]:
    yield Finding("set-up", True, f"{profile.url} ({profile.found_in})")
    if is_for_others_to_read(path):
        yield Finding("file", False, f"{path} can be read by others", f"chmod {FILE_MODE:o} {path}")
    address = look_at_address(profile.url)
    yield address
    if not address.ok:
        return
    if not profile.key.startswith(KEY_PREFIX):
        yield Finding("key", False, f"keys begin with {KEY_PREFIX}, this one does not", "candor login")
        return
    with Candor(profile.url, profile.key, retries=_ONCE, timeout=10, transport=transport) as client:
        reached = _reach(client)
        yield from reached
        if all(finding.ok for finding in reached):
            yield _health(client)
            yield from _rights(client)


def examine_hooks(folder: Path) -> list[Finding]:
    """Look at what coding agents' hooks left: nothing where there are none. folder: of their state."""
    sessions = list(all_sessions(folder))
    if not sessions:
        return []
    behind = [one for one in sessions if one.behind]
    if not behind:
        return [Finding("hooks", True, f"all is sent of {len(sessions)} sessions")]
    why = next((one.failed for one in behind if one.failed), "") or next(iter(last_notes(folder, 1)), "")
    said = f"not all is sent of {len(behind)} of {len(sessions)} sessions" + (f": {why}" if why else "")
    return [Finding("hooks", False, said, f"the next hook goes on; {folder / 'hooks.log'} says what failed")]


def look_at_address(url: str) -> Finding:
    """Look at an address alone: is it one, and is it safe to send a key there?"""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return Finding(
            "address", False, f"{url} is no address of http or https", "candor login --url https://…"
        )
    if parts.scheme == "http" and not _is_here(parts.hostname):
        return Finding("address", False, "the key travels unencrypted", "use https, or a tunnel to 127.0.0.1")
    return Finding("address", True, f"{parts.scheme}://{parts.netloc}")


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _reach(client: Candor) -> list[Finding]:
    started = time.perf_counter()
    try:
        response = client._http.get("health/live", timeout=5)
    except httpx.ConnectError as error:
        return [
            Finding(
                "service", False, f"nobody answers: {error}", "is it running (make run)? is the port right?"
            )
        ]
    except httpx.TimeoutException:
        return [Finding("service", False, "no answer in 5 s", "is a firewall or a proxy in the way?")]
    except httpx.HTTPError as error:
        return [
            Finding("service", False, f"{type(error).__name__}: {error}", "is this an address of Candor?")
        ]
    took = (time.perf_counter() - started) * 1000
    if (
        response.headers.get("Content-Type", "").partition(";")[0] != "application/json"
        or response.status_code != 200
    ):
        said = f"answers with {response.status_code} {response.headers.get('Content-Type', '')}"
        return [Finding("service", False, said, "is this an address of Candor, without a path?")]
    found = [
        Finding(
            "service",
            took < SLOW_MS,
            f"answers in {took:.0f} ms",
            "" if took < SLOW_MS else "is it far away?",
        )
    ]
    skew = _skew(response)
    if abs(skew) > SKEW_SECONDS:
        said = f"differs from the service's by {skew:.0f} s; «tomorrow» is resolved by it"
        found.append(Finding("clock", False, said, "set this machine's clock (timedatectl set-ntp true)"))
    return found


def _skew(response: httpx.Response) -> float:
    """Return by how many seconds this machine's clock is ahead of the service's, 0 where it says nothing."""
    try:
        there = parsedate_to_datetime(response.headers["Date"])
    except (KeyError, ValueError, TypeError):
        return 0.0
    return (datetime.now(timezone.utc) - there).total_seconds()


def _health(client: Candor) -> Finding:
    try:
        ready = client.health_ready()
    except CandorError as error:
        return Finding("health", False, str(error), "look into the service's log")
    faults = [f"{name}: {', '.join(part.faults)}" for name, part in ready.parts.items() if part.faults]
    mend = "docs/api.md#health says what each fault means" if faults else ""
    return Finding("health", ready.status != "unready", "; ".join(faults) or str(ready.status), mend)


_TRIALS: Final[dict[str, Callable[[Candor], Any]]] = {
    "capture": lambda client: client.try_capture("Candor's doctor tries whether this may be said.", "tool"),
    "recall": lambda client: client.recall(""),  # refused for its words where it is not refused for the key
    "read": lambda client: client.list_memories(limit=1),
    "audit": lambda client: client.list_audit(limit=1),
    "admin": lambda client: client.list_keys(limit=1),
}
"""For some scopes a call that changes nothing."""

EVERYDAY: Final = frozenset({"capture", "recall"})


def _rights(client: Candor) -> Iterator[Finding]:
    may, may_not = [], []
    for scope, trial in _TRIALS.items():
        try:
            trial(client)
            may.append(scope)
        except BadRequest:
            may.append(scope)
        except Unauthenticated:
            yield Finding(
                "key", False, "not in force: wrong, expired or revoked", "candor login with another key"
            )
            return
        except Forbidden as error:
            if "gate-closed" in error.type:
                yield Finding(
                    "key", False, f"for outside, and the gate is closed: {error.detail}", "ask an operator"
                )
                return
            may_not.append(scope)
        except TooManyRequests as error:
            yield Finding("key", False, f"held back: {error}", "wait as long as it says; then try again")
            return
        except CandorError as error:
            yield Finding("key", False, f"{scope}: {error}", "look into the service's log")
            return
    said = f"may {', '.join(may) or 'nothing'}" + (f"; may not {', '.join(may_not)}" if may_not else "")
    lacks = sorted(EVERYDAY - set(may))
    yield Finding("key", not lacks, said, f"ask for a key with {' and '.join(lacks)}" if lacks else "")
