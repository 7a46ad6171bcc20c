"""The app's name for Django."""

from django.apps import AppConfig


class RecallConfig(AppConfig):
    """The app recall."""

    name = "recall"

    def ready(self) -> None:
        """Let the write track look up what was shown to whom."""
        from memories.recalled import use_log
        from recall.echoes import RecallEvents

        use_log(RecallEvents())
