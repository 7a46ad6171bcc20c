"""What the kernel says of how it ranks processes (Linux)."""

import subprocess
import sys
from pathlib import Path


def nice_of_session(pid: int) -> int | None:
    """Return the nice value of the session that the kernel ranks a process by, None when it does not."""
    try:
        told = Path(f"/proc/{pid}/autogroup").read_text()
    except FileNotFoundError:
        return None
    return int(told.split()[-1]) if told else None


def ranks_sessions() -> bool:
    """Tell whether a new session is ranked as one; the session of a test may be none, on the same kernel."""
    program = "import sys; print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", program], start_new_session=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        return nice_of_session(process.pid) is not None
