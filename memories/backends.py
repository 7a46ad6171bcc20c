"""Backends chosen by alias, as Django does for caches: one object for each recipe in the whole process."""

import threading
from typing import Generic, TypeVar

from django.conf import settings
from django.utils.module_loading import import_string

Backend = TypeVar("Backend")


class Backends(Generic[Backend]):
    """The backends of a setting such as EMBEDDERS: alias → {BACKEND: class, OPTIONS: its arguments}."""

    def __init__(self, setting: str) -> None:
        self._setting = setting
        self._made: dict[str, Backend] = {}
        self._making = threading.Lock()

    def get(self, alias: str) -> Backend:
        """Return the backend of this alias, made when it is first asked for. Raises KeyError."""
        chosen = getattr(settings, self._setting)[alias]
        recipe = repr(chosen)
        if recipe not in self._made:
            with self._making:
                if recipe not in self._made:
                    self._made[recipe] = import_string(chosen["BACKEND"])(**chosen["OPTIONS"])
        return self._made[recipe]

    def made(self) -> list[Backend]:
        """Return those that have been made."""
        return list(self._made.values())
