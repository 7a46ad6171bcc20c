"""
One row for each channel: a question by which it finds two memories, one of which gets hidden.

A channel of the registry without a row here is red (`test_channels.py`), and so are all walks over it.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final
from unittest.mock import patch

from memories.models import Memory
from recall.channels.registry import SQL
from recall.retrieval.candidate_query import statement
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_link
from tests.integration.recall.conftest import remember


def _side_by_side(_viewer: Viewer, _seen: Memory, _hidden: Memory) -> None:
    """Lay nothing between the two."""


def _linked(viewer: Viewer, seen: Memory, hidden: Memory) -> None:
    """Lay a reason between the two, as high as the higher of them."""
    with tenant_scope(viewer), unit_of_work():
        make_link(
            tenant=viewer, source=seen, target=hidden, type="because", weight=1.0,
            classification=max(seen.classification, hidden.classification),
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Proof:
    """What shows that a channel finds, and that it does not find what is hidden."""

    question: str = "When does the relay called kestrel restart?"
    seen: str = "The relay called osprey restarts at four."
    hidden: str = "The relay called kestrel restarts at noon."
    columns: Mapping[str, Any] = field(default_factory=dict)  #: of both memories
    between: Callable[[Viewer, Memory, Memory], None] = _side_by_side  #: lays what joins seen to hidden

    def lay_seen(self, viewer: Viewer) -> Memory:
        """Store what everybody may see."""
        return remember(viewer, self.seen, **self.columns)

    def lay_both(self, viewer: Viewer, **hiding: Any) -> None:
        """Store both, the second one hidden by these columns."""
        seen = self.lay_seen(viewer)
        self.between(viewer, seen, remember(viewer, self.hidden, **{**self.columns, **hiding}))


PROOFS: Final[dict[str, Proof]] = {
    "semantic": Proof(),
    "lexical": Proof(),
    "tag": Proof(columns={"tags": ["relay"]}),
    # The word asked is as near to one as to the other, and stands in neither.
    "fuzzy": Proof(
        question="When does kestrul restart?",
        seen="The kestral relay is restarted at four.",
        hidden="The kestrel relay is restarted at noon.",
    ),
    "time": Proof(
        question="What happens tomorrow?",
        columns={"kind": "episode", "card": "event", "occurred_at": datetime(2026, 6, 2, 9, tzinfo=UTC)},
    ),
    # What is asked is said of the one; the other is a hop away.
    "graph": Proof(question="When does the relay called osprey restart?", between=_linked),
}


@contextmanager
def spoilt(*names: str, by: str) -> Iterator[None]:
    """Add this subquery to the LIMIT of the channels' own SQL: PostgreSQL itself fails, or takes long."""
    for name in names:
        assert f"LIMIT %({name}_depth)s" in SQL[name], f"{name} has to keep to its policy's depth"
    broken = {name: SQL[name].replace(f"%({name}_depth)s", f"%({name}_depth)s + ({by})") for name in names}
    with patch.dict(SQL, broken):
        statement.cache_clear()
        try:
            yield
        finally:
            statement.cache_clear()


FORBIDDEN: Final = "SELECT count(*) FROM django_admin_log"
"""What the service's login may not read."""


def asleep(seconds: float) -> str:
    """Return what takes so long and adds nothing."""
    return f"SELECT 0 FROM pg_sleep({seconds})"
