"""What stops an export or an import."""


class TransferError(RuntimeError):
    """An export or an import cannot go on, and nothing was changed; the message says what to do."""
