"""
Lower this process in the kernel's scheduling, behind those that somebody waits for.

# Note [Sessions share the processor]
Linux gives every session (setsid(2)) the same share of the processor where `kernel.sched_autogroup_enabled`
is on and no cgroup has shares of its own. A nice value then ranks a process among those of its session only,
and a worker at nice 10 takes as much as all of the web. A session has a nice value for this, in
/proc/PID/autogroup (sched(7)). Both are set, so that either kind of system ranks processes alike.
"""

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

_AUTOGROUP: Final = Path("/proc/self/autogroup")

_TRIES: Final = 20
"""The kernel takes one such change in a tenth of a second from all who are not root together."""


def lower_process(by: int) -> None:
    """Add `by`, 0 to 19, to the nice value of this process, and of its session when that is its own."""
    with suppress(AttributeError, OSError):  # elsewhere than on Unix nothing is done
        os.nice(by)
        if os.getsid(0) == os.getpid():  # another's session holds others' processes, too
            _lower_session(by)


def _lower_session(nice: int) -> None:
    for _ in range(_TRIES):
        try:
            _AUTOGROUP.write_text(str(nice))
        except BlockingIOError:
            time.sleep(0.1)
        else:
            return
