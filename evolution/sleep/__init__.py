"""The night: asked for, gated, and run step by step, as the registry says (SPEC E-04)."""

from evolution.sleep.registry import STEP_NAMES, UnknownStep
from evolution.sleep.requests import SLEEP_TASK, RunView, ask_for_night, find_waiting, get_night, list_nights
from evolution.sleep.run import NightTaken, Pace, rehearse, sleep

__all__ = [
    "SLEEP_TASK",
    "STEP_NAMES",
    "NightTaken",
    "Pace",
    "RunView",
    "UnknownStep",
    "ask_for_night",
    "find_waiting",
    "get_night",
    "list_nights",
    "rehearse",
    "sleep",
]
