"""What the kernel says of how it ranks processes (Linux)."""

from pathlib import Path


def nice_of_session(pid: int) -> int | None:
    """Return the nice value of the session that the kernel ranks a process by, None when it does not."""
    try:
        told = Path(f"/proc/{pid}/autogroup").read_text()
    except FileNotFoundError:
        return None
    return int(told.split()[-1]) if told else None
