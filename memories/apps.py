"""The app's name for Django."""

from django.apps import AppConfig


class MemoriesConfig(AppConfig):
    """The app memories."""

    name = "memories"

    def ready(self) -> None:
        """Register the checks."""
        from memories import checks  # noqa: F401
