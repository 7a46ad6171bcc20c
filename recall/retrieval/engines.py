"""
The code paths that can find a recall's candidates, by alias (SPEC S-06).

A new way of searching is an entry here. A shadow run takes it beside the one in force, and the setting
CANDOR_RECALL_ENGINE puts it in force for the whole service.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.conf import settings

from recall.retrieval.archive_fallback import find_pool
from recall.retrieval.candidate_query import Pool, Search

Find = Callable[[Search, Sequence[str], Sequence[str]], tuple[Pool, bool]]
"""Search, channels to ask, channels not to ask as seeds either → candidates, and whether archives count."""


class UnknownEngine(LookupError):
    """There is no engine of this name. Choose one that `recall.retrieval.ENGINES` lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallEngine:
    """One way of finding candidates. It raises StatementFailed as `find_pool` of `archive_fallback` does."""

    alias: str
    find: Find


def _together(search: Search, names: Sequence[str], without: Sequence[str]) -> tuple[Pool, bool]:
    return find_pool(search, names, without=without)


def _exact(search: Search, names: Sequence[str], without: Sequence[str]) -> tuple[Pool, bool]:
    """Search without the index of a big tenant: each visible vector is compared (docs/decisions/0016)."""
    return find_pool(replace(search, exact=True), names, without=without)


ENGINES: Final = {
    engine.alias: engine
    for engine in (RecallEngine(alias="together", find=_together), RecallEngine(alias="exact", find=_exact))
}
"""«together»: one statement for all channels, by an index where the tenant is big. «exact»: never by one."""


def get_engine(alias: str) -> RecallEngine:
    """Return the engine of this alias. Raises UnknownEngine."""
    try:
        return ENGINES[alias]
    except KeyError:
        raise UnknownEngine(UnknownEngine.__doc__) from None


def engine_in_force() -> RecallEngine:
    """Return the engine that answers recalls now."""
    return ENGINES[settings.RECALL_ENGINE]
