"""What is measured, what it has to reach, and where its floor stands: `plan.toml`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

PLAN: Final = Path(__file__).parent / "plan.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFigure:
    """A number of a measurement; paths are names joined by points."""

    path: str
    label: str
    least: float | None = None  #: a bar from below
    most: float | None = None  #: a bar from above
    floor: str = ""  #: path of what the simplest method has

    def value(self, figures: Mapping[str, Any]) -> float | None:
        """Return the number, None where it is not there."""
        return number_at(figures, self.path)

    def misses(self, figures: Mapping[str, Any]) -> bool:
        """Tell whether the number is there and does not reach its bar, or loses against its floor."""
        value, floor = self.value(figures), number_at(figures, self.floor)
        if value is None:
            return False
        short = self.least is not None and value < self.least
        over = self.most is not None and value > self.most
        return (
            short
            or over
            or (floor is not None and (value > floor if self.most is not None else value < floor))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPart:
    """One measurement of `bench.run`."""

    name: str
    says: str
    figures: tuple[PlannedFigure, ...] = field(default=())
    quick: bool = False  #: at full size it would take too long for a run of everything


def read_plan(path: Path = PLAN) -> tuple[PlannedPart, ...]:
    """Return the parts in their order."""
    return tuple(
        PlannedPart(
            name=part["name"], says=part["says"], quick=part.get("quick", False),
            figures=tuple(PlannedFigure(**one) for one in part.get("figure", ())),
        )
        for part in tomllib.loads(path.read_text())["part"]
    )  # fmt: skip


def number_at(figures: Mapping[str, Any], path: str) -> float | None:
    """Return the number at a path, None where there is none."""
    found: Any = figures
    for name in path.split(".") if path else ():
        found = found.get(name) if isinstance(found, Mapping) else None
    return float(found) if isinstance(found, int | float) else None
