"""The app's name for Django."""

from django.apps import AppConfig


class RecallConfig(AppConfig):
    """The app recall."""

    name = "recall"

    def ready(self) -> None:
        """Let the write track look up what was shown to whom, and register the checks."""
        from memories.recalled import use_log
        from recall import checks  # noqa: F401
        from recall.echoes import RecallEvents

        use_log(RecallEvents())
