"""When a tenant dreams."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from evolution.sleep.dream_gate import Corpus, may_dream

pytestmark = pytest.mark.spec("E-04")

NIGHT = datetime(2026, 3, 5, 4, 0, tzinfo=ZoneInfo("Asia/Tokyo"))


def ask(*, hours: float = 25, sessions: int = 5, memories: int = 50, local: datetime = NIGHT) -> str:
    since = local - timedelta(hours=hours)
    return may_dream(Corpus(since=since, sessions=sessions, memories=memories), local=local)


def test_a_dream_needs_more_than_a_day_and_five_sessions_and_fifty_memories() -> None:
    assert ask() == "dream"
    assert ask(hours=24) == "too_soon"
    assert ask(sessions=4) == "few_sessions"
    assert ask(memories=49) == "few_memories"


def test_four_at_night_on_the_tenants_clock_is_preferred_and_two_days_are_the_longest_wait() -> None:
    noon = NIGHT.replace(hour=12)
    assert ask(local=noon) == "not_at_night"
    assert ask(local=NIGHT.astimezone(ZoneInfo("UTC"))) == "not_at_night"
    assert ask(local=noon, hours=48.5) == "dream"


def test_a_tenant_whose_beat_strikes_every_hour_dreams_in_three_nights_of_four() -> None:
    last, dreams = NIGHT, []
    for hour in range(1, 97):
        local = NIGHT + timedelta(hours=hour)
        if may_dream(Corpus(since=last, sessions=9, memories=900), local=local) == "dream":
            last = local
            dreams.append(local.hour)
    assert dreams == [5, 6, 4]
