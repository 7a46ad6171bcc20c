"""Going through a tenant's memories part by part."""

from typing import Any

import pytest

from evolution.steps.batch_walk import Span, walk
from evolution.steps.contract import Night, StepOutcome
from tenants.scope import Viewer, tenant_scope
from tests.factories import NOW, make_memory, make_tenant

pytestmark = [pytest.mark.usefixtures("database"), pytest.mark.spec("E-04")]


def go(tenant: Viewer, spans: list[Span], **given: Any) -> StepOutcome:
    """Walk in parts of four; note the spans, and count each once."""

    def visit(span: Span) -> dict[str, int]:
        spans.append(span)
        return {"visited": 1}

    with tenant_scope(tenant):
        return walk(Night(tenant_id=tenant.tenant_id, now=NOW, **given), visit, batch=4)


def test_a_walk_comes_by_every_memory_once_and_tells_how_far_it_is() -> None:
    ada, grace = make_tenant("ada"), make_tenant("grace")
    ids = sorted(make_memory(tenant=ada).id for _ in range(10))
    make_memory(tenant=grace)
    spans: list[Span] = []
    told: list[tuple[int, int]] = []

    outcome = go(ada, spans, progress=lambda done, total: told.append((done, total)))

    assert [[one for one in ids if span.after < one <= span.upto] for span in spans] == [
        ids[:4], ids[4:8], ids[8:],
    ]  # fmt: skip
    assert outcome == StepOutcome(counts={"visited": 3})
    assert told == [(4, 10), (8, 10), (10, 10)]


def test_a_walk_stops_when_its_time_is_over_and_the_next_one_goes_on_there() -> None:
    ada = make_tenant("ada")
    ids = sorted(make_memory(tenant=ada).id for _ in range(10))
    spans: list[Span] = []

    places = [""]
    for _ in range(3):
        places.append(go(ada, spans, resume_from=places[-1], is_over=lambda: True).resume_from)

    assert places == ["", ids[3].hex, ids[7].hex, ""]
    assert [span.upto for span in spans] == [ids[3], ids[7], ids[9]]


def test_a_tenant_that_remembers_nothing_is_gone_through_at_once() -> None:
    spans: list[Span] = []
    assert go(make_tenant("ada"), spans) == StepOutcome(counts={})
    assert spans == []
