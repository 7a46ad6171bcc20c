"""
Stay below live traffic: when a run works, and how it knows that others do (SPEC S-06).

# Note [Giving way]
A live question that meets a statement of a run shares the machine with it as long as that lasts. To work a
small share of the time keeps that rare, and makes a run of 10 000 questions take hours. So a run works in
small pieces (the embedding, one side's answer, one judgement), looks before each of them whether somebody is
at work or was a moment ago, and waits until nobody is. Who comes meets what is left of one piece at most.
Where somebody always is, it goes on after a while all the same, at about one thirtieth of its speed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from django.db import connection

SHARE: Final = 0.8
"""Share of the time that a run works while it need not wait. Ours: no core is kept from all else for hours;
what spares who comes is that a run gives way, piece by piece."""

QUIET_SECONDS: Final = 0.06
"""How long nobody must have done anything. Ours: a recall is silent in the database while its question is
embedded, some 25 ms between knowing the key and searching, and twice that when the cores are busy."""

PATIENCE_SECONDS: Final = 0.5
"""How long a piece waits at most. Ours: a question has some five pieces of 15 ms, so where traffic never
ends a run still takes a share of 0.03, at which `make bench-shadow` sees no change of the live p95."""

LOOK_SECONDS: Final = 0.02
"""Pause between two looks at a session that is at work: a look costs half a millisecond of both cores."""

_LAST_SIGN: Final = r"""
SELECT min(CASE a.state WHEN 'active' THEN 0 ELSE extract(epoch FROM clock_timestamp() - a.state_change) END)
FROM pg_stat_activity a
WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.backend_type = 'client backend'
  AND a.usename = current_user
  AND a.query !~ 'shadow_run|shadow_question|candor_claim_due|candor_list_tenants'
"""
"""How many seconds ago another session of the service did something: of any tenant, for all share the
cores. No tenant may count another's recalls; that some session was busy tells nothing of anybody. Other runs
are no live traffic, nor is the sweeper, which looks every few seconds whether anybody is there or not."""


@dataclass(slots=True, kw_only=True)
class Pace:
    """How a slice of a run is worked on: by whose watch, for how long, and with how much rest."""

    clock: Callable[[], float]  #: seconds that only rise
    sleep: Callable[[float], None]
    slice_seconds: float
    share: float = SHARE
    patience: float = PATIENCE_SECONDS  #: 0: gives way to nobody
    waited: float = 0.0  #: seconds so far

    def ends_at(self) -> float:
        """Return when the slice that begins now is over, by the pace's clock."""
        return self.clock() + self.slice_seconds

    def rest(self, spent: float) -> None:
        """Rest after having worked for so many seconds."""
        self.sleep(rest_after(spent, share=self.share))

    def give_way(self) -> None:
        """Wait until nobody else is at work, but not for ever: see Note [Giving way]."""
        until = self.waited + self.patience
        while self.waited < until and (wait := wait_for(_last_sign())):
            self.sleep(wait)
            self.waited += wait


def wait_for(last_sign: float | None) -> float:
    """Return the seconds to wait when another session's last sign is so many old; None: there is none."""
    if last_sign is None or last_sign >= QUIET_SECONDS:
        return 0.0
    return max(QUIET_SECONDS - last_sign, 0.0) if last_sign > 0 else LOOK_SECONDS


def rest_after(spent: float, *, share: float) -> float:
    """
    Return the seconds of rest after `spent` seconds of work, so that work takes this share of the time.

    Raises ValueError unless 0 < share ≤ 1.
    """
    if not 0 < share <= 1:
        raise ValueError("Set the share to a value above 0, at most 1.")
    return spent * (1 - share) / share


def _last_sign() -> float | None:
    """Return how long ago another session did something, seconds; 0.0: one does now; None: there is none."""
    with connection.cursor() as cursor:
        if connection.in_atomic_block:
            # Within a transaction PostgreSQL would tell again what it told first.
            cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(_LAST_SIGN)
        [(seconds,)] = cursor.fetchall()
    return None if seconds is None else max(float(seconds), 0.0)
