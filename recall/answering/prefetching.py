"""
Think ahead: embed what a session will likely ask next, while it reads its answer (SPEC R-15).

Embedding is most of what a recall takes. Nothing is searched ahead: an answer found before it is asked for
could be stale, and would have to be written down as shown. So a prefetch writes no access, count or audit.
"""

from pathlib import Path
from typing import Final
from uuid import UUID

from memories.ingestion import send_hint
from memories.vectors import active_embedder
from recall.answering.post_response import do_later
from recall.questions import AskedBefore, find_known_names, keep_vector, kept_vector, predict_next
from tenants.scope import unit_of_work, viewer_in_force
from tenants.sql import Queries

PREFETCH_TASK: Final = "recall.tasks.prefetch_next"

_SQL: Final = Queries(Path(__file__).parents[1] / "sql" / "prefetch.sql")

WAITS_SECONDS: Final = 60
"""How long a hint waits for a worker. Ours: later, the session has asked its next question."""

MOST_AHEAD: Final = 2
"""Questions embedded ahead for one recall. Ours: what comes third is rarely asked."""

MOST_EVENTS: Final = 2_000
"""Latest recalls of the tenant in which a routine is looked for."""

MOST_STEPS: Final = 200
"""Of these the latest steps from one question to the next that are held against the one in hand."""


def prefetch(recall_id: UUID) -> int:
    """
    Embed the questions that came after one like this in earlier sessions; return how many were made.

    Raises whatever the embedder raises: nobody waits for it.
    """
    tenant_id = viewer_in_force().tenant_id
    with unit_of_work():
        rows = _SQL.run("find_steps", recall=recall_id, events=MOST_EVENTS, most=MOST_STEPS)
        if not rows:
            return 0
        steps = [(row["query"], row["next"]) for row in rows]
        asked = AskedBefore(id=recall_id, query=rows[0]["asked"])
        known = find_known_names([asked.query, *(text for step in steps for text in step)])
    embedder = active_embedder()
    made = 0
    for query in predict_next(asked, steps, known, most=MOST_AHEAD):
        if kept_vector(tenant_id, space=embedder.space, query=query) is None:
            keep_vector(tenant_id, embedder.embed_query(query), space=embedder.space, query=query)
            made += 1
    return made


def prefetch_later(recall_id: UUID) -> None:
    """Hint a worker to think ahead of this recall's session, without making its answer wait."""
    do_later(_hint, viewer_in_force().tenant_id, recall_id)


def _hint(tenant_id: UUID, recall_id: UUID) -> None:
    send_hint(PREFETCH_TASK, tenant_id, recall_id, expires=WAITS_SECONDS)
