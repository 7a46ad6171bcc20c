"""A web machine whose clock is wrong: what the broker loses is swept all the same."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection

from memories.models import Capture
from memories.pipeline import process_capture
from tenants.scope import Viewer, pipeline_viewer, tenant_scope, unit_of_work
from tests.http.conftest import caller

pytestmark = pytest.mark.usefixtures("no_broker", "rules_only")

SOON = timedelta(seconds=15)
TURN = {"text": "Root cause: the disk was full.", "role": "user", "clock": "2026-03-02T10:00:00+00:00"}
SHEET = "# Heat pumps\n\nA heat pump needs a row of its own in the plan of the cellar.\n\n"
DOCUMENT = {"source": "handbook", "title": "Handbook", "text": SHEET * 40}


def leases(tenant: Viewer) -> list[timedelta]:
    """Return for how long the sweeper leaves the tenant's captures alone, by the clock that it goes by."""
    with tenant_scope(tenant), unit_of_work(), connection.cursor() as cursor:
        cursor.execute("SELECT leased_until - clock_timestamp() FROM capture")
        return [left for (left,) in cursor.fetchall()]


@pytest.mark.spec("W-01")
@pytest.mark.parametrize("off", [timedelta(days=1), timedelta(days=-1)], ids=["ahead", "behind"])
@pytest.mark.parametrize("path", ["captures", "documents"])
def test_what_a_machine_with_a_wrong_clock_takes_is_swept_soon(
    ada: Viewer, off: timedelta, path: str
) -> None:
    speaking = caller(ada)
    with time_machine.travel(datetime.now(UTC) + off):
        answer = speaking.post(path, TURN if path == "captures" else DOCUMENT)

    assert answer.status_code == 202
    [left] = leases(ada)
    assert timedelta() < left <= SOON


@pytest.mark.spec("M-11")
def test_the_passages_that_such_a_machine_cuts_are_swept_soon(ada: Viewer) -> None:
    assert caller(ada).post("documents", DOCUMENT).status_code == 202
    with tenant_scope(pipeline_viewer(ada.tenant_id)), unit_of_work():
        whole = Capture.objects.get().id

    with time_machine.travel(datetime.now(UTC) + timedelta(days=1)), tenant_scope(ada):
        process_capture(whole, now=datetime.now(UTC))

    found = leases(ada)
    assert len(found) > 1
    assert all(timedelta() < left <= SOON for left in found)
