"""Memories as the write track stores them: embedded by the built-in model, with the same terms."""

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from memories.embedders import get_embedder
from memories.language.tags import tag_terms
from memories.language.tokens import words
from memories.models import Memory
from recall.answering.answer import Answer, recall
from recall.answering.post_response import wait_until_counted
from recall.questions.question import Question
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_memory

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def remember(viewer: Viewer, content: str, **columns: Any) -> Memory:
    """Store a memory of this tenant that search finds by meaning, by words and by tags."""
    terms = Counter(words(content))
    terms.update(dict.fromkeys(tag_terms(columns.get("tags", ())), 1))
    vector = get_embedder().embed_passages([content])[0]
    return make_memory(tenant=viewer, content=content, vector=vector, terms=dict(terms), **columns)


def ask(viewer: Viewer, query: str, **more: Any) -> Answer:
    """Ask as this viewer at NOW; return when the recall has been counted too."""
    with tenant_scope(viewer):
        answer = recall(Question(query=query, **{"seed": 1, **more}), now=NOW)
    wait_until_counted()
    return answer


def contents(answer: Answer) -> list[str]:
    """Return the texts of an answer, in order."""
    return [result.content for result in answer.results]


@pytest.fixture(autouse=True)
def every_test_here_has_a_database(database: None) -> None:
    """Give every test of the folder the real database."""
