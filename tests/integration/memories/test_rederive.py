"""Memories that were stored in a reader's words get those of their capture (SPEC K-01)."""

import pytest
from django.core.management import call_command

from memories.models import Memory
from memories.storage.read import get_history
from tenants.scope import Viewer, tenant_scope, unit_of_work
from tests.factories import make_tenant
from tests.integration.memories.writing import person, rows, say

SAID = "I moved to Porto yesterday; the flat is small."
REWORDED = "Mara moved to Porto on 2026-03-04."


@pytest.fixture
def ada() -> Viewer:
    return person(make_tenant("ada"))


@pytest.mark.spec("K-01")
def test_a_reworded_memory_gets_the_words_of_its_capture_and_keeps_its_own_beside(ada: Viewer) -> None:
    [memory_id] = say(ada, SAID, speaker="Mara").memories
    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id=memory_id).update(content=REWORDED, span_start=None, span_end=None)

    for _ in range(2):
        call_command("rederive_memories", "--tenant", "ada")

    (row,) = rows(ada)
    assert (row.content, row.span_start, row.span_end, row.note) == (SAID, 0, len(SAID), REWORDED)
    with tenant_scope(ada):
        assert [version.content for version in get_history(row.id).versions] == [REWORDED]


@pytest.mark.spec("K-01")
def test_what_its_capture_does_not_hold_any_more_stays_and_is_no_span(ada: Viewer) -> None:
    [memory_id] = say(ada, SAID, speaker="Mara").memories
    with tenant_scope(ada), unit_of_work():
        Memory.objects.filter(id=memory_id).update(content="Quite other words.", span_start=None)

    call_command("rederive_memories")

    (row,) = rows(ada)
    assert (row.content, row.span_start) == ("Quite other words.", None)
