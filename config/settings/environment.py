"""Read the environment; nothing else in the project does."""

import os
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parents[2]


def text(name: str, default: str = "") -> str:
    """Return the variable, or the default when it is unset or empty."""
    return os.environ.get(name) or default


def flag(name: str, *, default: bool = False) -> bool:
    """Return whether the variable says yes (1, true, yes, on). Raises ValueError on anything unclear."""
    value = os.environ.get(name, "").strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    if value:
        raise ValueError(f"{name} must be one of 1, true, yes, on, 0, false, no, off; it is {value!r}")
    return default


def number(name: str, default: int, *, least: int, most: int) -> int:
    """Return the variable as a whole number in [least, most]. Raises ValueError outside it."""
    value = os.environ.get(name, "")
    parsed = int(value) if value else default
    if not least <= parsed <= most:
        raise ValueError(f"{name} must lie in [{least}, {most}]; it is {parsed}")
    return parsed


def listing(name: str, default: str = "") -> list[str]:
    """Return the comma-separated variable as a list without blanks."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def hand_on(name: str, value: str) -> None:
    """Set a variable that a library reads when it is imported, for this process and those that it starts."""
    os.environ[name] = value
