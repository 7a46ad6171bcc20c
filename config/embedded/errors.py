"""What can go wrong with the embedded servers, in words for the person at the terminal."""


class EmbeddedError(RuntimeError):
    """The embedded servers cannot be used. Mend what is named, or set DATABASE_URL and BROKER_URL."""
