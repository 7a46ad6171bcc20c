"""The trace of a capture: what every step said, so that nothing is decided in the dark (SPEC W-20)."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Final

from tenants.telemetry.tracing import span

RELEASED: Final = {"step": "review", "verdict": "release"}
"""What the trace of a capture holds that a person released from quarantine (`memories.curation.review`)."""

BEFORE: Final = ("class", "redrive", "review")
"""Steps that are none of an attempt's: what class the capture came in with, what a person did to it."""


class Trace:
    """The steps a capture went through, in order: step, verdict, score, reason, ms and what else it tells."""

    def __init__(self, former: Iterable[dict[str, Any]] = ()) -> None:
        #: What was done to the capture before any attempt stays; what failed attempts said does not.
        self.entries: list[dict[str, Any]] = [entry for entry in former if entry.get("step") in BEFORE]

    @property
    def is_released(self) -> bool:
        """Whether a person let the capture go on, whatever the screen says of it."""
        return any(RELEASED.items() <= entry.items() for entry in self.entries)

    @contextmanager
    def step(self, name: str) -> Iterator[dict[str, Any]]:
        """Time a step and yield its entry to be filled; it is kept when the step fails, too."""
        entry: dict[str, Any] = {"step": name, "verdict": "pass"}
        self.entries.append(entry)
        began = perf_counter()
        try:
            with span(f"capture.{name}") as told:
                yield entry
                told.set_attribute("candor.verdict", entry["verdict"])
        except BaseException:
            if entry["verdict"] == "pass":
                entry["verdict"] = "failed"
            raise
        finally:
            entry["ms"] = round((perf_counter() - began) * 1000, 2)
