"""
The set-ups that the command line knows: name, address and key of each, in one file for its owner's eyes only.

The file is `config.json` in `$XDG_CONFIG_HOME/candor` (else `~/.config/candor`), or what CANDOR_CONFIG names.
A profile that is named comes first, then CANDOR_URL and CANDOR_KEY, then the profile in use.
"""

from __future__ import annotations

import json
import os
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from candor.errors import CandorError

FILE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700
FIRST: Final = "default"


class NoProfile(CandorError):
    """There is no profile of that name, or none at all: `candor login` makes one."""


class BrokenConfig(CandorError):
    """The file of profiles cannot be read: mend or remove it, then `candor login`."""


@dataclass(frozen=True)
class Profile:
    """An address and a key of it; where they were found."""

    url: str
    key: str = field(repr=False)
    person: str | None = None
    found_in: str = ""


@dataclass(frozen=True)
class Config:
    """All profiles, and the name of the one in use."""

    profiles: Mapping[str, Profile] = field(default_factory=dict)
    active: str = FIRST


def config_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Return where the file is, or would be."""
    named = environment.get("CANDOR_CONFIG")
    if named:
        return Path(named)
    home = environment.get("XDG_CONFIG_HOME") or str(
        Path(environment.get("HOME", "~")).expanduser() / ".config"
    )
    return Path(home) / "candor" / "config.json"


def read_config(path: Path) -> Config:
    """Return what the file holds, nothing where there is none. Raises BrokenConfig."""
    try:
        held = json.loads(path.read_text("utf-8"))
        profiles = {
            str(name): Profile(url=str(one["url"]), key=str(one["key"]), person=one.get("person"))
            for name, one in held["profiles"].items()
        }
        return Config(profiles, str(held["active"]))
    except FileNotFoundError:
        return Config()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BrokenConfig(f"{path}: {error!r}. {BrokenConfig.__doc__}") from error


def write_config(path: Path, config: Config) -> None:
    """Write the file so that only its owner reads it, whole or not at all."""
    path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    held = {
        "active": config.active,
        "profiles": {
            name: {
                key: value for key, value in asdict(one).items() if key != "found_in" and value is not None
            }
            for name, one in config.profiles.items()
        },
    }
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".config-")  # made with mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(held, file, indent=2)
        Path(name).chmod(FILE_MODE)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def with_profile(config: Config, name: str, profile: Profile) -> Config:
    """Return the profiles with this one, in use."""
    return Config({**config.profiles, name: profile}, active=name)


def without_profile(config: Config, name: str) -> Config:
    """Return the profiles without this one. Raises NoProfile."""
    if name not in config.profiles:
        raise NoProfile(f"{name}: {NoProfile.__doc__}")
    left = {known: one for known, one in config.profiles.items() if known != name}
    active = config.active if config.active in left else next(iter(left), FIRST)
    return Config(left, active)


def is_for_others_to_read(path: Path) -> bool:
    """Return whether somebody but the owner may read the file."""
    return path.exists() and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


def choose(name: str | None, environment: Mapping[str, str] = os.environ) -> Profile:
    """Return the profile to use. Raises NoProfile, BrokenConfig."""
    if name is None and environment.get("CANDOR_URL") and environment.get("CANDOR_KEY"):
        return Profile(
            environment["CANDOR_URL"], environment["CANDOR_KEY"], found_in="CANDOR_URL, CANDOR_KEY"
        )
    path = config_path(environment)
    config = read_config(path)
    wanted = name or config.active
    if wanted not in config.profiles:
        if name or config.profiles:
            raise NoProfile(f"«{wanted}»: {NoProfile.__doc__}")
        raise NoProfile("No address and no key are known: `candor login` keeps them.")
    found = config.profiles[wanted]
    url = (name is None and environment.get("CANDOR_URL")) or found.url
    key = (name is None and environment.get("CANDOR_KEY")) or found.key
    return replace(found, url=url, key=key, found_in=f"profile {wanted} of {path}")
