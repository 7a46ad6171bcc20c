"""What stops a backup or a restore."""


class BackupError(RuntimeError):
    """A backup or a restore cannot go on; the message says what to do."""
