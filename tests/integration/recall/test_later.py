"""Counting after the answer: gathered, and yet each recall counts (SPEC R-13)."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from memories.models import Usage
from recall.answering.answer import recall
from recall.answering.post_response import wait_until_counted
from recall.questions.question import Question
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_tenant
from tests.integration.recall.conftest import NOW, remember


def recalled(viewer: Viewer) -> list[int]:
    """Return how often each memory of the tenant was counted."""
    with tenant_scope(viewer), unit_of_work():
        return list(Usage.objects.values_list("recalled", flat=True))


def ask_often(viewer: Viewer, times: int) -> None:
    """Ask without waiting for the counting, in a thread of its own."""
    try:
        with tenant_scope(viewer):
            for _ in range(times):
                recall(Question(query="When does the relay restart?", seed=1), now=NOW)
    finally:
        connection.close()


@pytest.mark.spec("R-13")
def test_recalls_of_one_moment_are_counted_together_and_each_of_them_counts() -> None:
    ada, bob = make_tenant("ada"), make_tenant("bob")
    remember(ada, "The relay restarts at noon.")
    remember(bob, "The relay restarts at midnight.")

    with ThreadPoolExecutor(max_workers=2) as both:
        list(both.map(ask_often, (ada, bob), (4, 3)))
    wait_until_counted()

    assert (recalled(ada), recalled(bob)) == ([4], [3])
