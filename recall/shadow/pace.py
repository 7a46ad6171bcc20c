"""Stay below live traffic: how much of the time a run takes for itself, and how it knows (SPEC S-06)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from memories.queries import run_text
from tenants.scope import unit_of_work

QUIET_SHARE: Final = 0.5
"""Share of the time that a run works while nobody else asks. Ours: the first live question comes unannounced,
and half of the time it then finds the machine its own."""

LIVE_SHARE: Final = 0.03
"""Share while live traffic is on. Ours: a live question meets the run's statement so seldom that its p95,
which the slowest twentieth decides, hardly moves; measured by `make bench-shadow`."""

LIVE_SECONDS: Final = 10.0
"""How long ago another session may have done something for traffic to count as on. Ours."""

LOOK_SECONDS: Final = 0.25
"""How long one look at the traffic holds."""

_BUSY: Final = """
SELECT EXISTS (
    SELECT FROM pg_stat_activity a
    WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.backend_type = 'client backend'
      AND a.usename = current_user
      AND (a.state = 'active' OR a.state_change > clock_timestamp() - make_interval(secs => %(seconds)s))
      AND a.query !~ 'shadow_run|candor_claim_due|candor_list_tenants') AS busy
"""
"""Whether another session of the service did something of late: of any tenant, for all share the
cores. No tenant may count another's recalls; that some session was busy tells nothing of anybody. Other runs
are no live traffic, nor is the sweeper, which looks every few seconds whether anybody is there or not."""


@dataclass(slots=True)
class Pace:
    """How a slice of a run is worked on: by whose watch, for how long, and with how much rest."""

    clock: Callable[[], float]  #: seconds that only rise
    sleep: Callable[[float], None]
    slice_seconds: float
    quiet_share: float = QUIET_SHARE
    live_share: float = LIVE_SHARE
    _looked_at: float = -1e9
    _busy: bool = False

    def ends_at(self) -> float:
        """Return when the slice that begins now is over, by the pace's clock."""
        return self.clock() + self.slice_seconds

    def rest(self, spent: float) -> None:
        """Rest after having worked for so many seconds, for longer while others are at work."""
        share = self.live_share if self._is_busy() else self.quiet_share
        self.sleep(rest_after(spent, share=share))

    def _is_busy(self) -> bool:
        if self.clock() - self._looked_at > LOOK_SECONDS:
            with unit_of_work():
                self._busy = bool(run_text(_BUSY, {"seconds": LIVE_SECONDS})[0]["busy"])
            self._looked_at = self.clock()
        return self._busy


def rest_after(spent: float, *, share: float) -> float:
    """
    Return the seconds of rest after `spent` seconds of work, so that work takes this share of the time.

    Raises ValueError unless 0 < share ≤ 1.
    """
    if not 0 < share <= 1:
        raise ValueError("Set the share to a value above 0, at most 1.")
    return spent * (1 - share) / share
