"""The app's name for Django."""

from django.apps import AppConfig


class RecallConfig(AppConfig):
    """The app recall."""

    name = "recall"

    def ready(self) -> None:
        """Tell the floors below what was shown to whom, and by which engine; register the checks."""
        from memories.recall_log import use_log
        from recall import checks  # noqa: F401
        from recall.configuration_digest import engine
        from recall.echoes import RecallEvents
        from security.gate import use_engine

        use_log(RecallEvents())
        digest = engine()  # now: what lies on the disk later need not be what runs here
        use_engine(lambda: digest)
