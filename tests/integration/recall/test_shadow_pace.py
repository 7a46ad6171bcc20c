"""A run rests longer while somebody else is at work on the same database (SPEC S-06)."""

import psycopg
import pytest
from django.db import connection

from recall.shadow.pace import LIVE_SHARE, Pace, rest_after
from tests.factories import make_tenant
from tests.integration.recall.shadowing import as_pipeline

pytestmark = pytest.mark.spec("S-06")


def test_a_session_that_is_busy_makes_a_run_rest_long() -> None:
    tenant = make_tenant("ada")
    rests: list[float] = []
    pace = Pace(clock=lambda: 0.0, sleep=rests.append, slice_seconds=60.0)
    known = connection.get_connection_params()
    options = {name: known[name] for name in ("host", "port", "user", "password", "dbname") if name in known}

    with psycopg.connect(**options) as somebody, as_pipeline(tenant):
        somebody.execute("SELECT 1")
        pace.rest(0.02)

    assert rests == [rest_after(0.02, share=LIVE_SHARE)]
