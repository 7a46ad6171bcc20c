"""A run waits while somebody else is at work on the same database, and goes on at last (SPEC S-06)."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

import psycopg
import pytest
from django.db import connection

from recall.shadow.pace import LOOK_SECONDS, QUIET_SECONDS, Pace
from tenants.scope import unit_of_work
from tests.factories import make_tenant
from tests.integration.recall.shadowing import as_pipeline, ask_all, make_town, try_out

pytestmark = pytest.mark.spec("S-06")

LOCK = 7_411


class Watch:
    """A pace's sleep that counts, and may end what the pace waits for."""

    def __init__(self, ends_after: int = 10**9) -> None:
        self.slept: list[float] = []
        self.ends_after = ends_after
        self.end = lambda: None

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if len(self.slept) == self.ends_after:
            self.end()

    def pace(self, patience: float) -> Pace:
        return Pace(clock=lambda: 0.0, sleep=self.sleep, slice_seconds=60.0, patience=patience)


@contextmanager
def somebody_at_work(watch: Watch) -> Iterator[None]:
    """Keep a session of the service busy: it waits for a lock, until the watch or the block ends."""
    known = connection.get_connection_params()
    options = {name: known[name] for name in ("host", "port", "user", "password", "dbname") if name in known}
    with psycopg.connect(**options, autocommit=True) as holder, psycopg.connect(**options) as busy:
        holder.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        work = Thread(target=lambda: busy.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK]))

        def end() -> None:
            holder.execute("SELECT pg_advisory_unlock_all()")
            work.join()

        watch.end = end
        work.start()
        while not holder.execute(
            "SELECT 1 FROM pg_stat_activity WHERE pid = %s AND state = 'active'", [busy.info.backend_pid]
        ).fetchone():
            pass
        try:
            yield
        finally:
            end()


def test_a_run_waits_for_who_is_at_work_but_not_for_ever() -> None:
    watch = Watch()
    pace = watch.pace(patience=LOOK_SECONDS * 5)

    with as_pipeline(make_tenant("ada")), somebody_at_work(watch):
        pace.give_way()

    assert watch.slept == [LOOK_SECONDS] * 5
    assert pace.waited == pytest.approx(LOOK_SECONDS * 5)


@pytest.mark.parametrize("inside", [False, True])
def test_a_run_goes_on_when_nobody_is_at_work_any_more(inside: bool) -> None:
    watch = Watch(ends_after=3)
    pace = watch.pace(patience=60.0)

    with as_pipeline(make_tenant("ada")), somebody_at_work(watch):
        if inside:  # a transaction would tell again what it told first
            with unit_of_work():
                pace.give_way()
        else:
            pace.give_way()

    # Looked three times; then it waited for the quiet that follows, which its own time passes through.
    assert watch.slept[:3] == [LOOK_SECONDS] * 3
    assert all(seconds <= QUIET_SECONDS for seconds in watch.slept[3:])
    assert pace.waited < 60.0


def test_every_piece_of_a_question_gives_way() -> None:
    town = make_town()
    ask_all(town.agent)
    watch = Watch()
    pace = watch.pace(patience=LOOK_SECONDS)

    with somebody_at_work(watch):
        run = try_out(town.tenant, pace=pace)

    pieces = 4  # the embedding, two answers, the judgement
    assert len(watch.slept) == run.done * (pieces + 1)  # and the rest after each question
